"""What an evidence pack holds of an object beside its trail: each kind of object gives its documents here."""

from collections.abc import Callable, Mapping, Sequence

from reservations.selectors.exception_evidence import exception_evidence

Documents = Sequence[tuple[str, str, object]]
"""(file name, what it says, content): bytes as they are, anything else as JSON."""

EVIDENCE: Mapping[str, Callable[[str], Documents]] = {"exception_request": exception_evidence}
"""By kind of object as the trail names it: a function of the object's identity, empty where there is none."""


def evidence_of(about: str, ident: str) -> Documents:
    """The documents of one object; none of a kind that gives none."""
    found = EVIDENCE.get(about)
    return found(ident) if found else ()
