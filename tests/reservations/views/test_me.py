import pytest

from reservations.domain.access import Action
from reservations.models import Organisation, SavedView, User
from reservations.tables.roles import WORDS
from tests.fixtures.cast import Cast

pytestmark = pytest.mark.django_db


def test_every_action_has_words() -> None:
    assert set(WORDS) == set(Action)


def test_a_person_reads_what_they_were_granted(cast: Cast, logged_in) -> None:
    page = logged_in(cast.viewer).get("/me/").content.decode()
    assert "the team serving" in page
    assert "see pools" in page
    assert "see prices" not in page
    assert "change the configuration" not in page
    assert "the whole organisation" in logged_in(cast.analyst).get("/me/").content.decode()


def test_somebody_without_a_role_is_told_who_can_grant_one(cast: Cast, logged_in) -> None:
    assert "Nobody has granted you a role yet" in logged_in(cast.nobody).get("/me/").content.decode()


def test_only_who_may_configure_is_led_to_the_admin(cast: Cast, logged_in) -> None:
    root = User.objects.create_superuser("root")
    for address in ("/me/", "/me/menu/"):
        assert "/admin/" not in logged_in(cast.analyst).get(address).content.decode()
        assert "/admin/" in logged_in(root).get(address).content.decode()


def test_instants_are_read_in_ones_own_zone_which_is_named(cast: Cast, logged_in) -> None:
    Organisation.objects.create(id=1, accounting_zone="Asia/Kolkata")
    client = logged_in(cast.viewer)
    assert "Asia/Kolkata</time>" in client.get("/me/").content.decode()
    assert client.post("/me/", {"zone": "America/New_York", "landing": ""}).url == "/me/"
    page = client.get("/me/").content.decode()
    assert "America/New_York</time>" in page
    assert "counted in Asia/Kolkata, the organisation's zone" in page


@pytest.mark.parametrize("zone", ["Mars/Phobos", "../../etc/passwd", "Europe/Berlin\x00", "x" * 80])
def test_a_zone_that_is_none_is_refused_in_one_sentence(zone: str, cast: Cast, logged_in) -> None:
    response = logged_in(cast.viewer).post("/me/", {"zone": zone, "landing": ""})
    assert response.status_code == 400
    assert response.content.decode().count("errorlist") == 1
    cast.viewer.refresh_from_db()
    assert cast.viewer.zone == ""


def test_a_zone_that_is_no_longer_known_gives_way_to_the_organisations(cast: Cast, logged_in) -> None:
    User.objects.filter(pk=cast.viewer.pk).update(zone="Mars/Phobos")
    response = logged_in(cast.viewer).get("/me/")
    assert response.status_code == 200
    assert " UTC</time>" in response.content.decode()


def test_what_opens_first_is_one_of_the_views_one_sees(cast: Cast, logged_in) -> None:
    own = SavedView.objects.create(owner=cast.viewer, name="Mine", path="/glossary/")
    foreign = SavedView.objects.create(owner=cast.owner, name="Theirs", path="/glossary/")
    client = logged_in(cast.viewer)
    assert client.post("/me/", {"zone": "", "landing": str(foreign.pk)}).status_code == 400
    assert client.post("/me/", {"zone": "", "landing": str(own.pk)}).status_code == 302
    cast.viewer.refresh_from_db()
    assert cast.viewer.landing_view == own
    assert "opens first" in client.get("/me/").content.decode()


@pytest.mark.parametrize("address", ["/me/", "/me/menu/", "/views/", "/views/1/", "/glossary/", "/search/?q=x"])
def test_nothing_is_shown_without_logging_in(address: str, client, db: None) -> None:
    response = client.get(address)
    assert response.status_code == 302
    assert response.url.startswith("/accounts/login/")
