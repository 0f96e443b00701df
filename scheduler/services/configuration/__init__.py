"""A configuration file, applied whole or not at all (docs/configuration.md)."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.db import connection, transaction

from reservations.domain.change import Change
from reservations.selectors.configuration import stored_configuration
from reservations.services import configuration as holdings
from reservations.services.audit import record_changes
from reservations.services.memberships import assign_reservations
from scheduler.services.alerts.thresholds import UnableToSetThreshold
from scheduler.services.configuration.checking import check_document
from scheduler.services.configuration.document import Document, Problems, document
from scheduler.services.configuration.growth import configure_growth
from scheduler.services.configuration.purchases import configure_purchases
from scheduler.services.configuration.reading import UnableToApply, written_in
from scheduler.services.configuration.remarks import remarks
from scheduler.services.configuration.thresholds import configure_thresholds
from telemetry.selectors.sources import source_names
from telemetry.services import configuration as telemetry

__all__ = ["Applied", "UnableToApply", "apply_config"]

CONFIGURATION_LOCK = 0x636F6E66


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of every object of the file, and sentences about what is odd or moved by it."""

    changes: tuple[Change, ...]
    remarks: tuple[str, ...]


@transaction.atomic
def apply_config(*, path: Path, as_of: datetime) -> Applied:
    """Check a whole file, then write what differs; UnableToApply with every problem at once, and nothing written."""
    written = written_in(path)
    _lock()
    problems = Problems(written)
    found = document(written, problems)
    check_document(found, problems, stored=stored_configuration(), sources=source_names())
    if problems.found:
        raise UnableToApply(problems.sentences())
    try:
        changes = _write(found, as_of)
    except UnableToSetThreshold as unable:
        raise UnableToApply([f"thresholds: {unable}"]) from unable
    moved = assign_reservations(as_of=as_of)
    record_changes(changes=changes, why=f"apply_config {path.name}")
    return Applied(tuple(changes), (*remarks(found), *moved.changed, *moved.refused, *moved.remarks))


def _write(found: Document, as_of: datetime) -> list[Change]:
    pools = list(found.pools.values())
    return [
        *(holdings.configure_organisation(entry=found.organisation) if found.organisation else []),
        *holdings.configure_owners(entries=list(found.owners.values())),
        *holdings.configure_people(entries=list(found.people.values())),
        *holdings.configure_accounts(entries=list(found.accounts.values())),
        *telemetry.configure_sources(entries=list(found.metrics_sources.values())),
        *holdings.configure_pools(entries=pools),
        *telemetry.configure_pool_sources(entries=[pool.telemetry() for pool in pools]),
        *holdings.configure_prices(entries=list(found.prices.values())),
        *configure_growth(entries=list(found.growth.values())),
        *configure_purchases(entries=list(found.purchases.values())),
        *holdings.configure_shortages(entries=list(found.shortage.values()), recorded_on=as_of.astimezone(UTC).date()),
        *configure_thresholds(entries=list(found.thresholds.values()), as_of=as_of),
        *holdings.configure_commitments(entries=list(found.commitments.values())),
        *(holdings.configure_rule(entry=found.procurement_rule) if found.procurement_rule else []),
    ]


def _lock() -> None:
    """One file at a time; the lock ends with the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [CONFIGURATION_LOCK])
