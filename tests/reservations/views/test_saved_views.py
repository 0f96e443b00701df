import pytest
from django.test import Client

from reservations.models import SavedView
from tests.fixtures.cast import PASSWORD, Cast

pytestmark = pytest.mark.django_db
PAGE = "/glossary/?seen=1"


def kept(client: Client, **more: str) -> SavedView:
    response = client.post("/views/", {"name": "Words", "path": PAGE} | more)
    assert response.status_code == 302, response.content.decode()
    return SavedView.objects.latest("pk")


def test_a_view_is_saved_from_its_page_and_opened_again(cast: Cast, logged_in) -> None:
    client = logged_in(cast.viewer)
    response = client.post("/views/", {"name": "Words", "path": PAGE + "#busy"}, follow=True)
    assert response.request["PATH_INFO"] == "/glossary/"
    assert "“Words” is kept" in response.content.decode()
    view = SavedView.objects.get()
    assert (view.path, view.owner, view.shared) == (PAGE, cast.viewer, False)
    assert client.get(f"/views/{view.pk}/").url == PAGE
    assert "Words" in client.get("/views/").content.decode()
    assert "Words" in client.get("/me/menu/").content.decode()


def test_another_persons_private_view_is_as_if_it_were_not_there(cast: Cast, logged_in) -> None:
    view = kept(logged_in(cast.viewer))
    client = logged_in(cast.outsider)
    for address in (f"/views/{view.pk}/", "/views/999999/"):
        assert client.get(address).status_code == 404
        assert client.post(address, {"name": "mine"}).status_code == 404
        assert client.post(f"{address}delete/").status_code == 404
    assert "Words" not in client.get("/views/").content.decode()
    assert SavedView.objects.get().name == "Words"


def test_a_shared_view_is_opened_by_everybody_and_changed_by_its_owner_alone(cast: Cast, logged_in) -> None:
    view = kept(logged_in(cast.viewer), shared="on")
    client = logged_in(cast.nobody)
    assert client.get(f"/views/{view.pk}/").url == PAGE
    page = client.get("/views/").content.decode()
    assert "shared by viewer" in page
    assert f'action="/views/{view.pk}/"' not in page
    assert client.post(f"/views/{view.pk}/", {"name": "mine"}).status_code == 404
    assert client.post(f"/views/{view.pk}/delete/").status_code == 404


def test_a_shared_view_shows_no_more_than_its_reader_may_see(cast: Cast, logged_in) -> None:
    view = kept(logged_in(cast.owner), shared="on", path="/pools/serve-h100/2026-03/")
    assert logged_in(cast.outsider).get(f"/views/{view.pk}/", follow=True).status_code == 404


def test_a_view_is_renamed_and_deleted(cast: Cast, logged_in) -> None:
    client = logged_in(cast.viewer)
    view = kept(client)
    assert client.post(f"/views/{view.pk}/", {"name": "Terms", "shared": "on"}).url == "/views/"
    view.refresh_from_db()
    assert (view.name, view.shared) == ("Terms", True)
    assert client.post(f"/views/{view.pk}/delete/").url == "/views/"
    assert not SavedView.objects.exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"name": "", "path": PAGE}, "Give it a name."),
        ({"name": "x" * 81, "path": PAGE}, "at most 80 characters"),
        ({"name": "Away", "path": "//evil.example.com/"}, "Only an address of this site can be kept"),
        ({"name": "Away", "path": "https://evil.example.com/"}, "Only an address of this site can be kept"),
        ({"name": "Script", "path": "javascript:alert(1)"}, "Only an address of this site can be kept"),
        ({"name": "Head", "path": "/fleet/\r\nX: 1"}, "Only an address of this site can be kept"),
        ({"name": "Nowhere", "path": "/no/such/page/"}, "No page of this site stands at that address."),
        ({"name": "Circle", "path": "/views/1/"}, "itself opens a saved view"),
    ],
)
def test_what_cannot_be_kept_is_refused_in_a_sentence(given: dict[str, str], said: str, cast: Cast, logged_in) -> None:
    response = logged_in(cast.viewer).post("/views/", given)
    assert response.status_code == 400
    assert said in response.content.decode()
    assert not SavedView.objects.exists()


def test_a_name_that_is_taken_is_refused_when_saving_and_when_renaming(cast: Cast, logged_in) -> None:
    client = logged_in(cast.viewer)
    kept(client)
    assert client.post("/views/", {"name": "Words", "path": PAGE}).status_code == 400
    other = kept(client, name="Others")
    response = client.post(f"/views/{other.pk}/", {"name": "Words"})
    assert response.status_code == 400
    assert "You have a view called “Words” already" in response.content.decode()


def test_a_name_is_shown_as_it_was_typed(cast: Cast, logged_in) -> None:
    client = logged_in(cast.viewer)
    kept(client, name="<b>bold</b>", shared="on")
    for address in ("/views/", "/me/", "/me/menu/"):
        page = client.get(address).content.decode()
        assert "<b>bold</b>" not in page
        assert "&lt;b&gt;bold&lt;/b&gt;" in page


def test_a_form_from_elsewhere_keeps_nothing(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.viewer, backend="django.contrib.auth.backends.ModelBackend")
    assert client.post("/views/", {"name": "Words", "path": PAGE}).status_code == 403
    assert not SavedView.objects.exists()


def test_the_view_somebody_chose_opens_after_the_log_in_unless_another_page_was_asked_for(cast: Cast) -> None:
    client = Client()
    view = SavedView.objects.create(owner=cast.viewer, name="Words", path=PAGE)
    cast.viewer.landing_view = view
    cast.viewer.save()
    entry = {"login": "viewer", "password": PASSWORD}
    assert client.post("/accounts/login/", entry).url == PAGE
    client.logout()
    assert client.post("/accounts/login/?next=/me/", entry | {"next": "/me/"}).url == "/me/"
    client.logout()
    view.delete()
    assert client.post("/accounts/login/", entry).url == "/"
