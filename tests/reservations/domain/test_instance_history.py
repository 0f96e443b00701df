"""Spans of instances against a walk through all listings in order, whatever order they came in."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.instance_history import InstanceSpan, RunningInstance, spans_with

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
INSIDE, OUTSIDE = RunningInstance("i-0a", "p5.48xlarge", reservation_id="cr-0a"), RunningInstance("i-0a", "p5.48xlarge")

listings = st.dictionaries(st.integers(0, 12), st.sampled_from([INSIDE, OUTSIDE, None]), min_size=1)


def at(step: int) -> datetime:
    return NOON + timedelta(minutes=5 * step)


def walked(said: dict[int, RunningInstance | None]) -> list[tuple[RunningInstance, datetime, datetime]]:
    """Neighbouring listings that say the same are one span."""
    found: list[list] = []
    last = None
    for step in sorted(said):
        if said[step] is not None and said[step] == last:
            found[-1][2] = at(step)
        elif said[step] is not None:
            found.append([said[step], at(step), at(step)])
        last = said[step]
    return [tuple(one) for one in found]


@given(said=listings, data=st.data())
def test_listings_in_any_order_give_the_spans_of_a_walk_through_them_in_order(
    said: dict[int, RunningInstance | None], data: st.DataObject
) -> None:
    spans: tuple[InstanceSpan, ...] = ()
    known: list[int] = []
    for step in data.draw(st.permutations(sorted(said))):
        spans = spans_with(
            spans,
            said=said[step],
            at=at(step),
            before=max((at(one) for one in known if one < step), default=None),
            after=min((at(one) for one in known if one > step), default=None),
        )
        known.append(step)
    assert [(one.instance, one.seen_from, one.seen_until) for one in spans] == walked(said)
