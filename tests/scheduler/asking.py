"""Requests made through the pages, around the cast and a published rule."""

from collections.abc import Mapping
from datetime import UTC, datetime
from uuid import uuid4

from django.test import Client
from django.utils.html import strip_tags

from reservations.models import ExceptionRequest, ExceptionVersion, Owner, ProcurementRule, RoleGrant, User
from tests.fixtures.cast import PASSWORD, Cast
from tests.reservations.asked import DOCUMENT

SAID: Mapping[str, str] = {
    "kind": "over_rule",
    "pool": "serve-h100",
    "shape": "p5.48xlarge",
    "nodes": "4",
    "term_start": "2027-04-01",
    "term_end": "2027-06-01",
    "amount": "240000.00",
    "currency": "USD",
    "reason": "A launch in May doubles what is served at peak.",
    "consequence": "Requests are queued at peak.",
    "answer_demand_ahead": "The launch, signed in February.",
}
STEPS = [{"up_to": "100000", "role": "analyst"}, {"up_to": "1000000", "role": "approver"}]


def publish_rule(cast: Cast, **changed: object) -> ProcurementRule:
    """Version 1 of the rule: an analyst up to 100 000 USD, an approver up to a million besides."""
    document = {**DOCUMENT, "steps": STEPS, **changed}
    return ProcurementRule.objects.create(
        version=1, owner=cast.pool.owner, document=document, status=ProcurementRule.Status.PUBLISHED
    )


def client_of(person: User) -> Client:
    """A browser of its own in which this person is logged in."""
    client = Client()
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return client


def words(text: str) -> str:
    """What a page says, without its tags."""
    return " ".join(strip_tags(text.replace("<", " <")).replace("\u202f", " ").split())


def seen(client: Client, address: str, status: int = 200) -> str:
    """The words of a page that answers with this status."""
    response = client.get(address)
    assert response.status_code == status, words(response.content.decode())[:600]
    return words(response.content.decode())


def somebody(name: str, role: str, team: Owner | None = None) -> User:
    """One more person with one role, granted long ago."""
    user = User.objects.create_user(name, password=PASSWORD, email=f"{name}@example.com")
    RoleGrant.objects.create(user=user, role=role, team=team, granted_at=datetime(2025, 1, 1, tzinfo=UTC))
    return user


def begun(client: Client, pool: str = "serve-h100", nodes: str = "4") -> int:
    """A draft begun by who is logged in."""
    answer = client.post("/exceptions/new/", {"pool": pool, "nodes": nodes, "key": str(uuid4())})
    assert answer.status_code == 302, answer.content.decode()[:400]
    return int(answer.headers["Location"].split("/")[2])


def newest(pk: int) -> ExceptionVersion:
    """The newest version of a request."""
    request = ExceptionRequest.objects.get(pk=pk)
    return ExceptionVersion.objects.get(request=request, number=request.version)


def written(client: Client, pk: int, **said: str) -> None:
    """The draft says ``SAID`` and this."""
    sent = {**SAID, "saves": str(newest(pk).saves), **said}
    answer = client.post(f"/exceptions/{pk}/draft/", {**sent, "do": "save"})
    assert answer.status_code == 302, answer.content.decode()[:4000]


def submitted(client: Client, **said: str) -> int:
    """A request of who is logged in, submitted."""
    pk = begun(client)
    written(client, pk, **said)
    answer = client.post(f"/exceptions/{pk}/submit/", {"saves": str(newest(pk).saves), "key": str(uuid4())})
    assert answer.status_code == 302, answer.content.decode()[:4000]
    return pk


def decide(client: Client, pk: int, move: str, **said: str) -> object:
    """A decision of who is logged in about exactly what is there."""
    sent = {"content_hash": newest(pk).content_hash, "key": str(uuid4()), **said}
    return client.post(f"/exceptions/{pk}/{move}/", sent)


def state(pk: int) -> str:
    """Where a request stands."""
    return ExceptionRequest.objects.get(pk=pk).state
