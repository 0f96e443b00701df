"""A small site to walk: two teams with an object of each kind, and a person for every role, of one team and of all."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from django.db.backends.postgresql.psycopg_any import DateTimeTZRange
from django.test import Client
from django.utils import timezone

from reservations.domain.access import Role
from reservations.models import AccessToken, Owner, Pool, Queue, RoleGrant, SavedView, User
from reservations.selectors.pools import pool_rows
from scheduler.models import AllocationRun, CalendarFeed, KeptScenario, NotificationRoute, Recommendation, Renewal
from scheduler.services.recommendations import recommend
from telemetry.models import Recollection
from tests.fixtures.cast import PASSWORD
from tests.reservations.holdings import holding
from tests.scheduler.alerted import alerted
from tests.scheduler.blocks_that_end import block, job

MONTH = datetime(2026, 3, 1, tzinfo=UTC)
OURS, THEIRS = "serving", "robotics"


@dataclass(frozen=True)
class Member:
    """Somebody with one role at most; ``team`` blank: of the whole organisation."""

    user: User
    client: Client
    role: Role | None = None
    team: str = ""
    own: dict[str, object] = field(default_factory=dict)

    @property
    def said(self) -> str:
        return f"{self.role or 'nobody'} of {self.team or 'all'}"


@dataclass(frozen=True)
class Site:
    """``objects``: what each team has, by the name under which addresses speak of it."""

    members: tuple[Member, ...]
    objects: dict[str, dict[str, object]]


def site() -> Site:
    """All of it, in the transaction of whoever asks."""
    teams = {name: Owner.objects.create(name=name) for name in (OURS, THEIRS)}
    objects = {name: _objects(team) for name, team in teams.items()}
    members = [_member(None, None), *(_member(role, team) for role in Role for team in (None, teams[OURS]))]
    return Site(tuple(members), objects)


def _member(role: Role | None, team: Owner | None) -> Member:
    user = User.objects.create_user(f"{role or 'nobody'}-{team or 'all'}", password=PASSWORD)
    if role is not None:
        RoleGrant.objects.create(user=user, role=role, team=team)
    client = Client(raise_request_exception=False)
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return Member(user, client, role, team.name if team else "", _belongings(user))


def _belongings(user: User) -> dict[str, object]:
    now = timezone.now()
    view = SavedView.objects.create(owner=user, name="mine", path="/fleet/")
    token = AccessToken.objects.create(
        user=user, name="mine", prefix="moorage_000000", secret_hash=f"{user.pk:064x}", scopes=["jobs"],
        created_at=now, expires_at=now + timedelta(days=1),
    )  # fmt: skip
    feed = CalendarFeed.objects.create(
        name="mine", prefix="0", secret_hash=f"{user.pk:064x}", made_by=user, made_at=now
    )
    route = NotificationRoute.objects.create(
        user=user, name="mine", channel="email", address_sealed="x", shown="m…", made_at=now
    )
    run = AllocationRun.objects.create(
        scenario="{}", gpus=8, steps=1, jobs=1, time_limit_seconds=1, asked_by=user, asked_by_name="x", asked_at=now
    )
    scenario = KeptScenario.objects.create(
        kept_by=user, key=f"{user.pk:012x}", name="mine", scenario="{}", gpus=8, steps=1, jobs=1, kept_at=now
    )
    return {
        "view_id": view.pk, "token_id": token.pk, "feed_id": feed.pk, "route": route.pk, "run": run.pk,
        "key": scenario.key,
    }  # fmt: skip


def _objects(team: Owner) -> dict[str, object]:
    now = timezone.now()
    pool = Pool.objects.create(name=f"pool-{team}", owner=team, instance_type="p5.48xlarge", gpus_per_node=8)
    Queue.objects.create(pool=pool, cluster_queue=f"cq-{team}", owner=team, workload="serving")
    held = holding(f"cr-{team}", pool=pool, owner=team.name)
    ends = now + timedelta(days=5)
    usable = ends - timedelta(minutes=30)
    ending = block(f"cr-b10c{team}", owner=team.name, start_at=now, end_at=ends, usable_until=usable, last_seen_at=now)
    by_hand = holding(f"by-hand-{team}", pool=pool, owner=team.name, kind="manual")
    renewal = Renewal.objects.create(reservation=ending, end_at=ending.end_at, proposed_at=now, moved_at=now)
    recommend(as_of=now, made_at=now, pools=[row for row in pool_rows() if row.id == pool.pk])
    advice = Recommendation.objects.get(pool=pool)
    route = NotificationRoute.objects.create(
        owner=team, name="on call", channel="email", address_sealed="x", shown="m…", made_at=now
    )
    again = Recollection.objects.create(
        pool=pool, period=DateTimeTZRange(MONTH, MONTH + timedelta(hours=1)), asked_key=team.name, asked_at=now,
        asked_by_name="x", total_hours=1,
    )  # fmt: skip
    episode = alerted(f"cr-{team}", pool=pool.name, owner=team.name, teams=[team.name])
    return {
        "name": pool.name, "pool": pool.pk, "reservation": held.pk, "block": ending.pk,
        "by_hand": by_hand.pk, "renewal": renewal.pk,
        "recommendation": advice.pk, "alert": episode.pk, "team_route": route.pk, "recollection": again.pk,
        "job": job(ending, f"run-{team}").pk, "external_id": held.external_id, "block_id": ending.external_id,
        "owner": team.name,
    }  # fmt: skip
