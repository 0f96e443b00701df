"""Access tokens are made once, kept as a hash, live a year at most and die for good."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, transaction

from reservations.domain.tokens import LONGEST_LIFE, SHOWN, Scope, is_alive, is_secret, secret_hash
from reservations.models import AccessToken
from reservations.selectors.tokens import bearer_of, tokens_of
from reservations.services.tokens import MOST_TOKENS, UnableToMakeToken, make_token, note_token_use, revoke_token
from tests.fixtures.cast import Cast

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)
DAY = timedelta(days=1)


def made(cast: Cast, *, life: timedelta = DAY, at: datetime = NOW) -> str:
    return make_token(user_id=cast.owner.pk, name="nightly", scopes=[Scope.READ_USAGE], life=life, at=at)


def test_a_secret_is_kept_nowhere(cast: Cast) -> None:
    secret = made(cast)
    row = AccessToken.objects.values().get()
    assert is_secret(secret)
    assert secret not in str(row)
    assert secret[SHOWN:] not in str(row)
    assert row["secret_hash"] == secret_hash(secret)
    assert secret.startswith(row["prefix"])


def test_no_two_secrets_are_alike(cast: Cast) -> None:
    assert len({made(cast) for _ in range(20)}) == 20


def test_a_secret_speaks_for_its_person_until_it_expires(cast: Cast) -> None:
    secret = made(cast)
    bearer = bearer_of(secret=secret, as_of=NOW)
    assert bearer is not None
    assert (bearer.person.name, bearer.scopes, bearer.note_use) == ("owner", {Scope.READ_USAGE}, True)
    assert bearer_of(secret=secret, as_of=NOW + DAY - timedelta(microseconds=1)) is not None
    assert bearer_of(secret=secret, as_of=NOW + DAY) is None
    assert bearer_of(secret=secret + "0", as_of=NOW) is None
    assert bearer_of(secret=secret_hash(secret), as_of=NOW) is None
    assert bearer_of(secret=secret.upper(), as_of=NOW) is None


def test_a_revoked_token_is_dead_from_then_on_and_cannot_be_revoked_by_somebody_else(cast: Cast) -> None:
    secret = made(cast)
    (token,) = tokens_of(user_id=cast.owner.pk, as_of=NOW)
    assert not revoke_token(token_id=token.id, user_id=cast.viewer.pk, at=NOW)
    assert bearer_of(secret=secret, as_of=NOW) is not None
    assert revoke_token(token_id=token.id, user_id=cast.owner.pk, at=NOW)
    assert not revoke_token(token_id=token.id, user_id=cast.owner.pk, at=NOW + DAY)
    assert bearer_of(secret=secret, as_of=NOW) is None
    assert tokens_of(user_id=cast.owner.pk, as_of=NOW) == []


def test_an_inactive_persons_token_is_dead(cast: Cast) -> None:
    secret = made(cast)
    cast.owner.is_active = False
    cast.owner.save()
    assert bearer_of(secret=secret, as_of=NOW) is None


@pytest.mark.parametrize("life", [timedelta(0), -DAY, LONGEST_LIFE + timedelta(microseconds=1)])
def test_no_token_lives_longer_than_a_year_or_not_at_all(life: timedelta, cast: Cast) -> None:
    with pytest.raises(UnableToMakeToken, match="366 days at most"):
        made(cast, life=life)
    assert made(cast, life=LONGEST_LIFE)


def test_the_database_holds_the_same(cast: Cast) -> None:
    made(cast)
    for change in ({"expires_at": NOW + timedelta(days=367)}, {"expires_at": NOW}, {"scopes": []}, {"scopes": ["all"]}):
        with pytest.raises(IntegrityError), transaction.atomic():
            AccessToken.objects.update(**change)


def test_nobody_collects_tokens_without_end(cast: Cast) -> None:
    for _ in range(MOST_TOKENS):
        made(cast)
    with pytest.raises(UnableToMakeToken, match="revoke one"):
        made(cast)
    assert made(cast, at=NOW + DAY)


def test_a_use_is_noted_when_the_last_note_is_old(cast: Cast) -> None:
    made(cast)
    token = AccessToken.objects.get()
    for minutes, noted in ((0, 0), (5, 0), (10, 10)):
        note_token_use(token_id=token.pk, at=NOW + timedelta(minutes=minutes))
        token.refresh_from_db()
        assert token.last_used_at == NOW + timedelta(minutes=noted)


def test_a_token_that_is_revoked_in_the_future_still_lives() -> None:
    assert is_alive(expires_at=NOW + DAY, revoked_at=NOW + timedelta(hours=1), at=NOW)
