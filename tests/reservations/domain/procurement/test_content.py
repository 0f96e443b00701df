"""What is frozen reads back as it was, what is typed reads as it is said, and purchases find their approvals."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.procurement.content import (
    MATERIAL,
    RequestContent,
    canonical_content,
    content_hash,
    content_of,
    edit,
)
from reservations.domain.procurement.exception_type import ExceptionType
from reservations.domain.procurement.lapse import price_move_share, why_lapsed
from reservations.domain.procurement.matching import Approved, Bought, Fate, matches
from reservations.domain.procurement.typed import read_amount, request_content, typed_of
from reservations.domain.procurement.working_days import due_after, working_days_later

texts = st.text(st.characters(min_codepoint=33, max_codepoint=0x2FFF, exclude_categories=["Cs", "Cc"]), max_size=40)
days = st.dates(date(2026, 1, 1), date(2030, 1, 1))
contents = st.builds(
    RequestContent,
    kind=st.just(ExceptionType.OVER_RULE),
    pool=texts.map(lambda text: f"p{text}".strip()),
    shape=texts.map(lambda text: f"s{text}".strip()),
    nodes=st.integers(0, 100_000),
    term_start=days,
    term_end=days.map(lambda day: day + timedelta(days=2000)),
    amount=st.decimals(0, 10**12, places=2),
    currency=st.sampled_from(["USD", "EUR", "JPY"]),
    reason=texts.map(lambda text: f"A reason of twenty characters {text}".strip()),
    consequence=texts.map(lambda text: f"it fails {text}".strip()),
    expected_busy_share=st.none() | st.decimals(0, 1, places=4),
    review_on=st.none() | days,
    confidential=st.booleans(),
    answers=texts.map(lambda text: {"demand_ahead": f"yes {text}".strip()}),
)


@given(contents)
def test_what_is_frozen_reads_back_as_it_was_and_a_revision_begins_with_it(content: RequestContent) -> None:
    text = canonical_content(content, attachments=["a"], evidence_hash="b")

    assert content_of(text) == content
    assert content_hash(text) == content_hash(canonical_content(content_of(text), attachments=["a"], evidence_hash="b"))
    again = request_content(typed_of(content))
    assert replace(again, answers={}) == replace(content, answers={})


@given(contents, contents)
def test_every_difference_is_material_or_minor_and_a_rising_amount_is_never_minor(
    before: RequestContent, after: RequestContent
) -> None:
    found = edit(before, after)

    differing = {name for name in RequestContent.__slots__ if getattr(before, name) != getattr(after, name)}
    assert set(found.material) | set(found.minor) == differing
    assert not set(found.material) & set(found.minor)
    assert set(MATERIAL) & differing <= set(found.material)
    assert ("amount" in found.material) == (after.amount > before.amount)


@pytest.mark.parametrize("text", ["1,000", "1.000,50", "$5", "5 USD", "", "-1", "1e5", "٥", "0.001", "9" * 15])
def test_an_amount_is_digits_and_a_point_and_nothing_is_guessed(text: str) -> None:
    with pytest.raises(ValueError, match="write digits and a point"):
        read_amount(text)


@given(st.dates(date(2020, 1, 1), date(2030, 1, 1)), st.integers(1, 15))
def test_working_days_are_counted_without_week_ends(day: date, count: int) -> None:
    end = working_days_later(day, count)

    between = [day + timedelta(days=n) for n in range(1, (end - day).days + 1)]
    assert sum(one.isoweekday() <= 5 for one in between) == count
    assert end.isoweekday() <= 5
    assert due_after(datetime(2026, 3, 6, 12, tzinfo=UTC), 2, UTC) == datetime(2026, 3, 11, tzinfo=UTC)


def test_an_approval_lapses_at_its_instant_after_its_day_and_beyond_its_price() -> None:
    now, limit = datetime(2026, 3, 2, tzinfo=UTC), Decimal("0.05")
    said = {"now": now, "today": now.date(), "limit": limit}

    assert not why_lapsed(valid=now + timedelta(seconds=1), decide_by=now.date(), moved=limit, **said)
    assert "valid until" in why_lapsed(valid=now, decide_by=None, moved=None, **said)
    assert "has passed" in why_lapsed(valid=None, decide_by=date(2026, 3, 1), moved=None, **said)
    assert "price moved by 5.1" in why_lapsed(valid=None, decide_by=None, moved=Decimal("0.051"), **said)
    assert price_move_share(Decimal(100), Decimal(94)) == Decimal("0.06")
    assert price_move_share(Decimal(100), None) is None


def bought(number: int, **said: object) -> Bought:
    plain = Bought(number, f"cr-{number}", 1, "p5", 4, date(2026, 4, 1), date(2026, 10, 1))
    return replace(plain, **said)  # type: ignore[arg-type]


APPROVED = Approved(7, 1, "p5", 4, date(2026, 4, 1), date(2026, 10, 1))


@pytest.mark.parametrize(
    ("held", "fate", "differs"),
    [
        (bought(1), Fate.BOUGHT_AS_APPROVED, ()),
        (bought(1, start=date(2026, 4, 3)), Fate.BOUGHT_AS_APPROVED, ()),
        (bought(1, nodes=5), Fate.BOUGHT_OTHERWISE, ("5 nodes instead of 4",)),
        (bought(1, end=None), Fate.BOUGHT_OTHERWISE, ("without an end instead of until 2026-10-01",)),
        (bought(1, shape="p4"), Fate.BOUGHT_OTHERWISE, ("p4 instead of p5",)),
    ],
)
def test_a_purchase_is_held_against_what_was_approved(held: Bought, fate: Fate, differs: tuple[str, ...]) -> None:
    (match,) = matches([APPROVED], [held])

    assert (match.fate, match.differences) == (fate, differs)


@given(
    st.lists(st.tuples(st.integers(1, 2), st.integers(3, 5)), max_size=4),
    st.lists(st.tuples(st.integers(1, 2), st.integers(3, 5)), max_size=4),
    st.sets(st.integers(0, 3)),
)
def test_every_approval_and_every_purchase_is_told_of_exactly_once(
    asked: list[tuple[int, int]], held: list[tuple[int, int]], known: set[int]
) -> None:
    approvals = [replace(APPROVED, request_id=n, pool_id=pool, nodes=nodes) for n, (pool, nodes) in enumerate(asked)]
    purchases = [bought(n, pool_id=pool, nodes=nodes) for n, (pool, nodes) in enumerate(held)]

    found = matches(approvals, purchases, known)

    assert [one.approved.request_id for one in found if one.approved] == [one.request_id for one in approvals]
    told = [one.bought.reservation_id for one in found if one.bought]
    assert len(told) == len(set(told))
    unapproved = {one.bought.reservation_id for one in found if one.fate is Fate.UNAPPROVED_PURCHASE and one.bought}
    assert not unapproved & known
    assert set(range(len(held))) - set(told) <= known
