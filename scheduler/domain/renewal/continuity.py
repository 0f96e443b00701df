"""Whether what was decided has come to be: it counts from the old end, without gap and without overlap."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from reservations.domain import notation
from scheduler.domain.renewal.standing import Choice
from scheduler.domain.renewal.words import nodes_words

NEAR = timedelta(days=14)
"""What starts so long before or after the end may be meant to follow it, and its gap is told."""

NOTHING = "Nothing follows yet: the inventory shows the old end, and no reservation that starts there."
UNPAID = "Nothing follows yet: an extension waits for its payment, and until it is paid the old end stands."


@dataclass(frozen=True, slots=True)
class Decided:
    """What was decided for an end; ``until_at`` None beside nodes: it is to have no end."""

    choice: Choice
    nodes: int | None
    until_at: datetime | None
    end_at: datetime


@dataclass(frozen=True, slots=True)
class Seen:
    """The reservation itself as the inventory has it now; ``gone``: it promises nothing any more.

    ``end_at`` counts only what is paid; ``extension_pending``: an extension past it waits for its payment.
    """

    end_at: datetime | None
    nodes: int | None
    gone: bool
    extension_pending: bool = False


@dataclass(frozen=True, slots=True)
class Follower:
    """Another reservation of the same pool, or of the same owner's shape in the same zone."""

    id: int
    external_id: str
    start_at: datetime
    end_at: datetime | None
    nodes: int | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the inventory shows of a decision: ``fits`` is exactly it; ``gap`` below 0 is an overlap.

    ``follower`` is the other reservation that follows, None where the same goes on or nothing does. ``waits``: it goes
    on as decided but for its size, which may change until the old end has come, or for an extension that is not paid.
    """

    fits: bool
    sentence: str
    follower: Follower | None = None
    gap: timedelta = timedelta(0)
    waits: bool = False

    @property
    def only_gap(self) -> bool:
        """Whether nothing but a gap or an overlap is in the way, so that somebody may take it as it is."""
        return not self.fits and self.follower is not None and bool(self.gap)


def outcome(decided: Decided, seen: Seen, followers: Iterable[Follower], *, now: datetime) -> Outcome:
    """What the inventory shows of a decision at an instant."""
    if decided.choice is Choice.LAPSE:
        return _lapsed(decided, seen, now)
    if goes_on(decided, seen):
        return _same(decided, seen)
    near = [one for one in followers if abs(one.start_at - decided.end_at) <= NEAR]
    told = [_followed(decided, one) for one in near]
    if not told:
        return Outcome(False, UNPAID if seen.extension_pending and not seen.gone else NOTHING)
    return min(told, key=lambda one: (not one.fits, not one.only_gap, abs(one.gap), one.follower.external_id))  # type: ignore[union-attr]


def goes_on(decided: Decided, seen: Seen) -> bool:
    """Whether the same reservation goes on past its old end."""
    return not seen.gone and (seen.end_at is None or seen.end_at > decided.end_at)


def _lapsed(decided: Decided, seen: Seen, now: datetime) -> Outcome:
    if goes_on(decided, seen):
        return Outcome(False, "It was to lapse, and the inventory shows that it goes on.")
    if seen.gone or decided.end_at <= now:
        return Outcome(True, "It has lapsed.")
    if seen.extension_pending:
        return Outcome(False, "It was to lapse, and an extension waits for its payment.")
    return Outcome(False, f"It lapses {notation.instant(decided.end_at)}.")


def _same(decided: Decided, seen: Seen) -> Outcome:
    if _too_short(seen.end_at, decided.until_at):
        said = f"It goes on and {_ends(seen.end_at)}, and {_until(decided)} was decided"
        if seen.extension_pending:
            return Outcome(False, f"{said}: another extension waits for its payment.", waits=True)
        return Outcome(False, f"{said}.")
    if seen.nodes != decided.nodes:
        said = f"It goes on with {nodes_words(seen.nodes)}, and {nodes_words(decided.nodes)} were decided."
        return Outcome(False, said, waits=True)
    return Outcome(True, f"It goes on from its old end with {nodes_words(seen.nodes)} and {_ends(seen.end_at)}.")


def _followed(decided: Decided, one: Follower) -> Outcome:
    gap = one.start_at - decided.end_at
    if one.nodes != decided.nodes:
        return Outcome(
            False,
            f"{one.external_id} follows with {nodes_words(one.nodes)}, and {nodes_words(decided.nodes)} were decided.",
            one,
        )
    if _too_short(one.end_at, decided.until_at):
        return Outcome(
            False, f"{one.external_id} follows and {_ends(one.end_at)}, and {_until(decided)} was decided.", one
        )
    if gap:
        length = notation.duration(abs(gap))
        what = f"a gap of {length}" if gap > timedelta(0) else f"an overlap of {length}"
        side = "after" if gap > timedelta(0) else "before"
        return Outcome(False, f"{one.external_id} starts {length} {side} the old end: {what}.", one, gap)
    return Outcome(
        True, f"{one.external_id} starts at the old end with {nodes_words(one.nodes)}: no gap and no overlap.", one
    )


def _too_short(end: datetime | None, until: datetime | None) -> bool:
    if end is None:
        return False
    return until is None or end < until


def _ends(at: datetime | None) -> str:
    return "has no end" if at is None else f"ends {notation.instant(at)}"


def _until(decided: Decided) -> str:
    return "no end" if decided.until_at is None else notation.instant(decided.until_at)
