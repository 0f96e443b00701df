"""Hours are asked for once more from a page, by who may, and their progress is seen by who may see the pool."""

import subprocess
import sys
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from reservations.models import Organisation, Owner, RoleGrant, User
from telemetry.models import PoolHour, Recollection
from telemetry.services.recollecting import run_recollections
from telemetry.tasks import run_recollections as task
from tests.fixtures.cast import PASSWORD, Cast
from tests.telemetry.views.pages import said

pytestmark = pytest.mark.django_db
ASK = "/health/data/recollections/"


@pytest.fixture(autouse=True)
def told(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
    """What workers were told."""
    calls: list[dict[str, object]] = []
    monkeypatch.setattr(task, "apply_async", lambda **options: calls.append(options))
    return calls


@pytest.fixture
def operator(cast: Cast) -> User:
    made = User.objects.create_user("operator", password=PASSWORD)
    RoleGrant.objects.create(user=made, role="operator", team=Owner.objects.get(name="serving"))
    return made


def form(pool: str = "serve-h100", hours: int = 3, **more: str) -> dict[str, str]:
    end = timezone.now().replace(minute=0, second=0, microsecond=0, tzinfo=None) - timedelta(hours=1)
    return {
        "pool": pool,
        "from": f"{end - timedelta(hours=hours):%Y-%m-%dT%H:%M}",
        "to": f"{end:%Y-%m-%dT%H:%M}",
        "key": "one",
        **more,
    }


@pytest.mark.django_db(transaction=True)
def test_an_operator_asks_and_is_shown_the_progress(
    cast: Cast, operator: User, told: list[dict[str, object]], logged_in
) -> None:
    client = logged_in(operator)
    response = client.post(ASK, form(force="1"))
    made = Recollection.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"{ASK}{made.pk}/")
    assert (made.asked_by_name, made.force, made.total_hours) == ("operator", True, 3)
    assert told == [{"retry": False}]
    page = client.get(response["Location"]).content.decode()
    assert 'hx-trigger="every 2s"' in page
    assert 'aria-live="polite"' in page
    assert "Take it back" in page


def test_the_same_form_sent_twice_is_one_request(cast: Cast, operator: User, logged_in) -> None:
    client = logged_in(operator)
    first, second = client.post(ASK, form()), client.post(ASK, form())
    assert first["Location"] == second["Location"]
    assert Recollection.objects.count() == 1


def test_a_range_without_an_offset_is_read_by_the_accounting_clock(cast: Cast, operator: User, logged_in) -> None:
    Organisation.objects.update_or_create(pk=1, defaults={"accounting_zone": "Asia/Kolkata"})
    logged_in(operator).post(ASK, form() | {"from": "2026-05-09T00:00", "to": "2026-05-10T00:00"})
    period = Recollection.objects.get().period
    assert period.lower == datetime.fromisoformat("2026-05-08T19:00+00:00")
    assert period.upper == datetime.fromisoformat("2026-05-09T19:00+00:00")


@pytest.mark.parametrize("who", ["owner", "borrower", "viewer", "analyst", "approver"])
def test_who_may_see_a_pool_and_not_collect_is_told_so(who: str, cast: Cast, logged_in) -> None:
    response = logged_in(getattr(cast, who)).post(ASK, form())
    assert response.status_code == 403
    assert "role of an operator" in said(response)
    assert not Recollection.objects.exists()


@pytest.mark.parametrize("who", ["outsider", "nobody"])
def test_another_team_s_pool_is_no_pool(who: str, cast: Cast, logged_in) -> None:
    client = logged_in(getattr(cast, who))
    there, absent = client.post(ASK, form()), client.post(ASK, form(pool="never"))
    assert (there.status_code, absent.status_code) == (404, 404)
    assert said(there).replace("serve-h100", "never") == said(absent)


def test_an_operator_of_one_team_collects_no_other_s_hours(cast: Cast, operator: User, logged_in) -> None:
    assert logged_in(operator).post(ASK, form(pool="arms")).status_code == 404


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"from": "2026-05-10T00:00", "to": "2026-05-09T00:00"}, "ends before it begins"),
        ({"from": "2016-05-10T00:00", "to": "2026-05-09T00:00"}, "at most 31 days"),
        ({"to": "2199-01-01T00:00", "from": "2198-12-31T00:00"}, "has ended"),
        ({"from": "yesterday"}, "“yesterday” is not a time"),
        ({"from": ""}, "is not a time"),
        ({"from": "0001-01-01T00:00"}, "is not a time"),
        ({"from": "9999-12-31T23:59-23:00"}, "is not a time"),
    ],
)
def test_a_range_that_is_no_good_says_why(
    wrong: dict[str, str], sentence: str, cast: Cast, operator: User, logged_in
) -> None:
    response = logged_in(operator).post(ASK, form() | wrong)
    assert response.status_code == 400
    assert sentence in said(response)
    assert not Recollection.objects.exists()


def test_hours_under_way_are_said_to_be(cast: Cast, operator: User, logged_in) -> None:
    client = logged_in(operator)
    client.post(ASK, form())
    response = client.post(ASK, form(key="two"))
    assert response.status_code == 400
    assert "operator asked for the hours" in said(response)


@pytest.mark.django_db(transaction=True)
def test_a_queue_that_cannot_be_reached_keeps_the_request_and_says_so(
    cast: Cast, operator: User, monkeypatch: pytest.MonkeyPatch, logged_in
) -> None:
    from kombu.exceptions import OperationalError

    def down(**options: object) -> None:
        raise OperationalError("nobody there")

    monkeypatch.setattr(task, "apply_async", down)
    page = said(logged_in(operator).post(ASK, form(), follow=True))
    assert "The request is kept and begins by itself" in page
    assert Recollection.objects.get().state == "queued"


def test_how_it_ended_lists_what_was_refused_and_why(
    cast: Cast, operator: User, collected: list[PoolHour], logged_in
) -> None:
    client = logged_in(operator)
    client.post(ASK, form() | {"from": "2026-03-01T00:00", "to": "2026-03-01T04:00"})
    number = Recollection.objects.get().pk
    Recollection.objects.update(
        state="done",
        started_at=timezone.now(),
        finished_at=timezone.now(),
        done_hours=4,
        stored=2,
        refused=2,
        message="2 of 4 hours were stored, 2 were refused.",
        problems=[
            {
                "status": "refused",
                "why": "the hour is final and this reading knows less of it",
                "from": "2026-03-01T01:00:00+00:00",
                "to": "2026-03-01T03:00:00+00:00",
            }
        ],
    )
    page = client.get(f"{ASK}{number}/")
    assert "2 of 4 hours were stored, 2 were refused." in said(page)
    assert "2 hours refused: the hour is final and this reading knows less of it" in said(page)
    assert "every 2s" not in page.content.decode()
    part = client.get(f"{ASK}{number}/", headers={"hx-request": "true"}).content.decode()
    assert part.lstrip().startswith('<div class="recollection"')


def test_a_request_is_taken_back_by_who_may_collect(cast: Cast, operator: User, logged_in) -> None:
    client = logged_in(operator)
    client.post(ASK, form())
    number = Recollection.objects.get().pk
    assert logged_in(cast.owner).post(f"{ASK}{number}/cancel/").status_code == 403
    client = logged_in(operator)
    assert "cancelled operator took it back" in said(client.post(f"{ASK}{number}/cancel/", follow=True))
    assert "It had ended already." in said(client.post(f"{ASK}{number}/cancel/", follow=True))
    assert run_recollections(clock=timezone.now) == 0


@pytest.mark.parametrize("who", ["outsider", "nobody"])
def test_a_request_for_another_team_s_pool_is_not_there(who: str, cast: Cast, operator: User, logged_in) -> None:
    logged_in(operator).post(ASK, form())
    number = Recollection.objects.get().pk
    client = logged_in(getattr(cast, who))
    for address in (f"{ASK}{number}/", f"{ASK}99999/"):
        assert client.get(address).status_code == 404
    assert client.post(f"{ASK}{number}/cancel/").status_code == 404
    assert "serve-h100" not in said(client.get(f"{ASK}{number}/"))


def test_asking_is_by_post_with_a_token_of_the_form(cast: Cast, operator: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(operator, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get(ASK).status_code == 405
    assert client.post(ASK, form()).status_code == 403
    assert not Recollection.objects.exists()


def test_only_who_may_collect_is_offered_it(cast: Cast, operator: User, collected: list[PoolHour], logged_in) -> None:
    form_page, hours = "/health/data/?see=collection", "/health/data/?see=hours&days=92"
    now = timezone.now().replace(minute=0, second=0, microsecond=0)
    PoolHour.objects.filter(pk=collected[0].pk).update(hour=now - timedelta(hours=30), flags=["thin"])
    assert "Collect these hours again" in said(logged_in(operator).get(form_page))
    assert "Collect again" in said(logged_in(operator).get(hours))
    assert "Collect these hours again" not in said(logged_in(cast.viewer).get(form_page))
    assert "Collect again" not in said(logged_in(cast.viewer).get(hours))


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_down_is_noticed_soon(data_dir, cast: Cast) -> None:
    script = """
import os, time
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django
django.setup()
from kombu.exceptions import OperationalError
from telemetry.tasks import run_recollections
began = time.monotonic()
try:
    run_recollections.apply_async(retry=False)
except OperationalError:
    print("down", time.monotonic() - began < 10)
"""
    from tests.fixtures.commands import clean_environment
    from tests.fixtures.parts import ROOT

    environment = clean_environment(
        data_dir, REDIS_URL="redis://127.0.0.1:9/0", DATABASE_URL="postgres://x@127.0.0.1/x"
    )
    run = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.stdout == "down True\n", run.stderr
