"""What a request says, as it is frozen: typed fields, canonical text and the hash that is approved."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import date
from decimal import Decimal
from enum import Enum
from hashlib import sha256

from reservations.domain.procurement.exception_type import ExceptionType


@dataclass(frozen=True, slots=True)
class RequestContent:
    """Everything somebody asks for and says; days half-open ``[term_start, term_end)``, money in ``currency``.

    ``amount`` is for the whole term; ``reservation`` blank: a new one. ``answers`` are the type's own questions.
    """

    kind: ExceptionType
    pool: str
    shape: str
    nodes: int
    term_start: date
    term_end: date
    amount: Decimal
    currency: str
    reason: str
    reservation: str = ""
    alternatives: str = ""
    consequence: str = ""
    expected_busy_share: Decimal | None = None
    metric: str = ""
    review_on: date | None = None
    latest_useful_on: date | None = None
    risk_owner: str = ""
    controls: str = ""
    confidential: bool = False
    answers: Mapping[str, str] = field(default_factory=dict)

    @property
    def days(self) -> int:
        """The days of its term."""
        return (self.term_end - self.term_start).days


MATERIAL = (
    "kind", "pool", "reservation", "shape", "nodes", "term_start", "term_end", "currency",
    "review_on", "latest_useful_on", "controls", "answers", "metric",
)  # fmt: skip
"""Fields in which any change voids approvals, dates and what is promised among them; the amount where it goes up."""

FIELD_WORDS: Mapping[str, str] = {
    "kind": "the type",
    "pool": "the pool",
    "reservation": "the reservation",
    "shape": "the instance type",
    "nodes": "the size",
    "term_start": "the start",
    "term_end": "the end",
    "amount": "the amount",
    "currency": "the currency",
    "reason": "the reason",
    "alternatives": "the alternatives",
    "consequence": "the consequence",
    "expected_busy_share": "the expected use",
    "metric": "how it is judged",
    "review_on": "the review date",
    "latest_useful_on": "the latest useful date",
    "risk_owner": "who owns the risk",
    "controls": "the controls",
    "confidential": "whether it is confidential",
    "answers": "the answers",
    "files": "the files",
}


@dataclass(frozen=True, slots=True)
class Edit:
    """What differs between two versions: a material change voids approvals, a minor one is told to who approved."""

    material: tuple[str, ...]
    minor: tuple[str, ...]


def edit(
    before: RequestContent,
    after: RequestContent,
    *,
    files_before: Sequence[str] = (),
    files_after: Sequence[str] = (),
) -> Edit:
    """The names of the fields that differ; of ``files`` (their SHA-256) only one that is gone is material."""
    differing = [one.name for one in fields(RequestContent) if getattr(before, one.name) != getattr(after, one.name)]
    material = tuple(
        name
        for name in differing
        if name in MATERIAL
        or (name == "amount" and after.amount > before.amount)
        or (name == "expected_busy_share" and _claims_less(before, after))
    )
    minor = tuple(name for name in differing if name not in material)
    if set(files_before) - set(files_after):
        return Edit((*material, "files"), minor)
    return Edit(material, (*minor, "files") if set(files_after) - set(files_before) else minor)


def _claims_less(before: RequestContent, after: RequestContent) -> bool:
    """Whether it promises less use than what was read: the outcome is held against this."""
    promised, claimed = before.expected_busy_share, after.expected_busy_share
    return promised is not None and (claimed is None or claimed < promised)


def canonical_content(content: RequestContent, *, attachments: Sequence[str] = (), evidence_hash: str = "") -> str:
    """JSON with sorted keys and no floats over all that is approved; ``attachments`` are SHA-256 of their bytes."""
    said = {key: _plain(value) for key, value in asdict(content).items()}
    whole = {"content": said, "attachments": sorted(attachments), "evidence_hash": evidence_hash}
    return json.dumps(whole, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def content_hash(text: str) -> str:
    """SHA-256 as 64 hex digits: what an approval is of."""
    return sha256(text.encode()).hexdigest()


def content_of(text: str) -> RequestContent:
    """The content that ``canonical_content`` wrote."""
    said = json.loads(text)["content"]
    days = {
        key: date.fromisoformat(said[key]) if said[key] else None
        for key in ("term_start", "term_end", "review_on", "latest_useful_on")
    }
    share = said["expected_busy_share"]
    return RequestContent(
        **{
            **said,
            **days,
            "kind": ExceptionType(said["kind"]),
            "amount": Decimal(said["amount"]),
            "expected_busy_share": None if share is None else Decimal(share),
        }
    )


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): _plain(member) for key, member in value.items()}
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, date):
        return value.isoformat()
    return value
