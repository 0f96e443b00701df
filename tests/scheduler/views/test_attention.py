"""The front page, read as a person would: who sees what, what it adds up to, and what it says where nothing is."""

from datetime import timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reservations.domain import notation
from reservations.models import Owner, Pool, PriceQuote, RoleGrant, User
from telemetry.models import CollectionRun, HeldPod, HourPod, MetricsSource, PoolHour, PoolSource
from telemetry.services.days import refresh_days
from tests.fixtures.cast import HOUR_MS, Cast
from tests.scheduler.front_page import NOW, in_march, observe, polled, publish_rule, reserve, sheet

pytestmark = pytest.mark.django_db
__all__ = ["in_march"]


@pytest.fixture
def front(cast: Cast, collected: list[PoolHour], in_march: object) -> Cast:
    """The cast's pool with two of four nodes free for three hours, and a block that ends in twenty days."""
    held = reserve("cr-0aaa", pool=cast.pool, total=4)
    observe(held, polled(0, since=NOW - timedelta(hours=6), until=NOW - timedelta(hours=3, minutes=5)))
    observe(held, polled(2, since=NOW - timedelta(hours=3)))
    ends = {"end_at": NOW + timedelta(days=20), "usable_until": NOW + timedelta(days=20, minutes=-30), "kind": "block"}
    reserve("cr-0bbb", pool=cast.pool, total=1, **ends)
    reserve("cr-0ccc", pool=None, total=3)
    publish_rule(cast.pool.owner)
    return cast


def text(page: object) -> str:
    return page.content.decode().replace("\u202f", " ").replace("&amp;", "&")


def rows_of_pool(cast: Cast) -> list[PoolHour]:
    return list(PoolHour.objects.filter(pool=cast.pool))


def test_every_kind_of_thing_is_shown_what_costs_most_first(front: Cast, logged_in) -> None:
    found = sheet(logged_in(front.analyst), "items")
    assert [(row["kind"], row["object"]) for row in found] == [
        ("reserved, unused", "serve-h100"),
        ("held, idle", "serve-h100"),
        ("unowned", "cr-0ccc"),
        ("end ahead", "serve-h100"),
        ("source", "prod us-east-1"),
        ("source", "prod-a"),
    ]
    assert found[3]["decide_on"] == "2026-02-21"
    assert found[0]["since"] == (NOW - timedelta(hours=3)).isoformat()


def test_what_things_cost_is_the_ledgers_time_at_the_books_price(front: Cast, logged_in) -> None:
    unused, held, unowned, *rest = sheet(logged_in(front.analyst), "items")
    assert Decimal(unused["money_a_week"]) == 2 * 40 * 168
    idle = sum(row.idle_held or 0 for row in rows_of_pool(front))
    exact = Fraction(idle, HOUR_MS) * 40 / 8
    assert abs(Fraction(Decimal(held["money_a_week"])) - exact) <= Fraction(1, 2_000_000)
    assert unowned["money_a_week"] == ""
    assert Decimal(unowned["gpu_hours_a_week"]) == 3 * 8 * 168
    assert {row["money_a_week"] for row in rest} == {""}


def test_the_headline_says_what_the_items_add_up_to(front: Cast, logged_in) -> None:
    client = logged_in(front.analyst)
    idle = Decimal(sum(row.idle_held or 0 for row in rows_of_pool(front))) / HOUR_MS * 5
    total = round((13_440 + idle) / 100) * 100
    page = text(client.get("/"))
    assert f"3 things cost money now: about {total:,}".replace(",", " ") + " USD a week, and 4 030 GPU-hours" in page
    assert "Reserved, unused" not in page


def test_currencies_stand_side_by_side_and_are_never_added(front: Cast, logged_in) -> None:
    quote = PriceQuote.objects.get()
    quote.subject = type(quote.subject).objects.create(shape="p5.48xlarge")
    quote.pk, quote.currency, quote.reserved = None, "EUR", Decimal(10)
    quote.save()
    page = text(logged_in(front.analyst).get("/"))
    idle = Decimal(sum(row.idle_held or 0 for row in rows_of_pool(front))) / HOUR_MS * 5
    dollars = f"{round((13_440 + idle) / 100) * 100:,}".replace(",", " ")
    assert f"3 things cost money now: about 5 040 EUR and {dollars} USD a week." in page


def test_the_portfolio_gives_the_ledgers_sums_on_the_page_and_in_the_file(front: Cast, logged_in) -> None:
    client = logged_in(front.analyst)
    rows = rows_of_pool(front)
    reserved, busy = sum(row.reserved for row in rows), sum(row.busy for row in rows)
    (line,) = [row for row in sheet(client, "pools") if row["pool"] == "serve-h100"]
    assert line["reserved_gpu_hours"] == str(round(Decimal(reserved) / HOUR_MS, 7).normalize())
    assert abs(Fraction(Decimal(line["busy_share"])) - Fraction(busy, reserved)) < Fraction(1, 10**8)
    assert (line["month"], line["to_date"], line["break_even_share"]) == ("2026-03", "true", "0.5")
    page = text(client.get("/"))
    for number in (notation.gpu_hours(reserved), notation.gpu_hours(busy), notation.percent(Decimal(busy) / reserved)):
        assert f">{number.replace(notation.THIN, ' ')}<" in page
    assert "Pools, March 2026 to date" in page
    assert "/pools/serve-h100/2026-03/" in page


def test_a_viewer_sees_no_money_and_the_dearest_in_gpu_hours_first(front: Cast, logged_in) -> None:
    client = logged_in(front.viewer)
    page = text(client.get("/"))
    assert "USD" not in page
    assert "break-even 50" not in page
    assert "2 things cost GPU-hours now" in page
    assert "your role does not include prices" in page
    found = sheet(client, "items")
    assert [row["kind"] for row in found] == ["reserved, unused", "held, idle", "end ahead", "source"]
    assert {row["money_a_week"] for row in found} == {""}


def test_a_stranger_to_the_team_is_told_nothing_of_it(front: Cast, logged_in) -> None:
    client = logged_in(front.outsider)
    page = text(client.get("/"))
    for word in ("serve-h100", "cr-0aaa", "cr-0bbb", "cr-0ccc", "prod-a", "USD", "503"):
        assert word not in page
    assert "Nothing is collected yet" in page
    assert sheet(client, "items") == []
    assert [row["pool"] for row in sheet(client, "pools")] == ["arms"]


def test_who_has_a_queue_on_a_pool_sees_it_too(front: Cast, logged_in) -> None:
    assert "serve-h100" in text(logged_in(front.borrower).get("/"))


def test_what_is_nobodys_is_shown_to_roles_of_the_whole_organisation_alone(front: Cast, logged_in) -> None:
    assert "cr-0ccc" in text(logged_in(front.approver).get("/"))
    assert "cr-0ccc" not in text(logged_in(front.owner).get("/"))


def test_an_error_that_concerns_other_teams_too_is_not_read_out(front: Cast, logged_in) -> None:
    assert "prod-a answered 503." in text(logged_in(front.owner).get("/"))
    source = CollectionRun.objects.get()
    PoolSource.objects.create(pool=front.other, source=MetricsSource.objects.get(name=source.source))
    assert "answered 503" not in text(logged_in(front.owner).get("/"))
    assert "answered 503" in text(logged_in(front.analyst).get("/"))


def test_the_page_can_be_narrowed_to_one_owner(front: Cast, logged_in) -> None:
    client = logged_in(front.analyst)
    assert [row["pool"] for row in sheet(client, "pools", "?owner=robotics")] == ["arms"]
    assert sheet(client, "items", "?owner=robotics") == []
    assert [row["pool"] for row in sheet(client, "pools", "?owner=serving")] == ["serve-h100"]
    assert "Only what robotics owns" in text(client.get("/?owner=robotics"))


@pytest.mark.parametrize("owner", ["serving", "nobody at all"])
def test_another_teams_name_and_no_name_get_the_same_answer(owner: str, front: Cast, logged_in) -> None:
    answer = logged_in(front.outsider).get("/", {"owner": owner})
    assert answer.status_code == 404
    assert f"There is no owner “{owner}”, or none of its pools is yours to see." in text(answer)


def test_the_pools_come_in_the_order_that_is_asked_for_and_unknown_last(front: Cast, logged_in) -> None:
    client = logged_in(front.analyst)
    for sort, first in (("pool", "arms"), ("-pool", "serve-h100"), ("share", "serve-h100"), ("-share", "serve-h100")):
        assert sheet(client, "pools", f"?sort={sort}")[0]["pool"] == first
    assert 'aria-sort="descending"' in text(client.get("/?sort=-share"))


def test_an_owner_finds_their_own_pools_first(front: Cast, logged_in) -> None:
    Pool.objects.create(name="aaa", owner=front.other.owner, instance_type="p4d.24xlarge", gpus_per_node=8)
    RoleGrant.objects.create(user=front.owner, role="viewer")
    assert [row["pool"] for row in sheet(logged_in(front.owner), "pools")] == ["serve-h100", "aaa", "arms"]


@pytest.mark.parametrize(
    ("address", "status"),
    [("/?sort=colour", 400), ("/attention/money.csv", 404), ("/attention/items.pdf", 404), ("/?sort=--pool", 400)],
)
def test_what_cannot_be_answered_says_so(address: str, status: int, front: Cast, logged_in) -> None:
    assert logged_in(front.analyst).get(address).status_code == status


def test_the_workbook_is_one(front: Cast, logged_in) -> None:
    for name in ("items", "pools"):
        assert logged_in(front.analyst).get(f"/attention/{name}.xlsx").content[:2] == b"PK"


def test_somebody_without_a_role_is_told_why_the_page_is_empty(front: Cast, logged_in) -> None:
    page = text(logged_in(front.nobody).get("/"))
    assert "nobody has granted you a role yet" in page
    assert "serve-h100" not in page


def test_nobody_sees_it_without_logging_in(client) -> None:
    assert client.get("/").status_code == 302
    assert client.post("/").status_code in (302, 405)


def test_an_empty_organisation_is_told_the_three_steps(db, logged_in) -> None:
    admin = User.objects.create_superuser("admin", password="a long enough one")
    page = text(logged_in(admin).get("/"))
    for step in ("apply_config", "sync_reservations", "collect_usage"):
        assert step in page


def test_pools_without_any_hour_say_that_nothing_is_collected_yet(cast: Cast, in_march: object, logged_in) -> None:
    page = text(logged_in(cast.analyst).get("/"))
    assert "Nothing is collected yet" in page
    assert "says nothing" in page


def test_where_nothing_needs_attention_it_says_what_was_looked_for(
    cast: Cast, collected: list[PoolHour], in_march: object, logged_in
) -> None:
    PoolHour.objects.update(idle_held=0)
    refresh_days(pool_id=cast.pool.pk, hours=[row.hour for row in collected])
    CollectionRun.objects.all().delete()
    hour = PoolHour.objects.last()
    hour.pk, hour.hour = None, NOW - timedelta(hours=1)
    hour.save()
    page = text(logged_in(cast.owner).get("/"))
    assert "Nothing needs a decision or a look." in page
    assert "None of it as of" in page


def test_owners_of_no_pool_that_is_configured_are_told_so(cast: Cast, in_march: object, logged_in) -> None:
    stranger = User.objects.create_user("stranger", password="a long enough one")
    RoleGrant.objects.create(user=stranger, role="owner", team=Owner.objects.create(name="elsewhere"))
    assert "None of the pools belongs to a team that you have a role for." in text(logged_in(stranger).get("/"))


def sleeps(front: Cast, rows: list[PoolHour], told: Fraction) -> None:
    """One pod held idle so much of what was held idle in some hours."""
    pod = HeldPod.objects.create(pool=front.pool, namespace="lab", name="sleeper", uid="1")
    for row in rows:
        HourPod.objects.create(
            pool_hour=row,
            pod=pod,
            pool=front.pool,
            hour=row.hour,
            idle_held=int((row.idle_held or 0) * told),
            owner_busy=0,
            borrower_busy=0,
            unmanaged_busy=0,
            unattributed_busy=0,
            idle_from=row.hour,
        )


def test_the_pod_that_held_most_is_named_with_since_when_in_twelve_queries(front: Cast, logged_in) -> None:
    rows = rows_of_pool(front)
    sleeps(front, rows, Fraction(6, 10))
    client = logged_in(front.analyst)
    with CaptureQueriesContext(connection) as queries:
        page = text(client.get("/"))
    assert "Most by lab/sleeper: " in page
    assert "that pod idle for " in page
    assert len(queries) <= 12, "\n".join(query["sql"][:120] for query in queries)
    hours = {row.hour for row in rows}
    begun = max(hour for hour in hours if hour - timedelta(hours=1) not in hours)
    assert sheet(client, "items")[1]["since"] == begun.isoformat()


def test_no_pod_is_named_where_the_pods_of_most_of_it_are_unknown(front: Cast, logged_in) -> None:
    sleeps(front, rows_of_pool(front)[-3:], Fraction(1))
    client = logged_in(front.analyst)
    assert "sleeper" not in text(client.get("/"))
    idle = sheet(client, "items")[1]
    assert (idle["kind"], idle["cause"], idle["since"]) == ("held, idle", "", "")


def test_twenty_things_are_listed_and_the_rest_is_a_click_away_and_counted(front: Cast, logged_in) -> None:
    for place in range(20):
        reserve(f"cr-1{place:03}", pool=None, total=1)
    client = logged_in(front.analyst)
    page, whole = text(client.get("/")), text(client.get("/?items=all"))
    assert page.count('<li class="item ') == 20
    assert "23 things cost money now" in page
    assert "Show 6 more" in page
    assert whole.count('<li class="item ') == 26
    assert len(sheet(client, "items")) == 26
