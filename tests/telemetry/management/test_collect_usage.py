"""``collect_usage`` from the outside: one sentence for what is wrong, JSON alone on stdout, the rest goes on."""

import json
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from telemetry.models import CollectionRun, PoolHour, PoolSource
from tests.telemetry.services.collected_fleet import NOWHERE, pool, source
from tests.telemetry.services.other_process import running

pytestmark = pytest.mark.django_db

MORNING = ("--from", "2026-05-04T10:00Z", "--to", "2026-05-04T13:00Z")


def run(*words: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("collect_usage", *words, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def refused(*words: str) -> str:
    with pytest.raises(CommandError) as raised:
        run(*words)
    return str(raised.value)


@pytest.mark.parametrize(
    ("start", "end", "sentence"),
    [
        ("2026-05-04T10:00", "2026-05-04T11:00Z", "“2026-05-04T10:00” has no offset: add Z for UTC or one like +02:00"),
        ("2026-05-04", "2026-05-05", "“2026-05-04” has no offset: add Z for UTC or one like +02:00"),
        ("yesterday", "2026-05-04T11:00Z", "“yesterday” is not an instant: write it as 2026-05-01T10:00Z"),
        ("2026-05-04T10:30Z", "2026-05-04T11:00Z", "--from and --to must be whole hours"),
        ("2026-05-04T10:00Z", "2026-05-04T11:00:01Z", "--from and --to must be whole hours"),
        ("2026-05-04T10:00+05:30", "2026-05-04T11:00+05:30", "--from and --to must be whole hours"),
        ("2026-05-04T11:00Z", "2026-05-04T10:00Z", "--to must come after --from"),
        ("2026-05-04T11:00Z", "2026-05-04T11:00Z", "--to must come after --from"),
    ],
)
def test_a_period_that_cannot_be_meant_is_refused_in_one_sentence(start: str, end: str, sentence: str) -> None:
    pool("serving-h100")
    assert refused("--from", start, "--to", end) == sentence
    assert (PoolHour.objects.count(), CollectionRun.objects.count()) == (0, 0)


def test_hours_that_have_not_ended_are_refused_with_the_last_one_that_has() -> None:
    pool("serving-h100")
    sentence = refused("--from", "2026-05-04T10:00Z", "--to", "2199-01-01T00:00Z")
    assert sentence.startswith("--to lies in the future: the last hour that has ended ends at 20")
    assert PoolHour.objects.count() == 0


def test_an_unknown_pool_is_refused_with_the_name_that_may_be_meant() -> None:
    pool("serving-h100")
    sentence = refused(*MORNING, "--pool", "serving-h10")
    assert sentence == "there is no pool “serving-h10”; did you mean “serving-h100”?"


def test_without_any_pool_it_says_what_to_do_first() -> None:
    assert refused(*MORNING) == "there is no pool yet: describe one in a file for apply_config"


def test_an_offset_is_as_good_as_utc() -> None:
    pool("serving-h100")
    run("--from", "2026-05-04T12:00+02:00", "--to", "2026-05-04T13:00+02:00")
    assert PoolHour.objects.get().hour.isoformat() == "2026-05-04T10:00:00+00:00"


def test_json_and_csv_stand_alone_on_stdout_and_a_repetition_says_unchanged() -> None:
    pool("serving-h100", source("main"))
    out, err = run(*MORNING, "--format", "json")
    assert (json.loads(out), err) == ({"stored": 3, "unchanged": 0, "refused": 0, "failed": 0, "problems": {}}, "")
    out, err = run(*MORNING, "--format", "csv")
    assert (out, err) == ("stored,unchanged,refused,failed\n0,3,0,0\n", "")
    assert run(*MORNING) == ("0 stored, 3 unchanged, 0 refused, 0 failed\n", "")


def test_only_the_named_pool_is_collected() -> None:
    wanted, _ = pool("serving-h100"), pool("training-h200")
    run(*MORNING, "--pool", "serving-h100")
    assert set(PoolHour.objects.values_list("pool", flat=True)) == {wanted.pk}


def test_a_source_that_is_down_fails_its_own_hours_and_the_rest_goes_on() -> None:
    down, serving = pool("a-down", source("down", NOWHERE)), pool("serving-h100", source("main"))
    out, err = StringIO(), StringIO()
    with pytest.raises(CommandError, match=r"^3 of 6 pool hours were not stored$"):
        call_command("collect_usage", *MORNING, "--format", "json", stdout=out, stderr=err)
    said = json.loads(out.getvalue())
    assert (said["stored"], said["failed"]) == (3, 3)
    (sentence,) = said["problems"]
    assert "source “down” at http://127.0.0.1:9" in sentence
    assert err.getvalue() == f"{sentence} (3 pool hours)\n"
    assert PoolHour.objects.filter(pool=serving).count() == 3
    assert not PoolHour.objects.filter(pool=down).exists()


def test_another_sources_hours_are_replaced_by_force_alone() -> None:
    pool("serving-h100", source("main"))
    run(*MORNING)
    other = source("other")
    PoolSource.objects.update(source=other)
    assert refused(*MORNING) == "3 of 3 pool hours were not stored"
    assert set(PoolHour.objects.values_list("source", flat=True)) == {"main"}
    assert run(*MORNING, "--force")[0] == "3 stored, 0 unchanged, 0 refused, 0 failed\n"
    assert set(PoolHour.objects.values_list("source", flat=True)) == {"other"}


def test_hours_that_somebody_read_later_meanwhile_are_said_and_no_failure() -> None:
    pool("serving-h100", source("main"))
    run(*MORNING)
    PoolHour.objects.update(read_at=datetime.now(UTC) + timedelta(hours=1))
    out, err = run(*MORNING, "--force")
    assert out == "0 stored, 0 unchanged, 3 refused, 0 failed\n"
    assert err == "a newer reading of the hour stands already (3 pool hours)\n"


SHELL = """
from django.core.management import execute_from_command_line
execute_from_command_line(["manage.py", "collect_usage", *{words}])
"""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("words", "code", "out", "err"),
    [
        (["--from", "2026-05-04T10:00Z", "--to", "2026-05-04T09:00Z"], 1, "", "CommandError: --to must come after"),
        (["--from", "2026-05-04T10:00Z"], 2, "", "the following arguments are required: --to"),
        ([*MORNING, "--pool", "serving-h100", "--format", "json"], 0, '{"stored": 3', ""),
        ([*MORNING, "--pool", "a-down", "--format", "json"], 1, '{"stored": 0', "3 of 3 pool hours were not stored"),
    ],
)
def test_a_shell_sees_it_in_the_exit_code(words: list[str], code: int, out: str, err: str) -> None:
    pool("a-down", source("down", NOWHERE))
    pool("serving-h100")
    with running(SHELL.format(words=words)) as process:
        said, complained = process.communicate(timeout=90)
    assert process.returncode == code
    assert said.startswith(out)
    assert said.count("\n") == bool(out)
    assert err in complained
    assert bool(complained) is bool(err)
    assert "Traceback" not in complained
