"""Calling the API as programs do: with a token and nothing else."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.test import Client
from django.utils import timezone

from reservations.domain.tokens import Scope
from reservations.models import User
from reservations.services.tokens import make_token


def token_of(
    user: User, scopes: Collection[Scope] = tuple(Scope), *, at: datetime | None = None, days: int = 30
) -> str:
    """The secret of a token that was made at an instant, else just now."""
    made_at = timezone.now() if at is None else at
    return make_token(user_id=user.pk, name="a test", scopes=scopes, life=timedelta(days=days), at=made_at)


class Caller:
    """``Caller(secret).get("usage", month="2026-03")``: the answer to a call below ``/api/v1/``."""

    def __init__(self, secret: str | None) -> None:
        self.client = Client(raise_request_exception=True)
        self.headers = {} if secret is None else {"Authorization": f"Bearer {secret}"}

    def get(self, path: str, **query: object):
        return self.client.get(f"/api/v1/{path}", query, headers=self.headers)


def problem(response) -> dict[str, object]:
    """What a refusal says; it must be one sentence for people and give nothing away of how we are built."""
    assert response["Content-Type"] == "application/problem+json"
    told = response.json()
    assert set(told) == {"type", "title", "status", "detail", "errors"}
    assert told["status"] == response.status_code
    assert told["detail"].endswith(".")
    assert "Traceback" not in response.content.decode()
    return told
