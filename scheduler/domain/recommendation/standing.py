"""What became of a recommendation, and what may become of it next."""

from enum import StrEnum


class Standing(StrEnum):
    """Open until somebody decides; an exception that was asked for is decided later."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    EXCEPTION_ASKED = "exception_asked"


LEGAL: dict[Standing, frozenset[Standing]] = {
    Standing.OPEN: frozenset({Standing.ACCEPTED, Standing.REJECTED, Standing.EXCEPTION_ASKED}),
    Standing.EXCEPTION_ASKED: frozenset({Standing.ACCEPTED, Standing.REJECTED}),
    Standing.ACCEPTED: frozenset(),
    Standing.REJECTED: frozenset(),
}

NEEDS_REASON = frozenset({Standing.REJECTED, Standing.EXCEPTION_ASKED})
LONGEST_REASON = 2_000

WORDS = {
    Standing.OPEN: "open",
    Standing.ACCEPTED: "accepted",
    Standing.REJECTED: "rejected",
    Standing.EXCEPTION_ASKED: "exception asked for",
}


def why_not_move(now: Standing, to: Standing, *, reason: str, recommends: bool, replaced: bool) -> str:
    """Why a move is not legal, in one sentence; blank where it is."""
    if replaced:
        return "A newer revision has taken its place: decide on that one."
    if not recommends:
        return "It recommends nothing, so there is nothing to decide on."
    if to not in LEGAL[now]:
        return f"It is {WORDS[now]} already, and can't be {WORDS[to]} any more."
    if to in NEEDS_REASON and not reason.strip():
        return "Say why: a reason is needed."
    if len(reason) > LONGEST_REASON:
        return f"The reason is longer than {LONGEST_REASON} characters."
    return ""
