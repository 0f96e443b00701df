from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import IntegrityError, close_old_connections, connection, transaction

from reservations.models import SavedView, User
from reservations.selectors.saved_views import landing_path, saved_views_of
from reservations.services import saved_views
from reservations.services.preferences import set_preferences
from reservations.services.saved_views import UnableToSaveView, change_view, delete_view, save_view

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("ada")


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("bob")


def saved(person: User, name: str = "March", path: str = "/fleet/2026-03/", shared: bool = False) -> int:
    return save_view(user_id=person.pk, name=name, path=path, shared=shared)


def test_a_person_sees_their_own_views_first_and_those_others_share(ada: User, bob: User) -> None:
    saved(bob, "a private one")
    shared = saved(bob, "b shared", shared=True)
    own = saved(ada, "c own")
    set_preferences(user_id=ada.pk, zone="", landing_view_id=shared)
    rows = saved_views_of(user_id=ada.pk)
    assert [(row.id, row.name, row.by, row.own, row.landing) for row in rows] == [
        (own, "c own", "ada", True, False),
        (shared, "b shared", "bob", False, True),
    ]
    assert saved_views_of(user_id=None) == []


def test_a_name_is_taken_once_by_each_person(ada: User, bob: User) -> None:
    saved(ada)
    saved(bob)
    with pytest.raises(UnableToSaveView, match="“March” already"):
        saved(ada)
    other = saved(ada, "April")
    with pytest.raises(UnableToSaveView, match="“March” already"):
        change_view(view_id=other, user_id=ada.pk, name="March", shared=False)
    assert change_view(view_id=other, user_id=ada.pk, name="April", shared=True)


def test_only_addresses_of_this_site_are_kept(ada: User) -> None:
    for path in ("//evil.example.com/", "javascript:alert(1)", "/views/3/", "/a\r\nb"):
        with pytest.raises(UnableToSaveView):
            saved(ada, path=path)
    with pytest.raises(IntegrityError), transaction.atomic():
        SavedView.objects.create(owner=ada, name="round the service", path="//evil.example.com/")


def test_nobody_changes_or_deletes_another_persons_view(ada: User, bob: User) -> None:
    view = saved(ada, shared=True)
    assert not change_view(view_id=view, user_id=bob.pk, name="mine now", shared=False)
    assert not delete_view(view_id=view, user_id=bob.pk)
    assert SavedView.objects.get(pk=view).name == "March"
    assert delete_view(view_id=view, user_id=ada.pk)


def test_a_person_keeps_so_many_and_no_more(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_views, "MOST_VIEWS", 2)
    saved(ada, "one")
    saved(ada, "two")
    with pytest.raises(UnableToSaveView, match="you keep 2 views already"):
        saved(ada, "three")


def test_what_opens_first_is_forgotten_with_its_view_and_hidden_with_its_sharing(ada: User, bob: User) -> None:
    view = saved(bob, shared=True)
    set_preferences(user_id=ada.pk, zone="", landing_view_id=view)
    assert landing_path(user_id=ada.pk) == "/fleet/2026-03/"
    change_view(view_id=view, user_id=bob.pk, name="March", shared=False)
    assert landing_path(user_id=ada.pk) is None
    delete_view(view_id=view, user_id=bob.pk)
    ada.refresh_from_db()
    assert ada.landing_view_id is None


@pytest.mark.django_db(transaction=True)
def test_two_at_once_do_not_both_take_a_name() -> None:
    person = User.objects.create_user("carol")

    def attempt(_: int) -> str:
        try:
            saved(person)
        except UnableToSaveView:
            return "refused"
        finally:
            close_old_connections()
            connection.close()
        return "saved"

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(attempt, range(2))) == ["refused", "saved"]
