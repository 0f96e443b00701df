import csv
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from reservations.models import Reservation
from scheduler.domain.renewal.standing import AtEnd
from scheduler.models import EndStep, Renewal
from scheduler.selectors.alert_facts import alert_facts
from scheduler.services.renewals import plan_end, propose_renewals
from scheduler.services.renewals.stepping import Mover
from tests.fixtures.cast import Cast
from tests.scheduler.blocks_that_end import block, job

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def ending(minutes: int) -> Reservation:
    """A block of the team serving whose machines go so many minutes from now."""
    usable = timezone.now() + minutes * MINUTE
    return block("cr-0b10c", "serving", end_at=usable + 30 * MINUTE, usable_until=usable)


def page(client: Client, held: Reservation) -> str:
    response = client.get(f"/blocks/{held.pk}/clock/")
    assert response.status_code == 200
    return response.content.decode()


def test_the_clock_says_how_long_jobs_may_start_and_what_each_one_waits_for(cast: Cast, logged_in) -> None:
    held = ending(200)
    job(held, "pretrain-7")
    html = page(logged_in(cast.viewer), held)
    assert "Jobs may be started on it for another 2 h 59 min." in html
    assert "1 job on it is watched, and none needs a person." in html
    assert "Nothing: Moorage asks it to stop at its deadline." in html
    assert "will not finish by itself" in html
    assert "10 min, assumed: none was measured" in html
    assert 'data-copy="moorage/end-at: &quot;' in html
    assert "nothing is started any more that cannot finish" in html


def test_a_job_in_trouble_says_why_and_what_to_do(cast: Cast, logged_in) -> None:
    held = ending(-5)
    job(held, "pretrain-7", measured=(60, 90))
    html = page(logged_in(cast.owner), held)
    assert "Its machines are being taken away. 1 job needs a person now." in html
    assert "Nobody had asked it to stop when its machines began to be taken" in html
    assert "Save what can be saved by hand." in html
    assert "of 2 measured" in html


def test_a_job_that_does_not_go_with_the_plan_for_the_end_says_so_on_the_page_and_in_its_file_and_alert(
    cast: Cast, logged_in
) -> None:
    now = timezone.now()
    held = ending(60)
    job(held, "pretrain-7", decision="renew")
    assert "plans differ" not in page(logged_in(cast.owner), held)
    propose_renewals(as_of=now - timedelta(hours=1))
    renewal = Renewal.objects.get(reservation=held)
    plan_end(pk=renewal.pk, at_end=AtEnd.PAUSE, by=Mover(None, "ada"), at=now, today=now.date())
    said = "It is registered to go on on what follows the block, but by the plan for the end the work pauses"
    client = logged_in(cast.owner)
    assert said in page(client, held)
    assert said in client.get(f"/blocks/{held.pk}/clock/jobs.csv").content.decode()
    (block_fact,) = alert_facts(as_of=now).blocks
    assert block_fact.jobs[0].at_odds.startswith(said)


def test_a_block_without_jobs_says_how_one_registers(cast: Cast, logged_in) -> None:
    html = page(logged_in(cast.owner), ending(60))
    assert "No job has registered on this block" in html
    assert "manage.py register_job" in html


def test_what_was_done_is_a_table_and_a_file(cast: Cast, logged_in) -> None:
    held = ending(5)
    made = job(held, "=1+2")
    EndStep.objects.create(
        job=made, end_at=held.end_at, step="request_stop", intended_at=timezone.now(), attempts=3, outcome="It is down."
    )
    client = logged_in(cast.owner)
    assert "It is down." in page(client, held)
    steps = client.get(f"/blocks/{held.pk}/clock/steps.csv").content.decode().splitlines()
    assert steps[0] == "id,step,end_at,intended_at,done_at,attempts,outcome"
    assert steps[1].startswith("'=1+2,ask it to stop,")
    (only,) = csv.DictReader(client.get(f"/blocks/{held.pk}/clock/jobs.csv").content.decode().splitlines())
    assert datetime.fromisoformat(only["checkpoint_deadline"]) == held.usable_until - 20 * MINUTE
    assert client.get(f"/blocks/{held.pk}/clock/jobs.xlsx").status_code == 200
    assert client.get(f"/blocks/{held.pk}/clock/others.csv").status_code == 404


def test_who_may_not_see_the_reservation_does_not_see_its_clock(cast: Cast, logged_in) -> None:
    held = ending(60)
    client = logged_in(cast.outsider)
    assert client.get(f"/blocks/{held.pk}/clock/").status_code == 404
    assert client.get(f"/blocks/{held.pk}/clock/jobs.csv").status_code == 404


def test_a_reservation_without_an_end_has_no_clock(cast: Cast, logged_in) -> None:
    endless = block("cr-0e", "serving", end_at=None, usable_until=None)
    response = logged_in(cast.owner).get(f"/blocks/{endless.pk}/clock/")
    assert response.status_code == 404
    assert "cr-0e has no end, and so it has no clock." in response.content.decode()


def test_the_page_of_a_reservation_that_ends_leads_to_its_clock(cast: Cast, logged_in) -> None:
    held = ending(60)
    client = logged_in(cast.owner)
    assert f"/blocks/{held.pk}/clock/" in client.get(f"/reservations/{held.pk}/").content.decode()


def test_the_page_makes_no_more_queries_for_many_jobs(cast: Cast, logged_in) -> None:
    held = ending(60)
    for place in range(20):
        made = job(held, f"run-{place}", measured=(60, 70))
        EndStep.objects.create(job=made, end_at=held.end_at, step="request_stop", intended_at=timezone.now())
    client = logged_in(cast.owner)
    with CaptureQueriesContext(connection) as queries:
        page(client, held)
    assert len(queries) <= 12
