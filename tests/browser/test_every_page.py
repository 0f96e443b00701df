"""Each page in both themes and at three widths: nothing runs over, nothing complains, and axe finds nothing."""

from collections.abc import Iterable

import pytest
from playwright.sync_api import Page

from reservations.models import RoleGrant, User
from tests.browser.lived_in import LivedIn
from tests.browser.looking import COLOURS, UNSPOKEN, WIDTHS, overflow, still, violations, whole

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
HANDFULS = 4
"""In how many tests pages are looked at, so that several processes share them."""
MONTH = "/pools/serve-h100/2026-03/"
MONTHS = (
    "/",
    "/fleet/2026-03/",
    "/fleet/2026-03/?step=idle_held",
    MONTH,
    f"{MONTH}?day=2026-03-03",
    f"{MONTH}?step=idle_free&zone=Asia/Kolkata",
    "/pools/serve-h100/2026-02/",
    "/pools/serve-h100/hours/2026-03-01T10/",
    "/pools/serve-h100/hours/2026-03-03T02/",
    "/pools/nowhere/2026-03/",
)
REST = (
    "/health/data/",
    "/health/data/?see=hours&days=400",
    "/health/data/?see=suspects&days=400",
    "/health/data/?see=collection&days=400",
    "/health/data/recollections/{request}/",
    "/reservations/",
    "/reservations/?q=nothing",
    "/reservations/timeline/?range=all",
    "/reservations/{block}/",
    "/reservations/{block}/pool/",
    "/reservations/new/",
    "/reservations/import/",
    "/sizing/?pool=serve-h100&month=2026-03&months=1",
    "/sizing/?pool=serve-h100&month=2026-03&months=1&allow_short=1&fail_probability=0.2&shortage_cost=90&current=4",
    "/sizing/?pool=arms&month=2026-03",
    "/sizing/replay/?pool=serve-h100&month=2026-03",
    "/recommendations/",
    "/recommendations/back-test/?pool=serve-h100",
    "/search/?q=serv",
    "/search/?q=nothing+has+this",
    "/commitments/",
    "/commitments/?days=90",
    "/glossary/",
    "/me/",
    "/views/",
    "/api/v1/docs",
    "/accounts/password/change/",
    "/no/such/page/",
)
EXCEPTIONS = (
    "/exceptions/",
    "/exceptions/new/?pool=serve-h100&nodes=4",
    "/exceptions/purchases/",
    "/procurement/",
    "/procurement/draft/",
    "/delegations/",
)
ALERTS = (
    "/alerts/",
    "/alerts/?q=nothing+has+this",
    "/alerts/{alert}/",
    "/alerts/rules/?history=reserved_unused",
    "/alerts/routes/",
    "/alerts/deliveries/",
    "/me/notifications/",
)
ENDS = (
    "/renewals/",
    "/renewals/?reservation={block}",
    "/calendar/",
    "/calendar/?month=2026-03",
    "/blocks/{block}/clock/",
)
EMPTY = (
    "/", "/sizing/", "/fleet/2026-03/", "/health/data/", "/health/data/?see=hours", "/health/data/?see=suspects",
    "/health/data/?see=collection", "/reservations/", "/reservations/timeline/", "/reservations/new/",
    "/reservations/import/", "/commitments/", "/search/", "/search/?q=idle", "/me/", "/views/", "/api/v1/docs",
    "/recommendations/", "/recommendations/back-test/", "/alerts/", "/alerts/rules/", "/alerts/routes/",
    "/alerts/deliveries/", "/me/notifications/", "/renewals/", "/calendar/", "/exceptions/", "/exceptions/new/",
    "/exceptions/purchases/", "/procurement/", "/delegations/",
)  # fmt: skip


def faults(page: Page, origin: str, addresses: Iterable[str]) -> str:
    """All that is wrong with some pages, a line each; a page is loaded once, then made narrow, dark and wide."""
    found: list[tuple[object, ...]] = []
    for address in addresses:
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": max(WIDTHS), "height": 900})
        page.goto(origin + address)
        whole(page)
        still(page)
        found += [(address, "unspoken", words) for words in page.evaluate(UNSPOKEN)]
        for width in sorted(WIDTHS, reverse=True):
            page.set_viewport_size({"width": width, "height": 900})
            if (beyond := overflow(page)) > 0:
                found.append((address, width, "overflow", beyond))
            if width != 1024:
                whole(page)
                found += [(address, width, "light", *one) for one in violations(page)]
        page.emulate_media(color_scheme="dark")
        for width in (min(WIDTHS), max(WIDTHS)):
            page.set_viewport_size({"width": width, "height": 900})
            whole(page)
            still(page)
            found += [(address, width, "dark", *one) for one in violations(page, COLOURS)]
    return "\n".join(map(str, found))


@pytest.mark.parametrize("place", range(HANDFULS))
def test_every_page_fits_and_can_be_used_by_everybody(place: int, lived_in: LivedIn, open_page) -> None:
    page = open_page("/glossary/", lived_in.operator)
    origin = page.url.removesuffix("/glossary/")
    filled = [
        one.format(block=lived_in.block.pk, request=lived_in.request.pk, alert=lived_in.alert.pk)
        for one in (*MONTHS, *REST, *EXCEPTIONS, *ALERTS, *ENDS)[place::HANDFULS]
    ]
    assert faults(page, origin, filled) == ""


@pytest.mark.parametrize("role", ["", "admin"])
def test_every_page_of_an_empty_database_fits_and_can_be_used_by_everybody(role: str, db, open_page) -> None:
    person = User.objects.create_user("newcomer")
    if role:
        RoleGrant.objects.create(user=person, role=role, team=None)
    page = open_page("/glossary/", person)
    assert faults(page, page.url.removesuffix("/glossary/"), EMPTY) == ""


def test_the_log_in_page_fits_and_can_be_used_by_everybody(db, open_page) -> None:
    page = open_page("/accounts/login/")
    assert faults(page, page.url.removesuffix("/accounts/login/"), ("/accounts/login/",)) == ""
