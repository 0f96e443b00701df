"""Which columns wide tables show: what the address names, in the order of the table, and none that it has not."""

import re

import pytest
from django.test import Client, RequestFactory

from reservations.views.answers import UnableToAnswer
from reservations.views.columns import columns_asked, told_apart
from telemetry.models import PoolHour
from tests.fixtures.cast import Cast
from tests.reservations.holdings import holding

KNOWN = {"state": "state", "size": "size", "fee": "fee"}


def asked(query: str):
    request = RequestFactory().get(f"/reservations/{query}")
    return request, columns_asked(request, KNOWN, at_first=["state", "size"])


@pytest.mark.parametrize(
    ("query", "shown", "said"),
    [
        ("", {"state", "size"}, ""),
        ("?columns=", {"state", "size"}, ""),
        ("?columns=size,state", {"state", "size"}, ""),
        ("?columns=fee", {"fee"}, "fee"),
        ("?columns=fee&columns=state", {"fee", "state"}, "state,fee"),
        ("?columns=fee,state,fee", {"fee", "state"}, "state,fee"),
    ],
)
def test_an_address_names_columns_by_itself_or_as_a_form_does(query: str, shown: set[str], said: str) -> None:
    _, columns = asked(query)
    assert columns.shown == shown
    assert columns.asked == said
    assert [one.key for one in columns.choices] == list(KNOWN)


@pytest.mark.parametrize("query", ["?columns=colour", "?columns=state,%3Cb%3E", "?columns=" + "x" * 4000])
def test_a_column_that_is_not_there_gets_a_short_sentence(query: str) -> None:
    with pytest.raises(UnableToAnswer) as unable:
        asked(query)
    assert unable.value.status == 400
    assert len(str(unable.value)) < 400


@pytest.mark.parametrize(
    ("query", "plain"),
    [
        ("", ""),
        ("?columns=fee", ""),
        ("?columns=fee&columns=state", "/reservations/?columns=state,fee"),
        ("?q=a&columns=size&columns=state", "/reservations/?q=a"),
        ("?columns=state", ""),
    ],
)
def test_what_a_form_says_becomes_one_word_in_the_address(query: str, plain: str) -> None:
    assert told_apart(*asked(query)) == plain


def heads(client: Client, address: str, table: str) -> list[str]:
    page = client.get(address, follow=True).text
    head = re.search(rf'<table class="{table}">\s*<thead>(.*?)</thead>', page, re.DOTALL)[1]
    return [" ".join(re.sub(r"<[^>]+>", " ", one).split()) for one in re.findall(r"<th\b.*?</th>", head, re.DOTALL)]


@pytest.mark.django_db
def test_the_list_shows_what_was_chosen_and_keeps_it_on_every_way(cast: Cast, logged_in) -> None:
    for number in range(60):
        holding(f"cr-{number:03}", pool=cast.pool, tags={"env": f"prod{number}"})
    client = logged_in(cast.analyst)
    address = "/reservations/?pool=serve-h100&columns=state&columns=tags&columns=gpus"
    assert heads(client, address, "holdings") == ["id · kind", "state", "GPUs", "tags"]
    page = client.get(address, follow=True).text
    assert "env=prod0" in page
    for way in ("order=gpus", "page=2"):
        link = re.search(rf'href="(\?[^"]*{way}[^"]*)"', page)[1]
        assert "columns=state%2Cgpus%2Ctags" in link
    assert '<input type="hidden" name="columns" value="state,gpus,tags">' in page
    assert len(heads(client, "/reservations/", "holdings")) == 10
    for row in re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)[1:]:
        spans = [int(many) for many in re.findall(r'colspan="(\d+)"', row)]
        assert len(re.findall(r"<t[hd]\b", row)) - len(spans) + sum(spans) == 4


@pytest.mark.django_db
def test_who_sees_no_prices_can_choose_no_fee(cast: Cast, logged_in) -> None:
    holding("cr-serve", pool=cast.pool)
    client = logged_in(cast.viewer)
    assert client.get("/reservations/?columns=fee").status_code == 400
    assert "fee" not in heads(client, "/reservations/", "holdings")


@pytest.mark.django_db
def test_the_pools_of_a_month_show_what_was_chosen_also_on_a_day(
    cast: Cast, collected: list[PoolHour], logged_in
) -> None:
    client, month = logged_in(cast.owner), "/fleet/2026-03/"
    assert heads(client, f"{month}?columns=idle_free&columns=busy", "stacks pool-lines") == [
        "pool", "busy GPU-hours", "idle, free GPU-hours",
    ]  # fmt: skip
    page = client.get(f"{month}?day=2026-03-02&columns=busy,cost").text
    assert page.count('class="stacks pool-lines"') == 2
    assert page.count(">cost of idle</th>") == 1
    assert client.get(f"{month}?columns=colour").status_code == 400
