"""Commitments of every kind: told of day by day, told of together, refused, and never asked about."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from django.db.backends.postgresql.psycopg_any import DateRange

from reservations.models import Account, Commitment, CommitmentFetch, CommitmentReport


def committed() -> None:
    """A plan with 30 days of figures, two reserved instances told of together, and a discount nobody asks about."""
    now = datetime.now(UTC)
    today = now.date()
    account = Account.objects.get(name="prod")
    lab = Account.objects.create(name="lab", account_id="444455556666", regions=["us-east-1"])
    term = DateRange(today - timedelta(days=300), today + timedelta(days=66))
    said = {"hourly": Decimal("412.5"), "currency": "USD", "term": term, "payment": "no_upfront", "source": "offer 3"}
    plan = Commitment.objects.create(
        account=account, provider_id="0f6a2b1c-77de-4a19-9c55-2b8d1e4f6a30", kind="savings_plan",
        applies_to="family", family="p5", region="us-east-1", **said,
    )  # fmt: skip
    for name in ("ri-h200-1", "ri-h200-2"):
        Commitment.objects.create(
            account=account, provider_id=name, kind="regional_reserved_instance", applies_to="shape",
            shape="p5en.48xlarge", **said,
        )  # fmt: skip
    Commitment.objects.create(
        account=lab, provider_id="cud-9", kind="committed_use_discount", applies_to="any_compute",
        **said | {"currency": "EUR"},
    )  # fmt: skip
    for ago in range(1, 31):
        day = {"account": account, "day": today - timedelta(days=ago), "currency": "USD", "fetched_at": now}
        plans, instances = {"family": "savings_plans"}, {"family": "reserved_instances"}
        CommitmentReport.objects.create(
            commitment=plan, measure="utilisation", cost=9900, used=8400 - 40 * ago, unused=1500 + 40 * ago,
            on_demand_equivalent=14_000, **day, **plans,
        )  # fmt: skip
        CommitmentReport.objects.create(measure="coverage", covered=14_000, coverable=19_000, **day, **plans)
        if ago > 10:
            CommitmentReport.objects.create(
                measure="utilisation", cost=2400, used=2000, unused=400, on_demand_equivalent=3100, hours=48,
                **day, **instances,
            )  # fmt: skip
    CommitmentFetch.objects.create(
        account=account, fetched_at=now, period=DateRange(today - timedelta(days=30), today), requests=4,
        failures={"ce:GetReservationCoverage": "prod: Cost Explorer has no data for ce:GetReservationCoverage"},
    )  # fmt: skip
