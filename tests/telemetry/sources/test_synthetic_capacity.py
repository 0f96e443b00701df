"""The demo fleet's reservations: EC2's view, the sweeps and the nodes in the telemetry are one truth."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from reservations.domain.listing import Listed
from reservations.domain.period import Period
from telemetry.domain.sweep import RegionQuestion
from telemetry.sources.ec2 import fetch as fetch_ec2
from telemetry.sources.synthetic.capacity import blocks_at, reservations_at, sweep, sweeps
from telemetry.sources.synthetic.endpoint import Endpoint, RegionWorld, serving
from telemetry.sources.synthetic.nodes import _machine, stock
from telemetry.sources.synthetic.story import BLOCKS, POOLS, world_at
from tests.telemetry.sources.ec2_world import real_client
from tests.telemetry.sources.fleet_worlds import URL, at, nodes, scraped

WORLD = world_at(URL)
BLOCK_ENDS = datetime(2026, 5, 20, 11, 30, tzinfo=UTC)
MOMENTS = [at(0, 9), at(-4, 20), at(-7, 12), at(2, 11.25), at(2, 11.5), at(3), at(-29), at(10)]


def listed(moment: datetime, pool: str) -> dict[str, Listed]:
    found = {one.external_id: one for one in sweep(WORLD, "demo", moment).listed}
    return {name: one for name, one in found.items() if one.tags["pool"] == pool}


@pytest.mark.parametrize("moment", MOMENTS)
def test_ec2_read_over_http_says_what_the_sweep_says(moment: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    real_client(monkeypatch)
    world = RegionWorld(reservations=reservations_at(WORLD, moment), blocks=blocks_at(WORLD, moment))
    with serving(Endpoint(lambda region, account: world)) as url:
        question = RegionQuestion("demo", "111122223333", "us-east-1", moment, endpoint_url=url)
        read = fetch_ec2(question)
    assert (read.complete, read.error) == (True, "")
    told = {one.arn: one for one in sweep(WORLD, "demo", moment).listed}
    assert {one.arn: replace(one, raw={}, usage_by_account=None) for one in read.listed} == told


def test_free_slots_are_the_seats_without_a_machine() -> None:
    hour = at(-7, 10)
    free = next(iter(listed(hour + timedelta(minutes=30), "notebooks-a100").values()))
    present = [node for node in nodes(hour, "notebooks-a100") if len(scraped(node.presence, hour)) == 12]
    assert (free.total_count, free.available_count) == (10, 10 - len(present))


def test_the_block_of_this_week_ends_at_half_past_eleven_and_is_gone() -> None:
    def state(moment: datetime) -> list[tuple[str, int | None]]:
        ends = [one for one in listed(moment, "sprint-b200").values() if one.end_at == BLOCK_ENDS]
        return [(one.state_raw, one.available_count) for one in ends]

    assert state(BLOCK_ENDS - timedelta(minutes=35)) == [("active", 0)]
    assert state(BLOCK_ENDS - timedelta(minutes=5)) == [("active", 0)]
    assert state(BLOCK_ENDS) == [("expired", None)]
    assert state(BLOCK_ENDS + timedelta(days=3)) == []
    last = BLOCK_ENDS.replace(minute=0)
    assert all(len(scraped(node.presence, last)) == 0 for node in nodes(last, "sprint-b200"))


def test_the_next_block_is_bought_but_has_no_size_yet() -> None:
    ahead = [one for one in listed(at(0), "sprint-b200").values() if one.state_raw == "scheduled"]
    assert [(one.total_count, one.planned_count) for one in ahead] == [(0, 4)]


def test_serving_grew_in_the_middle_of_the_month() -> None:
    grew = datetime(2026, 5, 11, 10, 20, tzinfo=UTC)
    sizes = [next(iter(listed(grew + timedelta(minutes=minutes), "serving-h100").values())) for minutes in (-5, 0, 15)]
    assert [(one.total_count, one.available_count) for one in sizes] == [(8, 0), (10, 2), (10, 0)]


def test_sweeps_come_every_five_minutes_of_a_period() -> None:
    told = list(sweeps(WORLD, "demo", Period(at(0), at(0, 1))))
    assert [one.as_of for one in told] == [at(0) + timedelta(minutes=5 * step) for step in range(12)]
    assert all(one.complete for one in told)


def test_between_two_changes_nothing_changes() -> None:
    """The machines of a moment are read from the last change before it; here every five minutes is asked itself."""
    start = int(at(-5).timestamp() * 1000)
    for pool in POOLS:
        for step in range(3 * 288):
            moment = start + step * 300_000
            there = stock(WORLD, pool, moment)
            itself = [_machine(WORLD, pool, seat, moment) for seat in range(there.size)]
            assert [(m.name, m.joined) for m in there.machines] == [(m.name, m.joined) for m in itself if m]


@pytest.mark.parametrize("ahead", range(0, 400, 5))
def test_every_quarter_of_whole_months_has_four_weeks_of_blocks(ahead: int) -> None:
    anchor = date(2026, 1, 1) + timedelta(days=ahead)
    months = [anchor.replace(day=1)]
    while len(months) < 4:
        months.append((months[-1] - timedelta(days=1)).replace(day=1))
    first, end = (-(anchor - month).days for month in (months[-1], months[0]))
    spans = [(max(first, last - length), min(end, last)) for last, length in BLOCKS]
    assert sum(max(0, until - since) for since, until in spans) >= 28 + 1  # a day more, for where hours begin and end
