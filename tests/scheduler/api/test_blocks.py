"""Jobs over the API: registered once, reported on, listed, and the clock of their block."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from reservations.domain.tokens import Scope
from reservations.models import Owner, Reservation, User
from reservations.services.sealed import opened
from scheduler.domain.outside_address import networks
from scheduler.models import CheckpointDuration, EndingJob
from tests.fixtures.cast import Cast
from tests.fixtures.trainer import BUCKET
from tests.reservations.api.calling import problem, token_of
from tests.scheduler.blocks_that_end import SECRET, block

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def held(cast: Cast) -> Reservation:
    """A block of the team serving that ends in ten hours, to the minute."""
    end = timezone.now().replace(second=0, microsecond=0) + 10 * HOUR
    return block("cr-0b10c", "serving", end_at=end, usable_until=end - HOUR / 2)


def body(**told: Any) -> dict[str, Any]:
    return {
        "reservation": "cr-0b10c",
        "id": "pretrain-7",
        "stop_hook_url": "https://trainer.example.com/stop/very-secret-path",
        "stop_hook_secret": SECRET.replace(" ", "-"),
        "checkpoint": f"s3://{BUCKET}/pretrain-7",
        "decision": "pause",
    } | told


class Asking:
    """Somebody who calls with a token."""

    def __init__(self, user: User, scopes: tuple[Scope, ...] = (Scope.JOBS,)) -> None:
        self.client = Client()
        self.headers = {"Authorization": f"Bearer {token_of(user, scopes)}"}

    def send(self, method: str, path: str, told: object) -> HttpResponse:
        sending = getattr(self.client, method)
        return sending(f"/api/v1/{path}", json.dumps(told), content_type="application/json", headers=self.headers)

    def register(self, **told: Any) -> HttpResponse:
        return self.send("post", "jobs", body(**told))

    def get(self, path: str, **query: object) -> HttpResponse:
        return self.client.get(f"/api/v1/{path}", query, headers=self.headers)


def test_a_job_is_registered_with_its_deadline_and_nothing_secret_comes_back(
    cast: Cast, held: Reservation, storage: Any
) -> None:
    response = Asking(cast.owner).register(
        checkpoint_durations=[{"seconds": 90.5}], decision="fall_back", fallback_instance_type="p5.48xlarge",
        fallback_nodes=2, fallback_pool="serve-h100", resume_tested_on="2026-05-01", resume_test_passed=True,
    )  # fmt: skip
    assert response.status_code == 201
    told = response.json()
    deadline = held.usable_until - timedelta(seconds=690.5)
    assert datetime.fromisoformat(told["checkpoint_deadline"]) == deadline
    assert (told["state"], told["owner"], told["checkpoint_seconds"]) == ("registered", "serving", 90.5)
    assert told["stop_hook"] == "https://trainer.example.com:443"
    assert "secret" not in response.content.decode()
    row = EndingJob.objects.get()
    assert opened(row.stop_hook_secret) == "a-secret-of-the-trainer"
    assert "a-secret-of-the-trainer" not in row.stop_hook_secret
    assert row.registered_by_name == "owner"


def test_the_same_registration_twice_is_one_job_whose_durations_add_up(
    cast: Cast, held: Reservation, storage: Any
) -> None:
    asking = Asking(cast.owner)
    first = asking.register(checkpoint_durations=[{"seconds": 60, "measured_at": "2026-05-01T10:00:00Z"}])
    again = asking.register(checkpoint_durations=[{"seconds": 60, "measured_at": "2026-05-01T10:00:00Z"}])
    more = asking.register(checkpoint_durations=[{"seconds": 70, "measured_at": "2026-05-01T11:00:00Z"}])
    assert [one.status_code for one in (first, again, more)] == [201, 200, 200]
    assert {one.json()["number"] for one in (first, again, more)} == {EndingJob.objects.get().pk}
    assert CheckpointDuration.objects.count() == 2


@pytest.mark.parametrize("other", [{"decision": "renew"}, {"stop_hook_secret": "quite-another-secret"}])
def test_another_registration_under_the_same_id_is_refused(
    cast: Cast, held: Reservation, storage: Any, other: dict[str, str]
) -> None:
    asking = Asking(cast.owner)
    asking.register()
    response = asking.register(**other)
    assert response.status_code == 409
    assert problem(response)["detail"].startswith("pretrain-7 is registered on cr-0b10c already, with other content")
    assert EndingJob.objects.get().decision == "pause"


@pytest.mark.parametrize(
    ("told", "parameter", "sentence"),
    [
        ({"expected_end_at": "2026-05-01T10:00:00"}, "expected_end_at", "has no offset"),
        ({"expected_end_at": "2020-05-01T10:00:00Z"}, "expected_end_at", "has passed"),
        ({"expected_end_at": "soon"}, "expected_end_at", "is not an instant"),
        ({"checkpoint": "checkpoints/run"}, "checkpoint", "write it as s3://bucket/prefix"),
        ({"checkpoint": "s3://checkpoints"}, "checkpoint", "a whole bucket"),
        ({"checkpoint": "s3://no-such-bucket/run"}, "checkpoint", "There is no bucket no-such-bucket."),
        ({"stop_hook_url": "ftp://trainer.example.com/"}, "stop_hook_url", "begins with https"),
        ({"stop_hook_url": "https://me:pw@trainer.example.com/"}, "stop_hook_url", "must not hold a user"),
        ({"stop_hook_url": "http://169.254.169.254/"}, "stop_hook_url", "private network"),
        ({"stop_hook_secret": "short"}, "stop_hook_secret", "16 to 200"),
        ({"decision": "fall_back"}, "fallback_instance_type", "needs an instance type"),
        ({"fallback_pool": "no-such"}, "fallback_pool", "There is no pool “no-such”"),
        ({"resume_tested_on": "2026-05-01"}, "resume_tested_on", "whether it passed"),
        ({"resume_tested_on": "2199-05-01", "resume_test_passed": True}, "resume_tested_on", "not been made yet"),
        ({"checkpoint_durations": [{"seconds": 7201}]}, "checkpoint_durations", "at most 7200 seconds"),
        ({"checkpoint_durations": [{"seconds": 5, "measured_at": "2190-01-01T00:00Z"}]}, "checkpoint_durations", "yet"),
        ({"id": " "}, "id", "1 to 128 characters"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused_in_one_sentence_and_nothing_is_written(
    cast: Cast, held: Reservation, storage: Any, told: dict[str, Any], parameter: str, sentence: str
) -> None:
    response = Asking(cast.owner).register(**told)
    assert response.status_code == 422
    said = problem(response)
    assert (said["errors"][0]["parameter"], said["detail"].count("\n")) == (parameter, 0)
    assert sentence in said["detail"]
    assert EndingJob.objects.count() == CheckpointDuration.objects.count() == 0


@pytest.mark.parametrize(
    ("end", "sentence"),
    [(None, "has no end"), (timedelta(0), "has ended"), (timedelta(minutes=20), "being taken away")],
)  # fmt: skip
def test_a_block_without_an_end_ahead_takes_no_jobs(
    cast: Cast, held: Reservation, storage: Any, end: timedelta | None, sentence: str
) -> None:
    held.end_at = None if end is None else timezone.now() + end
    held.usable_until = None
    held.save()
    response = Asking(cast.owner).register()
    assert response.status_code == 422
    assert sentence in problem(response)["detail"]


def test_a_prefix_without_rights_is_refused_and_nothing_is_written(
    cast: Cast, held: Reservation, storage: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from botocore.exceptions import ClientError

    from scheduler.trainers.checkpoint_store import CheckpointStore

    class Forbidding:
        def list_objects_v2(self, **given: object) -> None:
            raise ClientError({"Error": {"Code": "AccessDenied", "Message": "no"}}, "ListObjectsV2")

    monkeypatch.setattr(CheckpointStore, "_client", lambda self: Forbidding())
    response = Asking(cast.owner).register()
    assert response.status_code == 422
    assert "may not be read: allow s3:ListBucket and s3:GetObject" in problem(response)["detail"]
    assert EndingJob.objects.count() == 0


def test_who_may_register_hangs_on_the_team_of_the_job(cast: Cast, held: Reservation, storage: Any) -> None:
    assert Asking(cast.outsider).register().status_code == 404
    assert Asking(cast.viewer).register().status_code == 403
    assert Asking(cast.analyst).register().status_code == 403
    assert Asking(cast.owner).register(owner="robotics").status_code == 403
    assert Asking(cast.owner, (Scope.READ_RESERVATIONS,)).register().status_code == 403
    assert EndingJob.objects.count() == 0
    held.memberships.create(pool=cast.pool, period=(held.start_at, None))
    assert Asking(cast.borrower).register(owner="research").status_code == 201


def test_a_job_reports_and_is_over_once(cast: Cast, held: Reservation, storage: Any) -> None:
    asking = Asking(cast.owner)
    number = asking.register().json()["number"]
    end = (held.end_at - 3 * HOUR).isoformat()
    told = {"checkpoint_durations": [{"seconds": 30}], "expected_end_at": end}
    told["plan"] = {"decision": "renew"}
    first = asking.send("patch", f"jobs/{number}", told).json()
    assert (first["checkpoints_measured"], first["will_finish"], first["decision"]) == (1, True, "renew")
    assert asking.send("patch", f"jobs/{number}", {"expected_end_at": None}).json()["expected_end_at"] is None
    assert asking.register().status_code == 200, "the registration is still the same one"
    for _ in range(2):
        over = asking.send("patch", f"jobs/{number}", {"state": "finished"})
        assert (over.status_code, over.json()["state"]) == (200, "finished")
    refused = asking.send("patch", f"jobs/{number}", {"state": "withdrawn"})
    assert refused.status_code == 409
    assert problem(refused)["detail"] == "pretrain-7 is finished already: nothing more comes of it."
    assert asking.register().status_code == 201, "it runs again"


def test_a_report_is_for_those_who_answer_for_the_job(cast: Cast, held: Reservation, storage: Any) -> None:
    number = Asking(cast.owner).register().json()["number"]
    assert Asking(cast.viewer).send("patch", f"jobs/{number}", {"state": "finished"}).status_code == 403
    assert Asking(cast.outsider).send("patch", f"jobs/{number}", {"state": "finished"}).status_code == 404
    assert Asking(cast.outsider).get(f"jobs/{number}").status_code == 404
    assert Asking(cast.owner).get(f"jobs/{2**63}").status_code == 404
    bad = Asking(cast.owner).send("patch", f"jobs/{number}", {"expected_end_at": "2020-01-01T00:00Z"})
    assert bad.status_code == 422
    assert EndingJob.objects.get().state == "registered"


def test_the_clock_tells_until_when_jobs_may_start_and_what_to_copy_onto_them(
    cast: Cast, held: Reservation, storage: Any
) -> None:
    asking = Asking(cast.owner)
    asking.register()
    told = asking.get("blocks/cr-0b10c/clock").json()
    assert told == asking.get(f"blocks/{held.arn}/clock").json()
    deadline = held.usable_until - timedelta(minutes=20)
    assert datetime.fromisoformat(told["no_admit_after"]) == deadline
    assert told["will_not_finish"] == ["pretrain-7"]
    assert told["metadata"]["labels"] == {
        "moorage/reservation": "cr-0b10c",
        "moorage/end-at": f"{held.end_at.astimezone(UTC):%Y%m%dT%H%M%SZ}",
        "moorage/usable-until": f"{held.usable_until.astimezone(UTC):%Y%m%dT%H%M%SZ}",
        "moorage/no-admit-after": f"{deadline.astimezone(UTC):%Y%m%dT%H%M%SZ}",
    }
    assert told["metadata"]["annotations"]["moorage/end-at"] == f"{held.end_at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    assert Asking(cast.outsider).get("blocks/cr-0b10c/clock").status_code == 404
    held.end_at = None
    held.save()
    assert "has no end" in problem(asking.get("blocks/cr-0b10c/clock"))["detail"]


def test_jobs_are_listed_for_those_who_may_see_them(cast: Cast, held: Reservation, storage: Any) -> None:
    asking = Asking(cast.owner)
    for place in range(3):
        asking.register(id=f"run-{place}")
    assert asking.get("jobs", limit=2).json()["total"] == 3
    assert [one["id"] for one in asking.get("jobs", limit=2, offset=1).json()["rows"]] == ["run-1", "run-2"]
    assert asking.get("jobs", state="finished").json()["rows"] == []
    assert asking.get("jobs", reservation="cr-0b10c").json()["total"] == 3
    assert asking.get("jobs", reservation="cr-other").json()["total"] == 0
    assert Asking(cast.outsider).get("jobs").json()["total"] == 0


def test_a_hook_on_this_machine_is_taken_once_its_network_is_configured(
    cast: Cast, held: Reservation, storage: Any, settings: Any
) -> None:
    settings.PRIVATE_NETWORKS = ()
    assert Asking(cast.owner).register(stop_hook_url="http://127.0.0.1:8000/").status_code == 422
    settings.PRIVATE_NETWORKS = networks(["127.0.0.0/8"])
    assert Asking(cast.owner).register(stop_hook_url="http://127.0.0.1:8000/").status_code == 201


def test_a_reservation_nobody_owns_needs_a_job_with_an_owner(cast: Cast, held: Reservation, storage: Any) -> None:
    held.owner = None
    held.save()
    admin = User.objects.create_user("admin-of-all")
    admin.grants.create(role="admin")
    assert "Nobody answers for cr-0b10c" in problem(Asking(admin).register())["detail"]
    assert "There is no team “nobody”" in problem(Asking(admin).register(owner="nobody"))["detail"]
    Owner.objects.create(name="nobody")
    assert Asking(admin).register(owner="nobody").status_code == 201
