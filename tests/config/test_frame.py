"""The frame around every page: the zones it names, and a plain word where they cannot be used."""

import gzip
import logging

import pytest

from reservations.models import Organisation, RoleGrant, User
from tests.fixtures.cast import Cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def odd_zone(db: None) -> None:
    """An accounting zone as only somebody who wrote past every check could have left it."""
    Organisation.objects.create(id=1, accounting_zone="Mars/Phobos")


@pytest.mark.parametrize(
    "address", ["/", "/fleet/", "/pools/serve-h100/2026-03/", "/reservations/", "/health/data/", "/me/"]
)
def test_an_accounting_zone_that_is_none_gets_a_clear_page(address: str, odd_zone: None, cast: Cast, logged_in) -> None:
    response = logged_in(cast.analyst).get(address)
    assert response.status_code == 503
    assert "The organisation&#x27;s accounting zone is an unknown time zone “Mars/Phobos”" in response.text


@pytest.mark.parametrize("address", ["/glossary/", "/search/?q=idle", "/views/"])
def test_what_counts_no_days_goes_on(address: str, odd_zone: None, cast: Cast, logged_in) -> None:
    User.objects.update(zone="Europe/Berlin")
    response = logged_in(cast.analyst).get(address)
    assert response.status_code == 200
    assert "Mars" not in response.text


def test_both_zones_are_named_where_they_differ(cast: Cast, logged_in) -> None:
    client = logged_in(cast.analyst)
    assert "Days and months are counted in UTC, the organisation's zone." in client.get("/me/").text
    User.objects.filter(pk=cast.analyst.pk).update(zone="Europe/Berlin")
    assert '<a href="/me/">your own</a> is Europe/Berlin.' in client.get("/me/").text


def test_a_refusal_is_logged_in_one_line_without_a_traceback(
    cast: Cast, logged_in, caplog: pytest.LogCaptureFixture
) -> None:
    from config.logs import without_refusals

    with caplog.at_level(logging.WARNING, logger="django.request"):
        response = logged_in(cast.analyst).get("/admin/login/")
    assert response.status_code == 403
    assert "Your roles do not include this" in response.text
    (record,) = [record for record in caplog.records if record.name == "django.request"]
    assert without_refusals(record)
    assert record.exc_info is None


def test_a_page_comes_compressed_to_whoever_takes_it(cast: Cast, logged_in) -> None:
    client = logged_in(cast.analyst)
    plain, small = (client.get("/glossary/", headers={"accept-encoding": coding}) for coding in ("identity", "gzip"))
    assert (plain.headers.get("Content-Encoding"), small.headers["Content-Encoding"]) == (None, "gzip")
    assert len(small.content) < len(plain.content) / 2
    assert b"Glossary</h1>" in gzip.decompress(small.content)


@pytest.mark.parametrize(
    ("address", "form"),
    [
        ("/delegations/", {"delegate": "a\0b", "up_to": "5", "start": "2026-04-01", "end": "2026-04-02"}),
        ("/procurement/draft/", {"owner": "serv\0ing"}),
    ],
    ids=["delegate", "owner"],
)
def test_a_text_that_no_database_keeps_is_refused_in_a_sentence(
    cast: Cast, logged_in, address: str, form: dict[str, str]
) -> None:
    RoleGrant.objects.create(user=cast.approver, role="admin", team=None)
    answer = logged_in(cast.approver).post(address, form)
    assert 400 <= answer.status_code < 500
    assert "<h1" in answer.text
