"""What people write down of a reservation: read whole, each fault in one sentence at its field."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.manual_entry import FIELDS, Entry, UnableToReadEntry, read_entry, written_entry

BERLIN = ZoneInfo("Europe/Berlin")
TEXTS = {
    "provider": "gcp",
    "id": "h100-train-1",
    "instance_type": "a3-megagpu-8g",
    "instances": "16",
    "start": "2026-05-01",
}


def read(**texts: str) -> Entry:
    return read_entry(TEXTS | texts, zone=UTC)


def test_the_least_that_must_be_written() -> None:
    entry = read()
    assert entry.sizes == ((datetime(2026, 5, 1, tzinfo=UTC), 16),)
    assert (entry.end_at, entry.usable_until, entry.gpus_per_instance, entry.upfront_fee) == (None, None, None, None)
    assert (entry.owner, entry.pool, entry.zone_id, entry.currency) == (None, None, "", "")


def test_all_that_may_be_written() -> None:
    entry = read(
        end="2027-05-01T12:00+02:00",
        usable_until="2027-05-01T09:30Z",
        gpus_per_instance="0.5",
        upfront_fee="120000.50",
        currency="USD",
        owner="serving",
        pool="h100",
        resizes="2026-09-01=12; 2026-11-01T10:00Z 0\n2026-12-01 20",
    )
    assert entry.end_at == datetime(2027, 5, 1, 10, tzinfo=UTC)
    assert (entry.gpus_per_instance, entry.upfront_fee) == (Decimal("0.5"), Decimal("120000.50"))
    assert [many for _, many in entry.sizes] == [16, 12, 0, 20]


def test_a_day_begins_at_midnight_of_the_zone() -> None:
    assert read_entry(TEXTS, zone=BERLIN).start_at == datetime(2026, 4, 30, 22, tzinfo=UTC)


@pytest.mark.parametrize(
    ("field", "text", "says"),
    [
        ("provider", "", "at most 16"),
        ("provider", "Google Cloud", "small letters"),
        ("id", "", "1 to 128"),
        ("id", "two words", "without spaces"),
        ("id", "x" * 129, "1 to 128"),
        ("id", "a\u202eb", "without spaces"),
        ("instance_type", "", "instance type"),
        ("instances", "0", "whole number"),
        ("instances", "1.5", "whole number"),
        ("instances", "١٦", "whole number"),
        ("instances", "9999999", "whole number"),
        ("gpus_per_instance", "0", "above 0"),
        ("gpus_per_instance", "8,5", "with a point"),
        ("zone", "US Central", "small letters"),
        ("start", "", "since when"),
        ("start", "1 May 2026", "neither a day"),
        ("start", "2026-02-30", "no day of the calendar"),
        ("start", "2026-05-01T10:00", "neither a day"),
        ("start", "0001-01-01", "1970 and 2199"),
        ("end", "2026-05-01", "after it starts"),
        ("usable_until", "2026-06-01", "Without an end"),
        ("upfront_fee", "-5", "digits"),
        ("upfront_fee", "1e9", "digits"),
        ("upfront_fee", "5", ""),
        ("currency", "usd", "not a currency"),
        ("resizes", "12", "no resize"),
        ("resizes", "2026-04-01 12", "after the start"),
        ("resizes", "2026-06-01 12; 2026-06-01 13", "after the start and after the one before"),
        ("owner", "x" * 81, "no owner"),
    ],
)
def test_each_fault_is_said_at_its_field(field: str, text: str, says: str) -> None:
    with pytest.raises(UnableToReadEntry) as raised:
        read(**{field: text})
    ((at, sentence),) = raised.value.problems.items()
    assert at == ("currency" if text == "5" else field)
    assert says in sentence
    assert sentence.endswith(".")


def test_what_works_must_work_within_its_term() -> None:
    for until, says in (("2026-04-30", "after its start"), ("2026-06-02", "after its end")):
        with pytest.raises(UnableToReadEntry, match=says):
            read(end="2026-06-01", usable_until=until)
    with pytest.raises(UnableToReadEntry, match="before the end"):
        read(end="2026-06-01", resizes="2026-06-01 3")


def test_all_faults_are_said_at_once() -> None:
    with pytest.raises(UnableToReadEntry) as raised:
        read_entry({}, zone=UTC)
    assert set(raised.value.problems) == {"provider", "id", "instance_type", "instances", "start"}


@given(
    start=st.integers(0, 40_000 * 1440),
    steps=st.lists(st.tuples(st.integers(1, 10**6), st.integers(0, 10**6)), max_size=4),
    ends=st.none() | st.integers(1, 10**7),
    fee=st.none() | st.decimals(0, 10**11, places=4),
    gpus=st.none() | st.decimals(Decimal("0.0001"), 9999, places=4),
    zone=st.sampled_from([UTC, BERLIN, ZoneInfo("Asia/Kathmandu")]),
)
def test_what_is_written_reads_back_as_it_was(
    start: int,
    steps: list[tuple[int, int]],
    ends: int | None,
    fee: Decimal | None,
    gpus: Decimal | None,
    zone: ZoneInfo,
) -> None:
    at = datetime(1990, 1, 1, tzinfo=UTC) + timedelta(minutes=start)
    sizes = [(at, 1)]
    for minutes, many in steps:
        sizes.append((sizes[-1][0] + timedelta(minutes=minutes), many))
    end = None if ends is None else sizes[-1][0] + timedelta(minutes=ends)
    entry = Entry(
        provider="gcp",
        external_id="x",
        shape="a3",
        gpus_per_instance=gpus,
        zone_id="",
        start_at=at,
        end_at=end,
        usable_until=end,
        upfront_fee=fee,
        currency="USD" if fee is not None else "",
        owner=None,
        pool="h100",
        sizes=tuple(sizes),
    )
    texts = written_entry(entry, zone=zone)
    assert tuple(texts) == FIELDS
    assert read_entry(texts, zone=zone) == entry
