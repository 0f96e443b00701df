"""Sweeps for tests, and everything they left in the database in a form that can be compared."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from reservations.domain.listing import Listed, Sweep
from reservations.domain.reservation_state import Kind, ec2_state
from reservations.models import Account, Reservation, ReservationObservation, ReservationSize, SyncRun

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
PROD, LAB = "111122223333", "444455556666"


def at(minute: float) -> datetime:
    return NOON + timedelta(minutes=minute)


def configure(*names: str) -> None:
    for name in names or ("prod",):
        Account.objects.create(name=name, account_id={"prod": PROD, "lab": LAB}[name], regions=["us-east-1"])


def listed(name: str = "cr-0aaa", total: int | None = 4, free: int | None = 1, **said: object) -> Listed:
    owner, state = said.pop("owner", PROD), str(said.pop("state", "active"))
    fields: dict[str, object] = {
        "arn": f"arn:aws:ec2:us-east-1:{owner}:capacity-reservation/{name}",
        "external_id": name,
        "kind": Kind.ON_DEMAND,
        "state_raw": state,
        "state": ec2_state(state),
        "owner_account": owner,
        "region": "us-east-1",
        "shape": "p5.48xlarge",
        "total_count": total,
        "available_count": free,
        "start_at": at(-60),
    }
    return Listed(**{**fields, **said})  # type: ignore[arg-type]


def sweep(minute: float, *seen: Listed, account: str = "prod", complete: bool = True) -> Sweep:
    error = (
        {} if complete else {"error_code": "UnauthorizedOperation", "error": "allow ec2:DescribeCapacityReservations"}
    )
    return Sweep(account, {"prod": PROD, "lab": LAB}[account], "us-east-1", at(minute), complete, seen, **error)


def sizes(name: str = "cr-0aaa") -> list[tuple[float | None, float | None, int, bool]]:
    rows = ReservationSize.objects.filter(reservation__external_id=name).order_by("period")
    return [(_minute(row.period.lower), _minute(row.period.upper), row.instances, row.usable) for row in rows]


def observed(name: str = "cr-0aaa") -> list[tuple[float | None, bool, int | None]]:
    rows = ReservationObservation.objects.filter(reservation__external_id=name).order_by("observed_at")
    return [(_minute(row.observed_at), row.present, row.total_count) for row in rows]


def _minute(instant: datetime | None) -> float | None:
    return None if instant is None else (instant - NOON).total_seconds() / 60


KEYS = {"id", "reservation_id", "account_id"}


def everything() -> dict[str, list[tuple[object, ...]]]:
    """All rows that sweeps write, without their keys."""
    models: Sequence[tuple[type, str]] = [
        (Reservation, "arn"),
        (ReservationObservation, "reservation__arn"),
        (ReservationSize, "reservation__arn"),
        (SyncRun, "account__name"),
    ]
    return {
        model.__name__: sorted(
            (str(owner), *(str(value) for name, value in sorted(row.items()) if name not in KEYS))
            for owner, row in zip(
                model.objects.order_by("pk").values_list(key, flat=True),
                model.objects.order_by("pk").values(),
                strict=True,
            )
        )
        for model, key in models
    }
