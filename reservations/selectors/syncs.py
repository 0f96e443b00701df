"""How fresh the inventory is: the last tries of every configured account and region."""

from dataclasses import dataclass
from datetime import datetime

from reservations.models import Account, SyncRun


@dataclass(frozen=True, slots=True)
class RegionSync:
    """One account's region: the last complete sweep, the last failure and what was degraded in the last sweep."""

    account: str
    provider: str
    region: str
    last_complete_at: datetime | None
    last_error_at: datetime | None
    last_error: str
    degraded: tuple[str, ...]
    reservations_seen: int | None


def region_syncs() -> list[RegionSync]:
    """Every configured account × region, by name, in two queries; one never tried has no instants."""
    latest = _latest()
    accounts = Account.objects.order_by("name")
    return [
        _state(account, region, latest.get((account.pk, region, True)), latest.get((account.pk, region, False)))
        for account in accounts
        for region in account.regions
    ]


def _latest() -> dict[tuple[int, str, bool], SyncRun]:
    keys = ("account_id", "region", "complete")
    runs = SyncRun.objects.order_by(*keys, "-as_of").distinct(*keys)
    return {(run.account_id, run.region, run.complete): run for run in runs}


def _state(account: Account, region: str, swept: SyncRun | None, failed: SyncRun | None) -> RegionSync:
    return RegionSync(
        account=account.name,
        provider=account.provider,
        region=region,
        last_complete_at=swept.as_of if swept else None,
        last_error_at=failed.as_of if failed else None,
        last_error=failed.error if failed else "",
        degraded=tuple(swept.degraded.values()) if swept else (),
        reservations_seen=swept.reservations_seen if swept else None,
    )
