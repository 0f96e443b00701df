"""Whoever is not logged in is led to the log-in, from a page and from a part of one."""

import pytest
from django.test import Client

PARTS = (
    "/me/menu/",
    "/fleet/2026-03/figures/",
    "/fleet/2026-03/figures/week/",
    "/pools/serve-h100/2026-03/summary/",
    "/reservations/1/observations/",
    "/health/data/recollections/1/",
)


@pytest.mark.parametrize("address", PARTS)
def test_a_part_of_a_page_asked_for_after_the_log_in_ended_has_the_page_loaded_again(
    address: str, client: Client
) -> None:
    response = client.get(address, headers={"HX-Request": "true"})
    assert response.headers["HX-Refresh"] == "true"
    assert response.content == b""


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true", "HX-Boosted": "true"}])
def test_a_whole_page_leads_to_the_log_in_and_back(headers: dict[str, str], client: Client) -> None:
    response = client.get("/reservations/", headers=headers)
    assert response.status_code == 302
    assert response.headers["Location"] == "/accounts/login/?next=/reservations/"
