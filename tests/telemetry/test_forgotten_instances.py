from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings

from reservations.models import Account, InstanceSpan
from telemetry.tasks import forget_old_instances


@pytest.mark.django_db
def test_the_task_forgets_instances_that_were_last_seen_longer_ago_than_they_are_kept() -> None:
    account = Account.objects.create(name="prod", account_id="111122223333", regions=["us-east-1"])
    kept = timedelta(days=settings.INSTANCE_HISTORY_DAYS)
    for name, ago in (("i-old", kept + timedelta(days=1)), ("i-kept", kept - timedelta(days=1))):
        last = datetime.now(UTC) - ago
        InstanceSpan.objects.create(
            account=account, region="us-east-1", instance_id=name, shape="p5.48xlarge", lifecycle="on_demand",
            seen_from=last - timedelta(days=400), seen_until=last,
        )  # fmt: skip
    for _ in range(2):
        forget_old_instances()
        assert list(InstanceSpan.objects.values_list("instance_id", flat=True)) == ["i-kept"]
