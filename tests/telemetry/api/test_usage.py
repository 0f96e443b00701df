"""``/usage``: the rows of the command, a page at a time, for what a caller may see and for a time that makes sense."""

import io
import json
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reservations.models import Organisation
from telemetry.models import PoolHour
from telemetry.services.days import refresh_days
from tests.fixtures.cast import MONTH, Cast
from tests.reservations.api.calling import Caller, problem, token_of

pytestmark = pytest.mark.django_db

FIVE_DAYS = {"from": "2026-03-01T00:00Z", "to": "2026-03-06T00:00Z"}


def printed(*words: str) -> dict[str, object]:
    out = io.StringIO()
    call_command("usage", *words, "--format", "json", stdout=out)
    return json.loads(out.getvalue())


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata", "America/St_Johns"])
@pytest.mark.parametrize("by", [None, "hour", "day", "month"])
def test_the_rows_are_those_of_the_command(by: str | None, zone: str, cast: Cast, collected: list[PoolHour]) -> None:
    Organisation.objects.create(pk=1, accounting_zone=zone)
    PoolHour.objects.filter(pk=collected[3].pk).update(flags=["thin", "counter_reset"])
    refresh_days(pool_id=cast.pool.pk, hours=[collected[3].hour])
    caller = Caller(token_of(cast.analyst))
    cut = {} if by is None else {"by": by}
    told = caller.get("usage", month="2026-03", limit=1000, **cut).json()
    more = caller.get("usage", month="2026-03", limit=1000, offset=1000, **cut).json()
    command = printed("--month", "2026-03", *(() if by is None else ("--by", by)))
    assert told["rows"] + more["rows"] == command["rows"]
    assert told["period"] == command["period"]
    assert told["total"] == len(command["rows"])


def test_hours_between_two_instants_are_those_of_the_command(cast: Cast, collected: list[PoolHour]) -> None:
    asked = {"from": "2026-03-03T01:00+01:00", "to": "2026-03-03T05:00Z"}
    told = Caller(token_of(cast.owner)).get("usage", pool="serve-h100", by="hour", **asked).json()
    words = ("--from", asked["from"], "--to", asked["to"], "--pool", "serve-h100", "--by", "hour")
    assert told["rows"] == printed(*words)["rows"]
    assert len(told["rows"]) == 5


def test_a_time_that_is_not_over_ends_where_hours_were_due_and_tells_of_hours_that_came_early(cast: Cast) -> None:
    now = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    early = now + timedelta(hours=5)
    PoolHour.objects.create(
        pool=cast.pool, hour=early, source="trace", reserved=1, paid=1, final=True, read_at=now, busy=1
    )
    refresh_days(pool_id=cast.pool.pk, hours=[early])
    start, end = now - timedelta(hours=6), now + timedelta(hours=9)
    for by in ("hour", "day", None):
        asked = {"from": start.isoformat(), "to": end.isoformat()} | ({"by": by} if by else {})
        told = Caller(token_of(cast.owner)).get("usage", pool="serve-h100", **asked).json()
        words = ["--from", asked["from"], "--to", asked["to"], "--pool", "serve-h100", *(["--by", by] if by else [])]
        assert told["rows"] == printed(*words)["rows"]
        assert told["period"]["to_date"] is True


def test_pages_put_together_are_the_whole(cast: Cast, collected: list[PoolHour]) -> None:
    caller = Caller(token_of(cast.analyst))
    whole = caller.get("usage", by="day", limit=1000, **FIVE_DAYS).json()
    pages = [caller.get("usage", by="day", limit=3, offset=3 * place, **FIVE_DAYS).json() for place in range(5)]
    assert [row for page in pages for row in page["rows"]] == whole["rows"]
    assert {page["total"] for page in pages} == {10}
    assert pages[4]["rows"] == []


def test_everybody_sees_the_pools_of_their_teams(cast: Cast, collected: list[PoolHour]) -> None:
    for person, pools in ((cast.analyst, ["arms", "serve-h100"]), (cast.borrower, ["serve-h100"]), (cast.nobody, [])):
        rows = Caller(token_of(person)).get("usage", month="2026-03").json()["rows"]
        assert [row["pool"] for row in rows] == pools


def test_unknown_is_null_and_every_digit_is_there(cast: Cast, collected: list[PoolHour]) -> None:
    hour = MONTH + timedelta(hours=90)
    asked = {"from": hour.isoformat(), "to": (hour + timedelta(hours=1)).isoformat()}
    text = Caller(token_of(cast.owner)).get("usage", pool="serve-h100", **asked).content.decode()
    assert '"idle_held_gpu_hours": null' in text
    assert '"unknown_gpu_hours": 0.0002158' in text


@pytest.mark.parametrize(
    ("asked", "parameter", "said"),
    [
        ({}, "month", "month, or from and to"),
        ({"month": "2026-13"}, "month", "“2026-13” is not a month"),
        ({"month": "1969-12"}, "month", "between 1970-01"),
        ({"month": "May"}, "month", "write it as 2026-05"),
        ({"month": "2026-03", "from": "2026-03-01T00:00Z"}, "month", "not both"),
        ({"from": "2026-03-01T00:00Z"}, "month", "month, or from and to"),
        ({"from": "2026-03-02T00:00Z", "to": "2026-03-01T00:00Z"}, "to", "not after"),
        ({"from": "2026-03-01T00:00Z", "to": "2026-03-01T00:00Z"}, "to", "not after"),
        ({"from": "2026-03-01T00:00", "to": "2026-03-02T00:00Z"}, "from", "no offset"),
        ({"from": "2026-03-01T00:30Z", "to": "2026-03-02T00:00Z"}, "from", "not a whole hour"),
        ({"from": "yesterday", "to": "2026-03-02T00:00Z"}, "from", "not an instant"),
        ({"from": "0001-01-01T00:00+14:00", "to": "2026-03-02T00:00Z"}, "from", "between 1970 and 2199"),
        ({"from": "2016-03-01T00:00Z", "to": "2026-03-01T00:00Z"}, "to", "1\u202f830 days"),
        ({"from": "2025-01-01T00:00Z", "to": "2026-03-01T00:00Z", "by": "hour"}, "to", "400 days"),
        ({**FIVE_DAYS, "by": "week"}, "by", "hour"),
        ({**FIVE_DAYS, "limit": 1001}, "limit", "1000"),
        ({**FIVE_DAYS, "offset": "9" * 40}, "offset", "10000000"),
    ],
)
def test_a_time_that_cannot_be_asked_for_is_told_in_one_sentence(
    asked: dict[str, object], parameter: str, said: str, cast: Cast
) -> None:
    response = Caller(token_of(cast.analyst)).get("usage", **asked)
    assert response.status_code == 422
    told = problem(response)
    assert [error["parameter"] for error in told["errors"]] == [parameter]
    assert said in told["detail"]


def test_the_longest_time_by_hour_takes_few_queries(cast: Cast, collected: list[PoolHour]) -> None:
    PoolHour.objects.filter(pk=collected[3].pk).update(flags=["thin"])
    refresh_days(pool_id=cast.pool.pk, hours=[collected[3].hour])
    caller = Caller(token_of(cast.analyst))
    asked = {"from": "2025-03-01T00:00Z", "to": "2026-04-01T00:00Z", "by": "hour", "limit": 1000, "offset": 18000}
    caller.get("usage", **asked)
    with CaptureQueriesContext(connection) as queries:
        told = caller.get("usage", **asked).json()
    assert told["total"] == 2 * 396 * 24
    assert len(queries) <= 10
