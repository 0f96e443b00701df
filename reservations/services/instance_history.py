"""Listings of running instances become spans; any order of sweeps gives the same (docs/double-pay.md#what-is-seen)."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime

from django.db import connection

from reservations.domain.instance_history import InstanceSpan, Lifecycle, RunningInstance, spans_with
from reservations.domain.listing import Sweep
from reservations.models import Account, SyncRun
from reservations.models import InstanceSpan as SpanRow

BATCH = 2000
FACTS = tuple(field.name for field in fields(RunningInstance))
Spans = dict[tuple[str, str], tuple[InstanceSpan, ...]]

# A shape's neighbouring listings outside a batch: each is one step into the index of runs.
NEIGHBOURS = """
SELECT asked.shape, earlier.as_of, later.as_of
FROM unnest(%(shapes)s::text[]) asked (shape)
LEFT JOIN LATERAL (
    SELECT as_of FROM reservations_syncrun
    WHERE account_id = %(account)s AND region = %(region)s AND as_of < %(first)s AND asked.shape = ANY (instance_shapes)
    ORDER BY as_of DESC LIMIT 1
) earlier ON true
LEFT JOIN LATERAL (
    SELECT as_of FROM reservations_syncrun
    WHERE account_id = %(account)s AND region = %(region)s AND as_of > %(last)s AND asked.shape = ANY (instance_shapes)
    ORDER BY as_of LIMIT 1
) later ON true
"""


def record_instances(*, sweeps: Sequence[Sweep]) -> None:
    """Store which instances complete sweeps saw run; a shape listed at an instant once stands as it was.

    Within the transaction and under the lock of ``record_sweeps``, whose runs must be stored already.
    """
    accounts = dict(Account.objects.values_list("name", "pk"))
    by_region: dict[tuple[int, str], list[Sweep]] = defaultdict(list)
    for sweep in sorted(sweeps, key=lambda sweep: sweep.as_of):
        if sweep.complete and sweep.instance_shapes:
            by_region[accounts[sweep.account], sweep.region].append(sweep)
    for (account_id, region), some in by_region.items():
        _record_region(account_id, region, some)


def forget_instances(*, before: datetime) -> int:
    """Delete the spans of instances that were last seen before an instant, and say how many; safe to repeat."""
    forgotten, _ = SpanRow.objects.filter(seen_until__lt=before).delete()
    return forgotten


def _record_region(account_id: int, region: str, sweeps: Sequence[Sweep]) -> None:
    shapes = sorted({shape for sweep in sweeps for shape in sweep.instance_shapes})
    listed = _listed(account_id, region, sweeps)
    instants = _instants(account_id, region, shapes, sweeps, listed)
    near = [at for some in instants.values() for at in (*some, sweeps[0].as_of, sweeps[-1].as_of)]
    rows = SpanRow.objects.filter(
        account_id=account_id, region=region, shape__in=shapes, seen_until__gte=min(near), seen_from__lte=max(near)
    )
    spans: Spans = {}
    stored = {}
    for row in rows.order_by("seen_from"):
        span = _span(row)
        stored[span.instance.key, span.seen_from] = (row.pk, span)
        spans[span.instance.key] = (*spans.get(span.instance.key, ()), span)
    for sweep in sweeps:
        _take(sweep, spans, instants)
    _store(account_id, region, spans, stored)
    _mark(account_id, region, sweeps, listed)


def _listed(account_id: int, region: str, sweeps: Sequence[Sweep]) -> dict[datetime, list[str]]:
    """Which shapes were listed at the instants a batch spans."""
    runs = SyncRun.objects.filter(
        account_id=account_id,
        region=region,
        as_of__range=(sweeps[0].as_of, sweeps[-1].as_of),
        instance_shapes__isnull=False,
    )
    return {at: shapes or [] for at, shapes in runs.values_list("as_of", "instance_shapes")}


def _instants(
    account_id: int, region: str, shapes: list[str], sweeps: Sequence[Sweep], listed: dict[datetime, list[str]]
) -> dict[str, list[datetime]]:
    """The instants at which each shape was listed, within a batch and next to it, in order."""
    asked = {
        "account": account_id,
        "region": region,
        "shapes": shapes,
        "first": sweeps[0].as_of,
        "last": sweeps[-1].as_of,
    }
    with connection.cursor() as cursor:
        cursor.execute(NEIGHBOURS, asked)
        ends = {shape: [at for at in around if at] for shape, *around in cursor.fetchall()}
    return {shape: sorted({*ends[shape], *(at for at, some in listed.items() if shape in some)}) for shape in shapes}


def _take(sweep: Sweep, spans: Spans, instants: dict[str, list[datetime]]) -> None:
    """One sweep's word on every instance of the shapes that it is the first to list at its instant."""
    said = {instance.key: instance for instance in sweep.instances}
    for shape in sweep.instance_shapes:
        known = instants[shape]
        place = bisect_left(known, sweep.as_of)
        after = known[place] if place < len(known) else None
        if after == sweep.as_of:
            continue
        before = known[place - 1] if place else None
        concerned = {key for key in said if key[1] == shape}
        if after is not None:  # only then can a span lie around it
            concerned |= {key for key in spans if key[1] == shape}
        for key in concerned:
            spans[key] = spans_with(spans.get(key, ()), said=said.get(key), at=sweep.as_of, before=before, after=after)
        known.insert(place, sweep.as_of)


def _store(
    account_id: int,
    region: str,
    spans: Spans,
    stored: dict[tuple[tuple[str, str], datetime], tuple[int, InstanceSpan]],
) -> None:
    now = {(span.instance.key, span.seen_from): span for some in spans.values() for span in some}
    SpanRow.objects.filter(pk__in=[pk for key, (pk, _) in stored.items() if key not in now]).delete()
    SpanRow.objects.bulk_create(
        [
            SpanRow(
                account_id=account_id,
                region=region,
                seen_from=span.seen_from,
                seen_until=span.seen_until,
                **{name: getattr(span.instance, name) for name in FACTS},
            )
            for key, span in now.items()
            if key not in stored or stored[key][1] != span
        ],
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["account", "region", "instance_id", "shape", "seen_from"],
        update_fields=["seen_until", *(name for name in FACTS if name not in {"instance_id", "shape"})],
    )


def _mark(account_id: int, region: str, sweeps: Sequence[Sweep], listed: dict[datetime, list[str]]) -> None:
    """Note with each run whose instances it listed; runs that listed the same are marked together."""
    by_shapes: dict[tuple[str, ...], list[datetime]] = defaultdict(list)
    for sweep in sweeps:
        by_shapes[tuple(sorted({*sweep.instance_shapes, *listed.get(sweep.as_of, ())}))].append(sweep.as_of)
    for shapes, instants in by_shapes.items():
        runs = SyncRun.objects.filter(account_id=account_id, region=region, as_of__in=instants)
        runs.update(instance_shapes=list(shapes))


def _span(row: SpanRow) -> InstanceSpan:
    facts = {name: getattr(row, name) for name in FACTS}
    return InstanceSpan(
        RunningInstance(**{**facts, "lifecycle": Lifecycle(row.lifecycle)}), row.seen_from, row.seen_until
    )
