"""The pools of the front page come twenty-five at a time; what they add up to stays that of all."""

import pytest

from reservations.models import Pool
from telemetry.models import PoolHour
from tests.fixtures.cast import Cast
from tests.scheduler.front_page import in_march, sheet

pytestmark = pytest.mark.django_db
__all__ = ["in_march"]


@pytest.fixture
def many(cast: Cast, collected: list[PoolHour], in_march: object) -> Cast:
    Pool.objects.bulk_create(
        Pool(name=f"pool-{number:03}", owner=cast.pool.owner, instance_type="p5.48xlarge", gpus_per_node=8)
        for number in range(118)
    )
    return cast


def text(answer: object) -> str:
    return answer.content.decode()


def test_every_pool_stands_on_one_page_and_the_sum_is_of_all(many: Cast, logged_in) -> None:
    client = logged_in(many.analyst)
    pages = [text(client.get(f"/?sort=pool&page={page}")) for page in range(1, 6)]
    assert [page.count('<th scope="row" class="col-pool"><a') for page in pages] == [25, 25, 25, 25, 20]
    assert all("All 120 pools" in page for page in pages)
    assert [page.count('rel="next"') for page in pages] == [1, 1, 1, 1, 0]
    assert "?sort=pool&amp;page=3#pools" in pages[1]
    assert len(sheet(client, "pools")) == 120


@pytest.mark.parametrize(("page", "status"), [("6", 404), ("0", 400), ("-1", 400), ("x", 400), ("9" * 40, 400)])
def test_a_page_there_is_none_of_is_refused_in_a_sentence(page: str, status: int, many: Cast, logged_in) -> None:
    answer = logged_in(many.analyst).get(f"/?page={page}")
    assert answer.status_code == status
    assert "page" in text(answer)
