"""What a ledger row says about itself: one sentence for each thing a reader must know before the numbers."""

import dataclasses
from collections.abc import Iterator

from telemetry.domain.accounting.behind import suspicion
from telemetry.domain.accounting.tally import Tally
from telemetry.domain.ledger import LedgerHour
from telemetry.domain.sample import HourUsage


def flagged(row: LedgerHour, usage: HourUsage, tally: Tally) -> LedgerHour:
    """The row with its flags and their sentences; partial answers and a wrong interval make it incomplete."""
    notes = dict(tally.notes)
    for flag, note in (*_unknowns(row, usage), *_doubts(row, usage, tally)):
        notes.setdefault(flag, note)
    return dataclasses.replace(
        row, flags=tuple(sorted(notes)), notes=tuple(sorted(notes.items())), complete=_is_whole(notes, usage)
    )


def _is_whole(notes: dict[str, str], usage: HourUsage) -> bool:
    return not usage.warnings and "scrape_interval_wrong" not in notes


def _unknowns(row: LedgerHour, usage: HourUsage) -> Iterator[tuple[str, str]]:
    if row.not_observed is not None and row.ec2_unused is None:
        yield "reservation_unobserved", "EC2 was not asked often enough in this hour: free slots are unknown"
    if not usage.sm_exported:
        yield "sm_not_exported", "the SM activity metric is not exported: busy and idle are unknown, not zero"
    elif row.busy is None:
        yield "no_valid_sample", "not one valid SM activity sample: busy and idle are unknown, not zero"
    elif not usage.pod_labels_exported:
        yield "pod_labels_not_exported", "the exporter gives no pod labels: idle can't be told held from free"


def _doubts(row: LedgerHour, usage: HourUsage, tally: Tally) -> Iterator[tuple[str, str]]:
    if usage.node_match and row.expected == 0 and row.reserved and row.launched != 0:
        yield "no_node_matches", f"no node carries {usage.node_match}: nothing of what was reserved is expected"
    if row.not_joined is not None and row.not_joined < 0:
        yield "not_joined_negative", "more GPUs were on joined nodes than the reservations had launched"
    # The exporter's label lags behind a pod that ended, by a step or two.
    if row.allocated is not None and tally.labelled > row.allocated + row.allocated // 20 + 2 * usage.step_ms:
        yield "allocated_below_held", "devices carried pods that no GPU request names (claims): allocated is too low"
    if tally.doubtful():
        yield "suspect", suspicion(tally)
    if usage.warnings:
        yield "partial_answer", usage.warnings[0]
