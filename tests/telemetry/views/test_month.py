import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils.html import escape

from reservations.models import Organisation, Pool, PriceQuote
from telemetry.models import PoolHour
from telemetry.services.days import refresh_days
from tests.fixtures.cast import HOUR_MS, MONTH, Cast

pytestmark = pytest.mark.django_db
PAGE = "/pools/serve-h100/2026-03/"


def text(response) -> str:
    """What a reader sees, thin spaces closed up."""
    page = re.sub(r"<script.*?</script>", "", response.content.decode().replace("\u202f", ""), flags=re.S)
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def cells(response, row: str) -> list[str]:
    """The cells of a table row by its heading, without thin spaces."""
    pattern = rf'<th scope="row"[^>]*>(?:<a [^>]*>)?{row}(?:</a>)?</th>(.*?)</tr>'
    found = re.search(pattern, response.content.decode(), re.S)
    assert found, f"no row {row}"
    return [
        re.sub(r"<[^>]+>", "", cell).strip().replace("\u202f", "")
        for cell in re.findall(r"<td.*?</td>", found[1], re.S)
    ]


@pytest.mark.parametrize("who", ["owner", "borrower", "viewer", "approver", "analyst"])
def test_a_pool_is_seen_by_its_team_its_borrowers_and_the_whole_organisations_roles(
    who: str, cast: Cast, collected: list[PoolHour], logged_in
) -> None:
    response = logged_in(getattr(cast, who)).get(PAGE)
    assert response.status_code == 200
    assert "serve-h100, March 2026" in text(response)


def test_another_teams_pool_is_as_if_it_were_not_there(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    client = logged_in(cast.outsider)
    hidden = client.get(PAGE)
    absent = client.get("/pools/no-such-pool/2026-03/")
    assert hidden.status_code == absent.status_code == 404
    assert text(hidden).replace("serve-h100", "no-such-pool") == text(absent)
    assert "serve-h100" not in text(client.get("/fleet/2026-03/"))


def test_somebody_without_a_role_is_told_so(cast: Cast, logged_in) -> None:
    response = logged_in(cast.nobody).get("/fleet/", follow=True)
    assert response.status_code == 200
    assert "nobody has granted you a role" in text(response)
    assert 'aria-current="page">Month</a>' in response.content.decode()


def test_without_any_pool_the_page_says_how_to_get_one(cast: Cast, logged_in) -> None:
    Pool.objects.filter(pk=cast.other.pk).delete()
    PriceQuote.objects.all().delete()
    Pool.objects.all().delete()
    assert "apply_config FILE" in text(logged_in(cast.analyst).get("/fleet/", follow=True))


@pytest.mark.parametrize("address", ["/fleet/", PAGE, f"{PAGE}by-hour.csv", "/health/data/"])
def test_nothing_is_shown_without_logging_in(address: str, client, db: None) -> None:
    response = client.get(address)
    assert response.status_code == 302
    assert response.url.startswith("/accounts/login/")


def test_state_changes_are_not_taken(cast: Cast, logged_in) -> None:
    client = logged_in(cast.owner)
    assert [
        client.post(address).status_code for address in ("/fleet/", "/fleet/2026-03/", PAGE, f"{PAGE}by-hour.csv")
    ] == [405] * 4


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("/fleet/2026-13/", 400, "is not a month"),
        ("/pools/serve-h100/May/", 400, "write it as 2026-05"),
        ("/pools/serve-h100/2026-3/", 400, "write it as 2026-05"),
        ("/fleet/٢٠٢٦-٠٣/", 400, "write it as 2026-05"),
        ("/fleet/9999-12/", 400, "is not a month"),
        ("/fleet/2199-12/", 404, "has not begun"),
        ("/fleet/0001-01/", 400, "is not a month"),
        ("/pools/serve-h100/1970-01/", 404, "no earlier than"),
        ("/pools/serve-h100/2026-03/?day=2026-02-30", 400, "is not a day"),
        ("/pools/serve-h100/2026-03/?day=2026-04-01", 404, "is not in March 2026"),
        ("/pools/serve-h100/2026-03/?step=launched", 404, "is not a step"),
        ("/pools/%3Cscript%3E/2026-03/", 404, "&lt;script&gt;"),
    ],
)
def test_a_question_that_cannot_be_answered_gets_a_plain_page(
    address: str, status: int, words: str, cast: Cast, collected: list[PoolHour], logged_in
) -> None:
    response = logged_in(cast.owner).get(address)
    assert response.status_code == status
    assert words in response.content.decode()
    assert "Go to the front page" in text(response)


@pytest.mark.parametrize("name", ["a/b", "%2F", "..", "ü pool", "50%", "a?b#c"])
def test_a_pool_of_any_name_has_an_address(name: str, cast: Cast, collected: list[PoolHour], logged_in) -> None:
    Pool.objects.filter(pk=cast.pool.pk).update(name=name)
    address = reverse("telemetry:pool-month", kwargs={"name": name, "month": "2026-03"})
    assert "/../" not in address
    response = logged_in(cast.owner).get(address)
    assert response.status_code == 200
    assert f"{escape(name)}, March 2026" in response.content.decode()


def test_a_pool_without_a_month_leads_to_the_current_one(cast: Cast, logged_in) -> None:
    response = logged_in(cast.analyst).get("/pools/arms/", follow=True)
    assert "<h1>arms, " in response.content.decode()
    assert "Nothing was collected for this month" in text(response)


@pytest.mark.parametrize(
    ("query", "address"),
    [
        ("pool=serve-h100&month=2026-03", "/pools/serve-h100/2026-03/"),
        ("pool=&month=2026-03&owner=serving", "/fleet/2026-03/?owner=serving"),
        ("pool=a%2Fb&month=2026-03", "/pools/a%252Fb/2026-03/"),
        ("pool=&month=20/26", "/fleet/-/"),
    ],
)
def test_the_switchers_lead_to_an_address_and_keep_the_filters(query: str, address: str, cast: Cast, logged_in) -> None:
    response = logged_in(cast.owner).get(f"/fleet/?{query}")
    assert (response.status_code, response.url) == (302, address)


def test_an_empty_month_says_why(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    client = logged_in(cast.analyst)
    assert "ledger begins on 1 Mar 2026" in text(client.get("/pools/serve-h100/2026-02/"))
    unread = text(client.get("/pools/arms/2026-03/"))
    assert "has no metrics source" in unread
    assert "at most 48 due hours of a pool, none older than 14 days" in unread


def test_the_tiles_are_the_sums_of_the_ledger(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    page = text(logged_in(cast.owner).get(PAGE))
    busy, reserved = sum(row.busy for row in collected), sum(row.reserved for row in collected)
    idle = Decimal(sum(row.idle for row in collected)) / 3_600_000
    assert f"{round(Decimal(reserved) / 3_600_000)} GPU-hours" in page
    assert f"{round(Decimal(busy) / 3_600_000)} GPU-hours" in page
    assert f"{Decimal(100 * busy) / reserved:.1f} %" in page
    assert f"{round(idle * 40 / 8)} USD" in page
    assert "Without 627 of 744 hours" in page
    assert "points below break-even, 50.0%" in page


def test_prices_are_for_those_who_may_see_them(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    page = text(logged_in(cast.viewer).get(PAGE))
    assert "USD" not in page
    assert "Your role does not include prices" in page
    assert "Without money: your role does not include prices" in page


def test_an_unknown_price_is_not_zero(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    PriceQuote.objects.all().delete()
    page = text(logged_in(cast.owner).get(PAGE))
    assert "No price is known for this pool" in page
    assert "USD" not in page


def test_the_first_bar_costs_what_was_paid_and_says_what_of_it_was_not_usable(
    cast: Cast, collected: list[PoolHour], logged_in
) -> None:
    PoolHour.objects.filter(pk=collected[5].pk).update(paid=collected[5].paid + 320 * HOUR_MS)
    refresh_days(pool_id=cast.pool.pk, hours=[collected[5].hour])
    response = logged_in(cast.owner).get(PAGE)
    whole = Decimal(sum(row.reserved for row in collected)) / HOUR_MS
    page = text(response)
    assert f"{whole:.0f} 100% {(whole + 320) * 5:.0f} not launched" in page
    assert "paid but not usable" in page
    assert "320 GPU-hours, 1600USD" in page
    busy = Decimal(sum(row.busy for row in collected)) / HOUR_MS
    assert f"Busy ÷ paid, {100 * busy / (whole + 320):.1f}%, is" in page
    behind = logged_in(cast.owner).get(f"{PAGE}?step=paid_unusable")
    assert "320 GPU-hours paid, not usable" in cells(behind, "1 Mar, 05:00–06:00")[-1]


def test_a_break_even_that_is_not_known_says_which_price_is_missing(
    cast: Cast, collected: list[PoolHour], logged_in
) -> None:
    PriceQuote.objects.update(on_demand=None)
    assert "No break-even: some of these days have no on-demand price." in text(logged_in(cast.owner).get(PAGE))


def test_every_row_of_the_table_adds_up_to_reserved(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    response = logged_in(cast.owner).get(PAGE)
    for row in ("1 Mar", "3 Mar", "4 Mar", "Sum"):
        reserved, *steps = cells(response, row)[:-3]
        assert int(reserved) == sum(int(step) for step in steps if step != "–")


def test_a_day_opens_its_hours_and_a_missing_hour_says_so(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    response = logged_in(cast.owner).get(f"{PAGE}?day=2026-03-03")
    assert "Hours of 3 Mar 2026" in text(response)
    assert cells(response, "02:00–03:00")[0] == "–"
    assert "not collected" in cells(response, "02:00–03:00")[-1]
    assert cells(response, "01:00–02:00")[0] == "16.0"


def test_a_step_opens_the_hours_with_most_of_it(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    response = logged_in(cast.owner).get(f"{PAGE}?step=unknown")
    page = response.content.decode()
    thin = MONTH + timedelta(hours=70)
    hours = re.findall(r'<th scope="row" class="nowrap"><a href="[^"]+">(\d+ Mar, [\d:–]+)</a></th>', page)
    assert hours[0] == f"{thin.day} Mar, {thin:%H:%M}–23:00"


def test_days_are_cut_in_the_accounting_zone(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    Organisation.objects.create(id=1, accounting_zone="Asia/Kolkata")
    response = logged_in(cast.owner).get(PAGE)
    # 1 March begins at 18:30 UTC of 28 February, so its hours are those from 19:00 to 18:00; five were collected less
    assert cells(response, "1 Mar")[0] == str(19 * 16)
    assert "Asia/Kolkata" in text(response)


def test_an_unknown_zone_is_refused(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    response = logged_in(cast.owner).get(f"{PAGE}?zone=Mars/Olympus")
    assert response.status_code == 400
    assert "Unknown time zone “Mars/Olympus”" in text(response)
