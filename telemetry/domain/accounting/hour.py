"""The ledger row of one pool and hour, out of what was reserved and what was sampled (docs/ledger.md)."""

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from reservations.domain.held import Held, PoolShape
from reservations.domain.period import epoch_ms, hour_period
from telemetry.domain.accounting.allocated import account_allocation
from telemetry.domain.accounting.asked import asked_hour
from telemetry.domain.accounting.attribution import Attribution
from telemetry.domain.accounting.behind import details_of
from telemetry.domain.accounting.flags import flagged
from telemetry.domain.accounting.gpus import account_gpus
from telemetry.domain.accounting.node import Rules, gpus_of, physical_spans, presence
from telemetry.domain.accounting.pace import check_pace
from telemetry.domain.accounting.silence import LARGEST_SILENT_PERCENT, Presences, silent_ms
from telemetry.domain.accounting.tally import NANO, Tally
from telemetry.domain.details import NO_DETAILS, SILENT, HourDetails
from telemetry.domain.ledger import LedgerHour, QueueHour
from telemetry.domain.reserved import ReservedHour, latest_usable_ms, reserved_hour
from telemetry.domain.sample import HourUsage, NodeUsage


@dataclass(frozen=True, slots=True)
class Threshold:
    """θ: SM activity from which a device counts as busy, 0–1."""

    share: Decimal

    @classmethod
    def of(cls, share: Decimal | None) -> "Threshold":
        """θ as a source states it, else the usual 0.05."""
        return cls(Decimal("0.05") if share is None else share)

    @property
    def nano(self) -> int:
        """θ in billionths."""
        return int((self.share * NANO).to_integral_value())


def ledger_hour(
    *,
    hour: datetime,
    pool: PoolShape,
    held: Sequence[Held],
    usage: HourUsage | None,
    threshold: Threshold,
) -> tuple[LedgerHour, HourDetails]:
    """One row and what stands behind it, in whole GPU-milliseconds; ``usage`` None: the pool has no telemetry at all.

    Reads ``usage.nodes`` once, so it raises what their source raises (UnableToFetch) and then there is no row.
    """
    promised = reserved_hour(held, hour_period(hour), pool.gpus_per_node)
    if usage is None:
        return _without_nodes(hour, promised, "no_metrics_source", "the pool has no metrics source"), NO_DETAILS
    tally, silent = _tally(pool, held, usage, threshold)
    if not usage.node_data:
        row = _without_nodes(hour, promised, "no_node_data", "the metrics source knows no node with a GPU count")
        return _with_warnings(row, usage), NO_DETAILS
    if silent > 2 * usage.state_step_ms:
        tally.flag("node_data_gap", f"nobody spoke about nodes for {silent // 1000} s of the hour")
    if silent * 100 > usage.period.length_ms * LARGEST_SILENT_PERCENT:
        row = _without_nodes(hour, promised, "node_data_gap", tally.notes["node_data_gap"])
        return _with_warnings(row, usage), NO_DETAILS
    row = _row(hour, promised, usage, tally)
    return row, dataclasses.replace(details_of(row, tally), asked=asked_hour(usage, pool.queues, tally))


def _without_nodes(hour: datetime, promised: ReservedHour, flag: str, note: str) -> LedgerHour:
    return LedgerHour(
        hour=hour,
        reserved=promised.reserved,
        paid=promised.paid,
        ec2_unused=promised.ec2_unused,
        not_observed=0 if promised.ec2_unused is not None else None,
        flags=(flag,),
        notes=((flag, note),),
    )


def _with_warnings(row: LedgerHour, usage: HourUsage) -> LedgerHour:
    if not usage.warnings:
        return row
    notes = (*row.notes, ("partial_answer", usage.warnings[0]))
    return dataclasses.replace(row, flags=(*row.flags, "partial_answer"), notes=notes, complete=False)


def _tally(pool: PoolShape, held: Sequence[Held], usage: HourUsage, threshold: Threshold) -> tuple[Tally, int]:
    """The sums over all nodes, and for how many ms of the hour nobody spoke about any."""
    tally, presences = Tally(), Presences.of(usage)
    hour = (usage.period.start_ms, usage.period.end_ms)
    rules = Rules(
        hour=hour,
        step_ms=usage.step_ms,
        state_step_ms=usage.state_step_ms,
        gpus_per_node=pool.gpus_per_node,
        threshold_nano=threshold.nano,
        attribution=Attribution(usage, expects_queues=bool(pool.queues), hour=hour),
    )
    usable_until = _usable_until(held)
    for node in usage.nodes:
        presences.add(node.presence)
        check_pace(node, usage, tally)
        here = presence(node, rules, usable_until(node.match_value), tally)
        physical = physical_spans(node, here, rules, tally)
        before, tally.node = tally.sums(), node.node
        tally.expected += sum(int((b - a) * size) for a, b, size in physical)
        account_gpus(gpus_of(node, tally), physical, rules, tally)
        account_allocation(node, physical, rules, tally)
        _keep_suspects(node, usage, tally)
        if here:
            tally.add_node(before)
    return tally, silent_ms(presences, usage) if usage.node_data else 0


def _keep_suspects(node: NodeUsage, usage: HourUsage, tally: Tally) -> None:
    for device in node.devices if usage.suspects else ():
        if device.uuid in usage.suspects:
            tally.suspect(device.uuid, SILENT, usage.suspects[device.uuid])


def _usable_until(held: Sequence[Held]) -> Callable[[str], int | None]:
    """A node's usable end: of the reservation its label names, else of the pool's last one."""
    latest = latest_usable_ms(held)
    ends = {one.external_id: one.usable_until or one.end_at for one in held}

    def of(match_value: str) -> int | None:
        if match_value not in ends:
            return latest
        end = ends[match_value]
        return None if end is None else epoch_ms(end)

    return of


def _row(hour: datetime, promised: ReservedHour, usage: HourUsage, tally: Tally) -> LedgerHour:
    observed = promised.ec2_unused is not None
    measured = usage.sm_exported and (tally.known > 0 or tally.expected == 0)
    split = measured and usage.pod_labels_exported
    idle = tally.known - tally.busy
    row = LedgerHour(
        hour=hour,
        reserved=promised.reserved,
        paid=promised.paid,
        ec2_unused=promised.ec2_unused,
        expected=tally.expected,
        not_joined=promised.reserved - promised.ec2_unused - tally.expected
        if promised.ec2_unused is not None
        else None,
        not_observed=0 if observed else promised.reserved - tally.expected,
        known=tally.known,
        unknown=tally.expected - tally.known,
        busy=tally.busy if measured else None,
        sm=tally.sm_nano // NANO if measured else None,
        idle=idle if measured else None,
        idle_held=tally.idle_held if split else None,
        idle_free=tally.idle_free if split else None,
        allocated=tally.allocated if usage.allocation_data else None,
        owner_busy=_busy_in_role("owner_busy", tally) if measured else None,
        borrower_busy=_busy_in_role("borrower_busy", tally) if measured else None,
        unmanaged_busy=_busy_in_role("unmanaged_busy", tally) if measured else None,
        unattributed_busy=_busy_in_role("unattributed_busy", tally) if measured else None,
        queues=_queue_rows(usage, tally, measured=measured),
    )
    return flagged(row, usage, tally)


def _busy_in_role(role: str, tally: Tally) -> int:
    return sum(getattr(queue, role) for queue in tally.queues.values())


def _queue_rows(usage: HourUsage, tally: Tally, *, measured: bool) -> tuple[QueueHour, ...]:
    return tuple(
        QueueHour(
            cluster_queue=name,
            allocated=queue.allocated if usage.allocation_data else None,
            owner_busy=queue.owner_busy if measured else None,
            borrower_busy=queue.borrower_busy if measured else None,
            unmanaged_busy=queue.unmanaged_busy if measured else None,
            unattributed_busy=queue.unattributed_busy if measured else None,
        )
        for name, queue in sorted(tally.queues.items())
    )
