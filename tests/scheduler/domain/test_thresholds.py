from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.alert.thresholds import (
    UnableToFindThreshold,
    UnableToReadThreshold,
    Why,
    read,
    shown,
    threshold_named,
    thresholds_of,
    with_values,
)


@dataclass(frozen=True, slots=True)
class Limits:
    lasts: Annotated[timedelta, Why("It lasts.", timedelta(0), timedelta(days=30))] = timedelta(hours=1)
    share: Annotated[Decimal, Why("It is a part.", Decimal(0), Decimal(1))] = Decimal("0.15")
    nodes: Annotated[int, Why("They are many.", 1, 10_000)] = 3


LASTS, SHARE, NODES = thresholds_of(Limits())


def test_each_is_told_with_its_kind_and_its_reason() -> None:
    assert [(one.name, one.kind, one.why.reason) for one in (LASTS, SHARE, NODES)] == [
        ("lasts", "length", "It lasts."),
        ("share", "share", "It is a part."),
        ("nodes", "count", "They are many."),
    ]


@pytest.mark.parametrize(
    ("written", "length"),
    [
        ("90 min", timedelta(minutes=90)),
        ("90min", timedelta(minutes=90)),
        (" 24 h ", timedelta(hours=24)),
        ("1.5 h", timedelta(minutes=90)),
        ("14 d", timedelta(days=14)),
        ("0 min", timedelta(0)),
    ],
)
def test_a_length_is_read_in_minutes_hours_or_days(written: str, length: timedelta) -> None:
    assert read(written, LASTS) == length


@pytest.mark.parametrize("written", ["", "90", "an hour", "-5 min", "5 weeks", "1e3 h", "31 d", "١ h"])
def test_what_is_no_length_or_out_of_bounds_is_refused_in_one_sentence(written: str) -> None:
    with pytest.raises(UnableToReadThreshold, match=r"^lasts (is a length of time,|must lie between) "):
        read(written, LASTS)


@pytest.mark.parametrize(("written", "share"), [("15 %", "0.15"), ("15%", "0.15"), ("0.15", "0.15"), ("100 %", "1")])
def test_a_share_is_read_as_per_cent_or_as_a_ratio(written: str, share: str) -> None:
    assert read(written, SHARE) == Decimal(share)


@pytest.mark.parametrize("written", ["15", "101 %", "-1 %", "NaN", "much", "1e-2"])
def test_what_is_no_share_is_refused(written: str) -> None:
    with pytest.raises(UnableToReadThreshold, match=r"^share "):
        read(written, SHARE)


@pytest.mark.parametrize("written", ["0", "3.5", "-3", "10001", "three"])
def test_what_is_no_count_is_refused(written: str) -> None:
    with pytest.raises(UnableToReadThreshold, match=r"^nodes "):
        read(written, NODES)


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnableToFindThreshold, match="did you mean “share”"):
        threshold_named(Limits(), "shares")


@given(minutes=st.integers(0, 30 * 1440), per_mille=st.integers(0, 1000), nodes=st.integers(1, 10_000))
def test_what_is_shown_is_read_back_as_the_same(minutes: int, per_mille: int, nodes: int) -> None:
    length, share = timedelta(minutes=minutes), Decimal(per_mille) / 1000

    assert read(shown(length), LASTS) == length
    assert read(shown(share), SHARE) == share
    assert read(shown(nodes), NODES) == nodes


def test_what_was_set_takes_the_place_of_a_default_and_what_is_not_understood_does_not() -> None:
    limits = with_values(Limits(), {"lasts": "2 h", "share": "lots", "gone": "3", "nodes": ""})

    assert limits == Limits(lasts=timedelta(hours=2))
