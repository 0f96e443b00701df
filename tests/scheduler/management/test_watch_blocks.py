"""``watch_blocks`` and ``register_job``: the agreed keys, and one sentence for what can't be meant."""

import io
import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from reservations.services.sealed import opened
from scheduler.models import EndingJob, EndStep
from tests.fixtures.trainer import Trainer
from tests.scheduler.blocks_that_end import END, UNMEASURED, USABLE, block, job

pytestmark = pytest.mark.django_db


def command(name: str, *words: str) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command(name, *words, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_json_lists_each_block_with_the_clock_of_its_jobs(trainer: Trainer) -> None:
    job(block(), stop_hook_url=trainer.url)
    block("cr-empty")
    out, err = command("watch_blocks", "--once", "--as-of", UNMEASURED.isoformat(), "--format", "json")
    told = json.loads(out)
    assert list(told) == ["as_of", "blocks"]
    first, empty = told["blocks"]
    assert (first["reservation"], empty["reservation"], empty["jobs"]) == ("cr-0b10c", "cr-empty", [])
    assert datetime.fromisoformat(first["end"]) == END
    assert datetime.fromisoformat(first["usable_until"]) == USABLE
    assert datetime.fromisoformat(empty["no_admit_after"]) == UNMEASURED
    (one,) = first["jobs"]
    assert (one["id"], one["state"]) == ("run-1", "resumable")
    assert datetime.fromisoformat(one["checkpoint_deadline"]) == UNMEASURED
    assert one["reason"].startswith("It is paused until somebody resumes it.")
    assert err == "3 steps were taken\n"


def test_the_table_and_csv_have_a_line_for_each_job_and_for_a_block_without_any(trainer: Trainer) -> None:
    job(block(), stop_hook_url=trainer.url)
    block("cr-empty")
    early = (UNMEASURED - timedelta(hours=1)).isoformat()
    out, _ = command("watch_blocks", "--once", "--as-of", early, "--format", "csv")
    lines = out.splitlines()
    assert lines[0] == "reservation,end,usable_until,no_admit_after,id,checkpoint_deadline,state,reason"
    assert [line.split(",")[4] for line in lines[1:]] == ["run-1", ""]
    out, _ = command("watch_blocks", "--once", "--as-of", early)
    assert "registered" in out
    assert trainer.calls == 0


def test_an_instant_still_to_come_is_looked_at_and_nobody_is_stopped_for_it(trainer: Trainer) -> None:
    end = timezone.now().replace(microsecond=0) + timedelta(days=2)
    on = block("cr-ahead", end_at=end, usable_until=end - timedelta(minutes=30), start_at=end - timedelta(days=7))
    job(on, stop_hook_url=trainer.url)
    ahead = end - timedelta(minutes=45)
    out, err = command("watch_blocks", "--once", "--as-of", ahead.isoformat(), "--format", "json")
    (told,) = json.loads(out)["blocks"]
    assert (told["reservation"], [one["id"] for one in told["jobs"]]) == ("cr-ahead", ["run-1"])
    assert "nothing was asked of anybody" in err
    assert trainer.calls == 0
    assert not EndStep.objects.exists()
    out, _ = command("watch_blocks", "--once", "--format", "json")
    assert (json.loads(out)["blocks"][0]["jobs"][0]["state"], trainer.calls) == ("registered", 0)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [(("--once", "--as-of", "2026-06-10T10:00"), "has no offset"), (("--as-of", "2026-06-10T10:00Z"), "add --once")],
)
def test_an_instant_that_cannot_be_meant_is_told_in_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        command("watch_blocks", *words)


def register(secret: Path, **told: str) -> tuple[str, str]:
    words = {
        "reservation": "cr-0b10c",
        "job": "run-1",
        "stop-hook": "https://trainer.example.com/stop",
        "secret-file": str(secret),
        "checkpoint": "s3://checkpoints/run-1",
        "decision": "pause",
    }
    return command("register_job", *(f"--{name}={value}" for name, value in (words | told).items()))


def test_a_job_is_registered_from_the_command_line_as_over_the_api(storage: Any, tmp_path: Path) -> None:
    end = timezone.now() + timedelta(hours=9)
    block(end_at=end, usable_until=end)
    secret = tmp_path / "secret"
    secret.write_text("a-secret-of-the-trainer\n")
    out, _ = register(secret, **{"checkpoint-seconds": "60", "format": "json"})
    row = EndingJob.objects.get()
    assert json.loads(out) == {"number": row.pk, "id": "run-1", "new": True}
    assert (opened(row.stop_hook_secret), row.durations.get().took_ms) == ("a-secret-of-the-trainer", 60_000)
    out, _ = register(secret)
    assert out == f"run-1 was registered already as number {row.pk}\n"
    with pytest.raises(CommandError, match="registered on cr-0b10c already, with other content"):
        register(secret, decision="renew")


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({"reservation": "cr-none"}, "There is no reservation “cr-none”"),
        ({"expected-end": "2026-01-01"}, "has no offset"),
        ({"checkpoint": "nowhere"}, "write it as s3://bucket/prefix"),
        ({"secret-file": "/no/such/file"}, "the file with the secret cannot be read"),
        ({"stop-hook": "gopher://x"}, "begins with https"),
    ],
)
def test_what_cannot_be_meant_is_told_in_one_sentence_and_nothing_is_kept(
    storage: Any, tmp_path: Path, told: dict[str, str], sentence: str
) -> None:
    end = timezone.now() + timedelta(hours=9)
    block(end_at=end, usable_until=end)
    secret = tmp_path / "secret"
    secret.write_text("a-secret-of-the-trainer")
    with pytest.raises(CommandError, match=sentence) as error:
        register(secret, **told)
    assert "\n" not in str(error.value)
    assert not EndingJob.objects.exists()
