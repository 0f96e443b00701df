"""A request by keys and by thumb: asked, returned, revised, approved by two people, bought; one voided, one lapsed."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from reservations.models import ExceptionRequest, User
from scheduler.services.exceptions import lapse_exceptions
from tests.browser.looking import overflow
from tests.browser.test_keyboard import tab_to
from tests.fixtures.cast import Cast
from tests.scheduler.asking import SAID, client_of, decide, publish_rule, somebody, submitted

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = 390


def press(page: Page, name: str) -> None:
    """Press what is called so by the keyboard alone."""
    tab_to(page, name)
    page.keyboard.press("Enter")


def write(page: Page, field: str, text: str) -> None:
    page.locator(f"#{field}").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type(text)


def on_a_phone(open_page, address: str, person: User) -> Page:
    page = open_page(address, person, width=PHONE)
    assert not overflow(page)
    return page


def test_a_request_is_asked_by_keys_returned_revised_approved_by_two_and_bought(cast: Cast, open_page) -> None:
    publish_rule(cast)
    buys = somebody("buys", "operator")
    asks = open_page("/exceptions/new/?pool=serve-h100&nodes=4", cast.owner)
    press(asks, "Begin a draft of 4 nodes")
    expect(asks).to_have_url(re.compile(r"/exceptions/\d+/draft/$"))
    pk = ExceptionRequest.objects.get().pk
    asks.locator("#kind").select_option("late")
    expect(asks.get_by_label("Why was it not asked for in time?")).to_be_visible()
    asks.locator("#kind").select_option("over_rule")
    for field in ("answer_demand_ahead", "reason", "consequence", "amount"):
        expect(asks.locator(f"#{field}")).to_be_visible()
        write(asks, field, SAID[field])
    asks.locator("#term_start").fill(SAID["term_start"])
    asks.locator("#term_end").fill(SAID["term_end"])
    expect(asks.locator("#saved")).to_contain_text("Saved at")
    expect(asks.locator(".rule-numbers").first).to_contain_text("Asked for")
    write(asks, "controls", "Idle nodes are lent.")
    press(asks, "Preview it as the approver will see it")
    expect(asks.get_by_role("heading", level=2).first).to_have_text("serve-h100: 4 nodes until 1 Jun 2027")
    press(asks, "Submit it to 2 steps of approval")
    expect(asks.locator(".messages")).to_contain_text("Submitted version 1.")
    expect(asks.locator(".why-not")).to_contain_text("You asked for it, so you can’t approve it as well.")

    checks = on_a_phone(open_page, "/exceptions/", cast.analyst)
    expect(checks.locator("#exceptions-waiting")).to_contain_text("1")
    checks.locator(".to-decide a").click()
    checks.get_by_label(re.compile("Reason, which owner reads")).fill("Which launch?")
    checks.get_by_role("button", name="Return it for changes").click()
    expect(checks.locator(".messages")).to_contain_text("Returned it")
    assert not overflow(checks)

    asks.reload()
    expect(asks.locator(".events")).to_contain_text("Which launch?")
    asks.get_by_role("button", name="Revise it in a new version").click()
    asks.locator("#alternatives").fill("Two fewer nodes.")
    asks.get_by_role("button", name="Save the draft").last.click()
    expect(asks.locator(".messages")).to_contain_text("The draft is saved")
    asks.get_by_role("button", name=re.compile("Preview")).click()
    asks.get_by_role("button", name=re.compile("Submit it")).click()
    expect(asks.locator(".messages")).to_contain_text("Submitted version 2")

    for person in (cast.analyst, cast.approver):
        decides = on_a_phone(open_page, f"/exceptions/{pk}/", person)
        decides.get_by_role("button", name="Approve 4 nodes until 1 Jun 2027").click()
        expect(decides.locator(".messages")).to_contain_text("Approved it")
    bought = open_page(f"/exceptions/{pk}/", buys, javascript=False)
    bought.get_by_role("button", name="Say that it is bought").click()
    expect(bought.locator(".asof .status")).to_have_text("executed")
    assert ExceptionRequest.objects.get(pk=pk).state == "executed"


def test_an_approval_is_voided_by_a_greater_size_and_lapses_with_time(cast: Cast, open_page) -> None:
    publish_rule(cast)
    asks = client_of(cast.owner)
    voided, lapsed = (submitted(asks) for _ in range(2))
    for pk in (voided, lapsed):
        for person in (cast.analyst, cast.approver):
            decide(client_of(person), pk, "approve")
    page = open_page(f"/exceptions/{voided}/", cast.owner, javascript=False)
    page.get_by_role("button", name="Revise it in a new version").click()
    page.locator("#nodes").fill("6")
    page.locator("#amount").fill("360000")
    page.get_by_role("button", name=re.compile("Preview")).click()
    page.get_by_role("button", name=re.compile("Submit it")).click()
    expect(page.locator(".asof .status")).to_have_text("waiting for approval")
    expect(page.locator(".chain-of-steps .given")).to_have_count(0)
    expect(page.get_by_role("region", name="Versions of the request")).to_contain_text("the size, the amount")
    lapse_exceptions(at=timezone.now() + timedelta(days=31))
    page = open_page(f"/exceptions/{lapsed}/", cast.owner, theme="dark")
    expect(page.locator(".asof .status")).to_have_text("lapsed")
    expect(page.locator(".why-not")).to_contain_text("It is lapsed")
