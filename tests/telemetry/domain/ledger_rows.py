"""Ledger hours for property tests: lawful ones, where the identities hold, and any at all."""

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from telemetry.domain.ledger import AMOUNTS, LedgerHour

NODES_MS = 8 * 3_600_000
OPTIONAL = tuple(name for name in AMOUNTS if name not in {"reserved", "paid"})


@st.composite
def any_row(draw: st.DrawFn, at: datetime) -> LedgerHour:
    amount = st.integers(-NODES_MS, NODES_MS)
    return LedgerHour(
        hour=at,
        reserved=draw(st.integers(0, NODES_MS)),
        paid=draw(st.integers(0, NODES_MS)),
        **{name: draw(st.none() | amount) for name in OPTIONAL},
        flags=tuple(draw(st.sets(st.sampled_from(["low_coverage", "second_source", "not_joined_below_0"])))),
        complete=draw(st.booleans()),
        final=draw(st.booleans()),
    )


@st.composite
def hours_in(draw: st.DrawFn, start: datetime, end: datetime, most: int = 30) -> list[LedgerHour]:
    count = int((end - start) / timedelta(hours=1))
    picked = draw(st.sets(st.integers(0, count - 1), max_size=most))
    return [draw(any_row(start.astimezone(UTC) + timedelta(hours=number))) for number in sorted(picked)]
