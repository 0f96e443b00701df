import csv
import io
import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils.html import escape

from reservations.models import Organisation, Pool, PriceQuote
from telemetry.domain.ledger import AMOUNTS
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


def test_each_chart_has_a_sentence_that_says_what_it_shows(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    page = logged_in(cast.owner).get(PAGE).content.decode()
    described = re.findall(r'role="img"[^>]*aria-describedby="([a-z-]+)"', page)
    assert described == ["waterfall-summary", "hours-summary"]
    for name in described:
        assert re.search(rf'id="{name}">[^<]+\.<', page)


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


@pytest.mark.parametrize("by", ["by-hour", "by-day", "month"])
def test_the_csv_says_what_the_page_says(by: str, cast: Cast, collected: list[PoolHour], logged_in) -> None:
    response = logged_in(cast.owner).get(f"{PAGE}{by}.csv")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(response.content.decode())))
    assert len(rows) == {"by-hour": 744, "by-day": 31, "month": 1}[by]
    for name in ("reserved", "busy", "idle", "unknown"):
        stored = Decimal(sum(getattr(row, name) for row in collected)) / 3_600_000
        cut = sum(Decimal(row[f"{name}_gpu_hours"]) for row in rows if row[f"{name}_gpu_hours"])
        assert abs(cut - stored) < Decimal("0.0001")
    assert sum(int(row["hours_missing"]) for row in rows) == 627
    page = logged_in(cast.owner).get(PAGE)
    assert cells(page, "Sum")[0] == str(round(sum(Decimal(row["reserved_gpu_hours"] or 0) for row in rows)))


def test_the_csv_leaves_empty_what_is_unknown(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    response = logged_in(cast.owner).get(f"{PAGE}by-hour.csv")
    rows = list(csv.DictReader(io.StringIO(response.content.decode())))
    assert rows[51]["busy_gpu_hours"] == ""
    assert rows[80]["ec2_unused_gpu_hours"] == ""
    assert rows[90]["idle_held_gpu_hours"] == ""
    assert rows[90]["flags"] == "no_pod_labels"


@pytest.mark.parametrize(("by", "sheet"), [("hour", "by-hour"), ("day", "by-day"), ("month", "month")])
@pytest.mark.parametrize("zone", ["UTC", "America/New_York"])
def test_the_csv_is_to_the_byte_what_the_command_prints(
    by: str, sheet: str, zone: str, cast: Cast, collected: list[PoolHour], logged_in
) -> None:
    Organisation.objects.create(id=1, accounting_zone=zone)
    Pool.objects.filter(pk=cast.pool.pk).update(name="=serve-h100")
    out = io.StringIO()
    call_command("usage", pool="=serve-h100", month="2026-03", by=by, format="csv", stdout=out)
    response = logged_in(cast.owner).get(f"/pools/=serve-h100/2026-03/{sheet}.csv")
    assert response.content == out.getvalue().encode()
    first = response.content.splitlines()[1].split(b",")
    assert (first[0], first[-1]) == (b"'=serve-h100", b"false" if by == "month" else b"true")


@pytest.mark.parametrize(
    ("address", "status"),
    [("serve-h100/2026-03/by-year.csv", 404), ("arms/2026-03/by-day.csv", 404), ("serve-h100/2026-00/by-day.csv", 400)],
)
def test_a_table_that_is_not_there_is_refused(address: str, status: int, cast: Cast, logged_in) -> None:
    assert logged_in(cast.owner).get(f"/pools/{address}").status_code == status


def test_a_month_that_still_runs_is_to_date_and_compared_by_the_hour(
    cast: Cast, collected: list[PoolHour], logged_in, monkeypatch
) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: MONTH + timedelta(days=5, minutes=10))
    february = [
        PoolHour(
            pool=cast.pool, hour=MONTH - timedelta(hours=1 + place), source="prod-a", reserved=8 * HOUR_MS,
            paid=8 * HOUR_MS, final=True, read_at=MONTH,
        )
        for place in range(100)
    ]  # fmt: skip
    PoolHour.objects.bulk_create(february)
    refresh_days(pool_id=cast.pool.pk, hours=[row.hour for row in february])
    response = logged_in(cast.owner).get(PAGE)
    page = text(response)
    rate = Decimal(sum(row.reserved for row in collected)) / HOUR_MS / len(collected)
    assert "To date, not a whole month. Compared with February by the hour." in page
    assert f"{rate:.1f} an hour, {100 * (rate / 8 - 1):.1f}% more than in February." in page
    assert "120 of 744 h so far" in page
    assert 'class="tiles to-date"' in response.content.decode()
    assert "Without 3 of 120 hours" in page


def test_a_whole_month_is_not_said_to_be_a_part(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    response = logged_in(cast.owner).get(PAGE)
    assert "→ 1 Apr 2026, 00:00 UTC , 744 h" in text(response) or "744 h" in text(response)
    assert "to date" not in text(response).replace("up to date", "")
    assert "Nothing was collected for February, so nothing is compared." in text(response)


def test_a_month_in_which_nothing_was_reserved_is_truly_zero(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    amounts = {name: 0 for name in AMOUNTS}
    PoolHour.objects.update(**amounts)
    refresh_days(pool_id=cast.pool.pk, hours=[row.hour for row in collected])
    assert "Nothing was reserved in this month. That is truly zero: 117 hours were collected" in text(
        logged_in(cast.owner).get(PAGE)
    )


def test_an_unknown_zone_is_refused(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    response = logged_in(cast.owner).get(f"{PAGE}?zone=Mars/Olympus")
    assert response.status_code == 400
    assert "Unknown time zone “Mars/Olympus”" in text(response)


def test_the_waterfall_of_the_page_adds_up_and_is_its_sheet(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    client = logged_in(cast.owner)
    page = client.get(PAGE).content.decode().replace("\u202f", "")
    table = page[page.index('<table class="waterfall') :].split("</table>")[0]
    written = {
        name: [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r'<td role="cell"[^>]*>(.*?)</td>', row, re.S)]
        for name, row in re.findall(r'swatch-(\w+)"></span>(.*?)</tr>', table, re.S)
    }
    reserved = written.pop("reserved")
    assert sum(int(cells[0]) for cells in written.values()) == int(reserved[0])
    assert sum(Decimal(cells[1].rstrip("%")) for cells in written.values()) == 100
    assert sum(int(cells[2]) for cells in written.values()) == int(reserved[2])
    rows = csv.DictReader(io.StringIO(client.get(f"{PAGE}waterfall.csv").content.decode()))
    for row in rows:
        if row["step"] in written:
            assert abs(int(written[row["step"]][0]) - Decimal(row["gpu_hours"] or 0)) < 1
            assert abs(int(written[row["step"]][2]) - Decimal(row["cost_usd"] or 0)) < 1
