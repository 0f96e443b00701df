"""What is refused on a request's page or by the API changes nothing, and is an event with its sentence."""

import json

import pytest
from django.test import Client

from reservations.domain.tokens import Scope
from reservations.models import AuditEvent, ExceptionMove
from tests.reservations.api.calling import token_of
from tests.reservations.asked import Desk, desk, newest

pytestmark = pytest.mark.django_db


@pytest.fixture
def at_desk(db: None) -> Desk:
    return desk()


@pytest.mark.parametrize("way", ["page", "api"])
@pytest.mark.parametrize("move", ["approve", "return", "reject"])
def test_a_decision_that_is_refused_is_told_by_whom_and_why(at_desk: Desk, way: str, move: str) -> None:
    request_id, client = at_desk.submit(), Client()
    moves = ExceptionMove.objects.count()
    said = {"content_hash": newest(request_id).content_hash, "reason": "It is mine."}
    if way == "page":
        client.force_login(at_desk.asks, backend="django.contrib.auth.backends.ModelBackend")
        answer = client.post(f"/exceptions/{request_id}/{move}/", said)
        assert answer.status_code == 409
    else:
        secret = token_of(at_desk.asks, [Scope.APPROVE_EXCEPTIONS])
        answer = client.post(
            f"/api/v1/exceptions/{request_id}/{move}",
            json.dumps(said),
            content_type="application/json",
            headers={"Authorization": f"Bearer {secret}"},
        )
        assert answer.status_code == 422
    event = AuditEvent.objects.latest("sequence")
    assert (event.act, event.ident, event.by_name, event.via) == ("exception_refused", str(request_id), "asks", way)
    assert json.loads(event.after)["tried"] == move
    assert len(event.why) > 20
    assert ExceptionMove.objects.count() == moves
