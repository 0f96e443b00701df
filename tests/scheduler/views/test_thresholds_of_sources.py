"""The rules' page offers no threshold of sources for one pool."""

from scheduler.models import RuleThreshold
from tests.fixtures.cast import Cast


def test_a_threshold_of_sources_is_offered_for_all_pools_alone_and_refused_for_one(cast: Cast, logged_in) -> None:
    form = {"name": "inventory_late_after", "pool": "serve-h100", "value": "30 min", "reason": "why not"}
    address = "/alerts/rules/source_stale/"
    refused = logged_in(cast.owner).post(address, form)
    assert refused.status_code == 422
    assert "What source_stale looks at is of no one pool" in " ".join(refused.content.decode().split())
    assert not RuleThreshold.objects.exists()
    page = logged_in(cast.owner).get("/alerts/rules/").content.decode()
    assert 'action="/alerts/rules/reserved_unused/' in page
    assert f'action="{address}' not in page
