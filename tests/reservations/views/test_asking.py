from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.template import Context, Template
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext

from reservations.models import Organisation, User
from reservations.views.asking import person_on, zones_on
from tests.fixtures.cast import Cast

pytestmark = pytest.mark.django_db
AT = datetime(2026, 3, 29, 1, 30, tzinfo=UTC)


def asked_by(person: User):
    request = RequestFactory().get("/")
    request.user = person
    return request


def written(person: User, at: datetime | None) -> str:
    return Template("{% load figures %}{% seen at %}").render(Context({"request": asked_by(person), "at": at}))


def test_who_asks_and_by_which_clock_is_read_once_a_request(cast: Cast) -> None:
    request = asked_by(cast.owner)
    with CaptureQueriesContext(connection) as queries:
        for _ in range(3):
            assert person_on(request).name == "owner"
            assert zones_on(request).seen is zones_on(request).accounting
    assert len(queries) == 1


def test_a_zone_of_ones_own_needs_no_question_and_does_not_count_the_days(cast: Cast) -> None:
    cast.owner.zone = "Europe/Berlin"
    zones = zones_on(asked_by(cast.owner))
    with CaptureQueriesContext(connection) as queries:
        assert zones.seen == ZoneInfo("Europe/Berlin")
    assert not zones.used
    assert len(queries) == 0
    assert str(zones.accounting) == "UTC"
    assert zones.used


def test_an_instant_is_written_by_the_readers_clock_and_for_machines_in_utc(cast: Cast) -> None:
    Organisation.objects.create(id=1, accounting_zone="Asia/Kolkata")
    assert written(cast.owner, AT) == '<time datetime="2026-03-29T01:30:00Z">29 Mar 2026, 07:00 Asia/Kolkata</time>'
    cast.owner.zone = "Europe/Berlin"
    assert ">29 Mar 2026, 03:30 Europe/Berlin<" in written(cast.owner, AT)
    assert written(cast.owner, None) == "–"
