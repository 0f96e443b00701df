"""The form that draws the week by another clock tells the browser which address that is, if the page is ours."""

import pytest

from tests.fixtures.cast import Cast

pytestmark = pytest.mark.django_db
ASKED = {"HX-Request": "true", "HX-Trigger": "clock"}


@pytest.mark.parametrize("asked_of", ["/fleet/2026-03/figures/", "/fleet/2026-03/figures/week/"])
@pytest.mark.parametrize(
    ("around", "address"),
    [
        ("http://testserver/fleet/2026-03/?owner=serving", "/fleet/2026-03/?zone=Asia/Tokyo"),
        ("https://elsewhere.example/fleet/2026-03/", None),
        ("http://[", None),
        ("javascript:alert(1)", None),
        ("", None),
    ],
)
def test_the_address_is_that_of_our_page_alone(
    asked_of: str, around: str, address: str | None, cast: Cast, collected, logged_in
) -> None:
    asked = {**ASKED, "HX-Current-URL": around}
    response = logged_in(cast.analyst).get(f"{asked_of}?zone=Asia/Tokyo", headers=asked)
    assert response.status_code == 200
    told = response.headers.get("HX-Replace-Url")
    assert (told.replace("%2F", "/") if told else None) == address
