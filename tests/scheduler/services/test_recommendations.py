"""Recommendations in the database: made once for one evidence, kept when replaced, decided on by legal moves alone."""

import json
from datetime import timedelta
from hashlib import sha256

import pytest
from django.db import IntegrityError, transaction

from reservations.models import PriceQuote
from reservations.selectors.pools import pool_rows
from scheduler.domain.recommendation.standing import Standing
from scheduler.models import MonthReplay, Recommendation, RecommendationDecision
from scheduler.services.recommendations import UnableToDecide, decide_on, recommend
from telemetry.models import DemandHour, PoolHour
from tests.fixtures.cast import Cast
from tests.scheduler.demanded import MARCH, demand
from tests.scheduler.recommended import AS_OF, hold, recommended

pytestmark = pytest.mark.django_db


def again(*, days: float = 1) -> list[bool]:
    at = AS_OF + timedelta(days=days)
    return [made.new for made in recommend(as_of=at, made_at=at, pools=pool_rows())]


def decide(found: Recommendation, to: Standing, reason: str = "") -> bool:
    return decide_on(pk=found.pk, to=to, reason=reason, user_id=None, user_name="ada", at=AS_OF)


def test_the_same_evidence_makes_no_new_row_and_other_evidence_another_revision(cast: Cast) -> None:
    first = recommended(cast.pool)
    assert (first.action, first.current_nodes, first.rule_nodes, first.proposed_nodes) == ("shrink", 16, 14, 14)
    assert first.evidence_hash == sha256(first.evidence.encode()).hexdigest()
    assert again() == [False, False]
    PriceQuote.objects.update(reserved=62, on_demand=100)
    assert again() == [False, True]
    old, new = Recommendation.objects.filter(pool=cast.pool).order_by("revision")
    assert (old.pk, old.replaced_at is None, new.revision, new.proposed_nodes) == (first.pk, False, 2, 13)
    assert (old.evidence, old.proposed_nodes) == (first.evidence, 14)
    assert again() == [False, False]


def test_evidence_that_comes_back_is_another_revision_with_the_same_hash(cast: Cast) -> None:
    first = recommended(cast.pool)
    for reserved in (62, 40):
        PriceQuote.objects.update(reserved=reserved)
        again()
    third = Recommendation.objects.get(pool=cast.pool, replaced_at__isnull=True)
    assert (third.revision, third.evidence_hash) == (3, first.evidence_hash)


def test_a_pool_without_data_is_told_so(cast: Cast) -> None:
    recommended(cast.pool)
    none = Recommendation.objects.get(pool=cast.other)
    assert (none.action, none.proposed_nodes, none.saving, none.confidence) == ("none", None, None, "none")
    assert none.reasons[0] == "Not enough data: 0 hours of demand, and a size needs 672 (28 days)."


def test_ledger_hours_of_thin_coverage_are_left_out(cast: Cast) -> None:
    demand(cast.pool, {"serving": [4] * 680 + [90] * 300}, start=MARCH - timedelta(days=20))
    DemandHour.objects.update(source="ledger")
    hours = list(DemandHour.objects.order_by("hour").values_list("hour", flat=True))
    full = 8 * 16 * 3_600_000
    PoolHour.objects.bulk_create(
        PoolHour(
            pool=cast.pool,
            hour=hour,
            reserved=full,
            paid=full,
            expected=full,
            known=full if place < 680 else full * 89 // 100,
            read_at=hour,
        )
        for place, hour in enumerate(hours)
    )
    hold(cast.pool, 16)
    recommend(as_of=AS_OF, made_at=AS_OF, pools=pool_rows())
    found = Recommendation.objects.get(pool=cast.pool)
    assert found.proposed_nodes == 4
    assert json.loads(found.evidence)["inputs"]["trace"]["hours_left_out"] == 300


def test_a_block_and_its_decision_date_are_frozen(cast: Cast) -> None:
    found = recommended(cast.pool, kind="block", end_at=AS_OF + timedelta(days=300))
    assert (found.action, found.decides, found.proposed_nodes) == ("keep", "provider", 16)
    frozen = json.loads(found.evidence)["inputs"]["provider"]
    assert [(one["reservation"], one["may"]) for one in frozen] == [("cr-0aaa", [])]


def test_legal_moves_are_kept_with_who_and_why_and_the_same_twice_is_once(cast: Cast) -> None:
    found = recommended(cast.pool)
    assert decide(found, Standing.EXCEPTION_ASKED, " a launch in May ")
    assert not decide(found, Standing.EXCEPTION_ASKED, "again")
    assert decide(found, Standing.ACCEPTED)
    with pytest.raises(UnableToDecide, match="accepted already"):
        decide(found, Standing.REJECTED, "no")
    said = RecommendationDecision.objects.filter(recommendation=found).values_list(
        "standing", "reason", "decided_by_name"
    )
    assert list(said) == [("exception_asked", "a launch in May", "ada"), ("accepted", "", "ada")]


def test_no_decision_without_a_reason_on_nothing_or_on_what_was_replaced(cast: Cast) -> None:
    found = recommended(cast.pool)
    with pytest.raises(UnableToDecide, match="Say why"):
        decide(found, Standing.REJECTED)
    with pytest.raises(UnableToDecide, match="recommends nothing"):
        decide(Recommendation.objects.get(pool=cast.other), Standing.ACCEPTED)
    PriceQuote.objects.update(reserved=62)
    again()
    with pytest.raises(UnableToDecide, match="newer revision"):
        decide(found, Standing.ACCEPTED)
    assert not RecommendationDecision.objects.exists()


@pytest.mark.parametrize(
    "change",
    [
        {"action": "grow"},
        {"action": "none"},
        {"action": "sell"},
        {"proposed_nodes": 16},
        {"confidence": "some"},
        {"standing": "sold"},
        {"evidence_hash": "abc"},
        {"decides": "me"},
    ],
)
def test_the_database_refuses_what_does_not_fit(cast: Cast, change: dict[str, object]) -> None:
    found = recommended(cast.pool)
    with pytest.raises(IntegrityError), transaction.atomic():
        Recommendation.objects.filter(pk=found.pk).update(**change)


def test_the_database_keeps_one_revision_in_force_and_reasons_with_refusals(cast: Cast) -> None:
    found = recommended(cast.pool)
    with pytest.raises(IntegrityError), transaction.atomic():
        Recommendation.objects.create(
            **{field.name: getattr(found, field.name) for field in Recommendation._meta.fields if field.name != "id"}
            | {"revision": 2}
        )
    with pytest.raises(IntegrityError), transaction.atomic():
        RecommendationDecision.objects.create(
            recommendation=found, standing="rejected", decided_by_name="ada", decided_at=AS_OF
        )


def replayed(cast: Cast, *, nodes: int, packed: int | None, reason: str = "") -> None:
    document = {"packed_nodes": packed, "reason": reason, "coverage_share": 0.95, "inputs_hash": "a" * 64}
    MonthReplay.objects.create(
        pool=cast.pool,
        month=MARCH.date(),
        start=MARCH,
        end=MARCH + timedelta(days=31),
        hours=744,
        nodes=nodes,
        around=5,
        asked_by_name="ada",
        asked_at=AS_OF - timedelta(hours=2),
        started_at=AS_OF - timedelta(hours=1),
        finished_at=AS_OF,
        state="done",
        result=json.dumps(document),
    )


def test_a_replay_around_todays_size_can_decide_and_is_frozen(cast: Cast) -> None:
    replayed(cast, nodes=16, packed=12)
    found = recommended(cast.pool)
    assert (found.packed_nodes, found.proposed_nodes, found.decides) == (12, 12, "packed")
    assert json.loads(found.evidence)["inputs"]["replay"]["coverage_share"] == "0.95"


@pytest.mark.parametrize(
    ("nodes", "packed", "reason", "said"),
    [
        (15, 9, "", "The month was replayed around 15 nodes and 16 are held, so the rule decides alone."),
        (16, None, "not enough data: few hours", "the replay says: not enough data: few hours."),
    ],
)
def test_a_replay_that_says_nothing_leaves_the_rule_to_decide(
    cast: Cast, nodes: int, packed: int | None, reason: str, said: str
) -> None:
    replayed(cast, nodes=nodes, packed=packed, reason=reason)
    found = recommended(cast.pool)
    assert (found.packed_nodes, found.proposed_nodes, found.decides) == (None, 14, "rule")
    assert found.reasons[1].endswith(said)
