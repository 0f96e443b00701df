import pytest
from django.template.loader import render_to_string
from django.test import Client

from telemetry.models import PoolHour
from tests.fixtures.cast import PASSWORD, Cast

pytestmark = pytest.mark.django_db


def test_an_address_where_nothing_stands_gets_our_own_page(cast: Cast, logged_in) -> None:
    response = logged_in(cast.owner).get("/no/such/page/")
    assert response.status_code == 404
    assert "<h1>No such page</h1>" in response.content.decode()


@pytest.mark.parametrize("template", ["400.html", "403.html", "404.html", "500.html", "403_csrf.html"])
def test_an_error_page_needs_nothing_to_be_drawn(template: str) -> None:
    page = render_to_string(template)
    assert "Go to the front page" in page
    assert "Log out" not in page


def test_a_stale_form_says_that_nothing_was_changed(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    response = client.post("/accounts/login/", {"login": "owner", "password": PASSWORD})
    assert response.status_code == 403
    assert "Nothing was changed" in response.content.decode()


@pytest.mark.parametrize(("cookie", "said"), [("dark", ' data-theme="dark"'), ("light", ' data-theme="light"')])
def test_a_chosen_theme_comes_with_the_page(cookie: str, said: str, client: Client) -> None:
    client.cookies["theme"] = cookie
    assert f'<html lang="en"{said} data-plotly=' in client.get("/accounts/login/").content.decode()


def test_a_theme_that_is_none_is_left_out(client: Client) -> None:
    client.cookies["theme"] = '"><script>'
    page = client.get("/accounts/login/").content.decode()
    assert '<html lang="en" data-plotly=' in page


def test_no_page_carries_inline_script_or_style(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    client = logged_in(cast.owner)
    for address in (
        "/fleet/2026-03/",
        "/pools/serve-h100/2026-03/?day=2026-03-03",
        "/health/data/",
        "/accounts/password/change/",
        "/accounts/2fa/",
    ):
        page = client.get(address, follow=True).content.decode()
        assert "<style" not in page, address
        assert " style=" not in page, address
        assert " onclick=" not in page, address


def test_one_file_of_plotly_is_published(client: Client) -> None:
    from django.contrib.staticfiles.finders import find, get_finders

    assert find("plotly/plotly.min.js")
    assert find("plotly/widgetbundle.js") is None
    published = [path for finder in get_finders() for path, _ in finder.list([]) if "plotly" in path.lower()]
    assert published == ["plotly.min.js"]
