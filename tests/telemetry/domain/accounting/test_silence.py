"""A source that falls silent about nodes is not a pool that empties."""

from dataclasses import replace

from telemetry.domain.ledger import LedgerHour
from telemetry.domain.sample import NodeUsage, Samples
from tests.telemetry.domain.accounting.hours import HOUR, PERIOD, gpu, node, row_of, steady, usage

MINUTE = 60_000


def seen(*parts: tuple[float, float]) -> Samples:
    return tuple(sample for start, end in parts for sample in steady(1, start, end))


def all_hour() -> tuple[tuple[int, int], ...]:
    return ((PERIOD.start_ms, PERIOD.end_ms),)


def row_with(*presences: Samples, **changes: object) -> LedgerHour:
    """Nodes seen as told by a source that spoke of no other node either, unless a test changes that."""
    nodes: list[NodeUsage] = [
        replace(node(gpu(f"G{i}"), capacity=1), node=f"n{i}", presence=presence) for i, presence in enumerate(presences)
    ]
    return row_of(usage(*nodes, **{"wordless_spans": all_hour, **changes}))


def test_nodes_that_all_vanish_and_return_make_a_long_silence_unknown() -> None:
    row = row_with(seen((-1, 10), (30, 61)), seen((-1, 10), (30, 61)))
    assert (row.expected, row.known, row.busy, row.not_joined, row.allocated) == (None,) * 5
    assert row.reserved == 4 * HOUR
    assert row.flags == ("node_data_gap",)


def test_a_whole_dark_hour_between_two_lit_ones_is_unknown() -> None:
    assert row_with(seen((-1, 0), (60, 61))).expected is None


def test_a_short_silence_is_flagged_and_counts_as_not_joined() -> None:
    row = row_with(seen((-1, 10), (15, 61)))
    assert row.expected == HOUR - 5 * MINUTE
    assert "node_data_gap" in row.flags


def test_the_only_node_of_a_pool_that_reboots_is_no_silence_while_other_pools_are_spoken_of() -> None:
    row = row_with(seen((-1, 20), (40, 61)), wordless_spans=tuple)
    assert (row.expected, row.known) == (HOUR * 2 // 3, HOUR * 2 // 3)
    assert row.not_joined == 4 * HOUR - HOUR * 2 // 3
    assert "node_data_gap" not in row.flags


def test_only_the_part_in_which_nobody_was_spoken_of_is_silence() -> None:
    def wordless() -> tuple[tuple[int, int], ...]:
        return ((PERIOD.start_ms + 25 * MINUTE, PERIOD.start_ms + 29 * MINUTE),)

    row = row_with(seen((-1, 20), (40, 61)), wordless_spans=wordless)
    assert row.expected == HOUR * 2 // 3
    assert "for 240 s" in dict(row.notes)["node_data_gap"]


def test_a_node_that_leaves_or_comes_back_while_others_stay_is_no_silence() -> None:
    row = row_with(seen((-1, 10), (40, 61)), seen((-1, 61)))
    assert row.expected == HOUR + HOUR // 2
    assert "node_data_gap" not in row.flags


def test_a_pool_that_empties_or_fills_is_no_silence() -> None:
    assert row_with(seen((-1, 15))).expected == HOUR // 4
    assert row_with(seen((45, 61))).expected == HOUR // 4


def test_a_source_that_scrapes_less_often_than_it_says_is_told_and_not_final() -> None:
    slow = tuple(steady(1)[::2])
    row = row_with(slow, wordless_spans=tuple)
    assert "scrape_interval_wrong" in row.flags
    assert not row.complete
    assert "every 60 s, the source says 30 s" in dict(row.notes)["scrape_interval_wrong"]
    lost_now_and_then = tuple(sample for i, sample in enumerate(steady(1)) if i % 4)
    assert "scrape_interval_wrong" not in row_with(lost_now_and_then, wordless_spans=tuple).flags


def test_a_source_that_knows_it_was_down_is_believed() -> None:
    def dark() -> tuple[tuple[int, int], ...]:
        return ((PERIOD.start_ms + 40 * MINUTE, PERIOD.end_ms),)

    assert row_with(seen((-1, 40)), dark_spans=dark).expected is None


def test_a_source_is_not_asked_whether_it_was_down_while_nodes_were_seen_all_the_time() -> None:
    def never() -> tuple[tuple[int, int], ...]:
        raise AssertionError("asked")

    assert row_with(seen((-1, 61)), dark_spans=never).expected == HOUR
