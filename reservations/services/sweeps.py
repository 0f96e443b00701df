"""Complete lists become rows, observations and histories; any order gives the same (docs/inventory.md#sweeps)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime

from django.db import transaction
from django.db.models import Q

from reservations.domain.listing import Listed, Resized, Sweep, SweepReport
from reservations.domain.reservation_state import Kind
from reservations.models import Account, Reservation, ReservationObservation, SyncRun
from reservations.services.instance_history import record_instances
from reservations.services.inventory_lock import lock_inventory
from reservations.services.size_spans import rebuild_sizes
from reservations.services.vanishing import rebuild_absences

BATCH = 2000

#: Facts that do not change with time: an answer that lacks them does not take them back.
KEPT = ("gpus_per_instance", "upfront_fee", "upfront_fee_currency")
LISTED_FIELDS = tuple(field.name for field in fields(Listed) if field.name != "arn")


class UnableToRecordSweeps(Exception):
    """A sweep names an account that is not configured."""


@dataclass(frozen=True, slots=True)
class View:
    """One reservation in one sweep: what was said, when, and by whose list."""

    listed: Listed
    as_of: datetime
    account_id: str

    @property
    def by_owner(self) -> bool:
        return self.account_id == self.listed.owner_account


@transaction.atomic
def record_sweeps(*, sweeps: Sequence[Sweep]) -> SweepReport:
    """Store sweeps of any instants, in any order and as often as one likes; a failed list says nothing.

    All or nothing; UnableToRecordSweeps when an account is not configured.
    """
    lock_inventory()
    _store_runs(sweeps)
    record_instances(sweeps=sweeps)
    views = _merged(sweeps)
    regions = {sweep.region for sweep in sweeps}
    # What people entered is theirs alone: no list can show it, so none can show it missing.
    listable = Reservation.objects.exclude(kind=Kind.MANUAL.value)
    before = {row.arn: row for row in listable.filter(Q(region__in=regions) | Q(arn__in=list(views)))}
    after = _store_current(views, before, _listers(sweeps))
    _store_observations(views, after)
    instants = [sweep.as_of for sweep in sweeps]
    changed = rebuild_absences(
        ids={row.pk for row in after.values()} | _perhaps_missing(before, instants),
        instants=instants,
        whole={
            row.pk for arn, row in after.items() if arn in before and before[arn].first_listed_by != row.first_listed_by
        },
    )
    moved = {row.pk for arn, row in after.items() if not _steady(before.get(arn), views[arn])}
    rebuild_sizes(reservation_ids=moved | changed)
    return _report(before, {*before, *after})


def _store_runs(sweeps: Sequence[Sweep]) -> None:
    accounts = dict(Account.objects.values_list("name", "pk"))
    if unknown := sorted({sweep.account for sweep in sweeps} - accounts.keys()):
        raise UnableToRecordSweeps(f"account “{unknown[0]}” is not configured: add it under accounts")
    # A complete list stands: a later try for the same instant that failed does not take it back.
    failed = {sweep.as_of for sweep in sweeps if not sweep.complete}
    complete = SyncRun.objects.filter(complete=True, as_of__in=failed)
    stand = set(complete.values_list("account_id", "region", "as_of"))
    runs: dict[tuple[int, str, datetime], Sweep] = {}
    for sweep in sorted(sweeps, key=lambda sweep: sweep.complete):
        key = (accounts[sweep.account], sweep.region, sweep.as_of)
        if sweep.complete or key not in stand:
            runs[key] = sweep
    SyncRun.objects.bulk_create(
        [_run(account_id, sweep) for (account_id, _, _), sweep in runs.items()],
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["account", "region", "as_of"],
        update_fields=["finished_at", "complete", "reservations_seen", "error_code", "error", "degraded"],
    )


def _run(account_id: int, sweep: Sweep) -> SyncRun:
    return SyncRun(
        account_id=account_id,
        region=sweep.region,
        as_of=sweep.as_of,
        finished_at=sweep.as_of,
        complete=sweep.complete,
        reservations_seen=len(sweep.listed),
        error_code=sweep.error_code[:80],
        error=sweep.error,
        degraded=dict(sweep.degraded),
    )


def _merged(sweeps: Sequence[Sweep]) -> dict[str, list[View]]:
    """Every reservation's views in time order, one an instant: its owner's, else the first consumer's by id."""
    best: dict[tuple[str, datetime], View] = {}
    for sweep in sorted((sweep for sweep in sweeps if sweep.complete), key=lambda sweep: sweep.account_id):
        for listed in sweep.listed:
            view = View(listed, sweep.as_of, sweep.account_id)
            if view.by_owner or (listed.arn, sweep.as_of) not in best:
                best[listed.arn, sweep.as_of] = view
    views: dict[str, list[View]] = {}
    for arn, as_of in sorted(best):
        views.setdefault(arn, []).append(best[arn, as_of])
    return views


def _listers(sweeps: Sequence[Sweep]) -> dict[str, dict[str, datetime]]:
    """Which accounts listed each reservation, and each one's first instant."""
    listers: dict[str, dict[str, datetime]] = {}
    for sweep in sorted((sweep for sweep in sweeps if sweep.complete), key=lambda sweep: sweep.as_of):
        for listed in sweep.listed:
            listers.setdefault(listed.arn, {}).setdefault(sweep.account_id, sweep.as_of)
    return listers


def _store_current(
    views: Mapping[str, list[View]], before: Mapping[str, Reservation], listers: Mapping[str, dict[str, datetime]]
) -> dict[str, Reservation]:
    """Write the newest word on each listed reservation; older words only reach back its first sighting."""
    rows = [_current(seen, before.get(arn), listers[arn]) for arn, seen in views.items()]
    stored = Reservation.objects.bulk_create(
        rows,
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["arn"],
        update_fields=[*LISTED_FIELDS, "seen_by", "first_listed_by", "first_seen_at", "last_seen_at"],
    )
    return {row.arn: row for row in stored}


def _current(seen: Sequence[View], known: Reservation | None, listers: Mapping[str, datetime]) -> Reservation:
    newest = seen[-1]
    row = Reservation(arn=newest.listed.arn, **{name: _plain(newest.listed, name) for name in LISTED_FIELDS})
    row.first_seen_at, row.last_seen_at = seen[0].as_of, newest.as_of
    earlier = {name: datetime.fromisoformat(at) for name, at in (known.first_listed_by if known else {}).items()}
    first = {name: min(filter(None, (listers.get(name), earlier.get(name)))) for name in {*listers, *earlier}}
    row.seen_by = sorted(first)
    row.first_listed_by = {name: first[name].astimezone(UTC).isoformat() for name in row.seen_by}
    if known:
        if not _supersedes(newest, known, row.seen_by):
            for name in LISTED_FIELDS:
                setattr(row, name, getattr(known, name))
        row.first_seen_at = min(row.first_seen_at, known.first_seen_at)
        row.last_seen_at = max(row.last_seen_at, known.last_seen_at)
    for name in KEPT:
        older = [getattr(known, name)] if known else []
        told = [getattr(row, name), *older, *(getattr(view.listed, name) for view in reversed(seen))]
        setattr(row, name, next((value for value in told if value), getattr(row, name)))
    if row.usable_until is None:
        row.usable_until = _kept_usable_until(row, [view.listed for view in reversed(seen)], known)
    return row


def _kept_usable_until(row: Reservation, newest_first: Sequence[Listed], known: Reservation | None) -> datetime | None:
    """What was told before of how long before its end a reservation stops, from the end it has now."""
    told = [*newest_first, *([known] if known else [])]
    early = (one.end_at - one.usable_until for one in told if one.end_at and one.usable_until)
    return next((row.end_at - before for before in early if row.end_at), None)


def _plain(listed: Listed, name: str) -> object:
    value = getattr(listed, name)
    return dict(value) if isinstance(value, Mapping) else value


def _supersedes(view: View, known: Reservation, seen_by: Sequence[str]) -> bool:
    """Newer always does; of the same instant the owner's, and a consumer's while the owner's is not to be had."""
    if view.as_of != known.last_seen_at:
        return view.as_of > known.last_seen_at
    return view.by_owner or view.listed.owner_account not in seen_by


def _store_observations(views: Mapping[str, list[View]], rows: Mapping[str, Reservation]) -> None:
    stand = _owners_words(views, rows)
    ReservationObservation.objects.bulk_create(
        [
            ReservationObservation(
                reservation_id=rows[arn].pk,
                observed_at=view.as_of,
                state_raw=view.listed.state_raw,
                total_count=view.listed.total_count,
                available_count=view.listed.available_count,
            )
            for arn, seen in views.items()
            for view in seen
            if (rows[arn].pk, view.as_of) not in stand
        ],
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["reservation", "observed_at"],
        update_fields=["present", "state_raw", "total_count", "available_count"],
    )


def _owners_words(views: Mapping[str, list[View]], rows: Mapping[str, Reservation]) -> set[tuple[int, datetime]]:
    """What is already stored and a consumer's view may not replace, as the owner may have said it."""
    shared = {
        rows[arn].pk: [view.as_of for view in seen if not view.by_owner]
        for arn, seen in views.items()
        if rows[arn].owner_account in rows[arn].seen_by and not all(view.by_owner for view in seen)
    }
    instants = {as_of for seen in shared.values() for as_of in seen}
    stored = ReservationObservation.objects.filter(
        reservation_id__in=shared.keys(), observed_at__in=instants, present=True
    )
    found = set(stored.values_list("reservation_id", "observed_at")) if instants else set()
    return {(pk, as_of) for pk, seen in shared.items() for as_of in seen} & found


def _perhaps_missing(before: Mapping[str, Reservation], instants: Sequence[datetime]) -> set[int]:
    first = min(instants, default=None)
    return {row.pk for row in before.values() if row.missing_since is None or (first and row.missing_since >= first)}


def _steady(known: Reservation | None, seen: Sequence[View]) -> bool:
    """Whether one more equal sighting at the end of a history can have changed nothing in it."""
    if known is None or known.missing_since or len(seen) > 1 or seen[0].as_of <= known.last_seen_at:
        return False
    listed, end_at = seen[0].listed, known.end_at
    passed = end_at is not None and known.last_seen_at < end_at <= seen[0].as_of
    dated = (known.state_raw, known.total_count, known.start_at, known.end_at)
    return not passed and dated == (listed.state_raw, listed.total_count, listed.start_at, listed.end_at)


def _report(before: Mapping[str, Reservation], arns: set[str]) -> SweepReport:
    appeared, vanished, resized = [], [], []
    for row in Reservation.objects.filter(arn__in=arns).order_by("external_id", "arn"):
        known = before.get(row.arn)
        if known is None or (known.missing_since and not row.missing_since):
            appeared.append(row.external_id)
        if row.missing_since and not (known and known.missing_since):
            vanished.append(row.external_id)
        if known and known.total_count != row.total_count:
            resized.append(Resized(row.external_id, known.total_count, row.total_count))
    return SweepReport(tuple(appeared), tuple(vanished), tuple(resized))
