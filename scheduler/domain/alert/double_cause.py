"""Why instances run on demand beside free slots, in a sentence."""

from collections import Counter
from collections.abc import Iterable

from telemetry.domain.double_pay.parties import Cause

SENTENCES: dict[Cause, str] = {
    Cause.OPTED_OUT: "They opted out of reservations (preference none).",
    Cause.NAMES_ANOTHER: "They name another reservation.",
    Cause.NAMES_GROUP: "They name a group of reservations that this one may not be in.",
    Cause.NOT_NAMED: "The reservation is targeted, and they don't name it.",
    Cause.NOT_SHARED: "They run in an account that the reservation is not shared with.",
    Cause.NOT_MOVED_BACK: "They were launched before the slots got free, and nothing moved them back.",
    Cause.MISSED: "They were launched while slots were free, and missed them.",
    Cause.UNKNOWN: "",
}


def double_cause(told: Iterable[tuple[Cause, int]]) -> str:
    """What explains most of the time; the first of several that explain as much, blank where nothing does."""
    sums: Counter[Cause] = Counter()
    for cause, length in told:
        sums[cause] += length
    most = max(sums.values(), default=0)
    return next((sentence for cause, sentence in SENTENCES.items() if cause in sums and sums[cause] == most), "")
