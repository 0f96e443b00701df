"""A request begins with the rule's own numbers, and is frozen with those of the moment it is submitted."""

import json
from datetime import timedelta
from decimal import Decimal

import pytest

from reservations.domain.procurement.typed import UnableToReadRequest
from reservations.models import ExceptionRequest, ExceptionVersion, ProcurementRule
from reservations.selectors.draft import draft_of
from reservations.selectors.pools import pool_named
from reservations.services.exceptions import approve_exception, save_draft_exception
from scheduler.domain.recommendation.evidence import evidence_hash
from scheduler.models import Recommendation
from scheduler.services.exceptions import (
    ask_for_exception,
    begin_exception,
    lapse_exceptions,
    submit_exception_with_evidence,
)
from tests.fixtures.cast import Cast
from tests.reservations.asked import DOCUMENT
from tests.scheduler.recommended import AS_OF, recommended

SAID = {
    "nodes": "15",
    "reason": "A launch in May doubles what is served at peak.",
    "consequence": "Requests are queued at peak.",
    "answer_demand_ahead": "The launch.",
    "answer_availability": "They wait.",
}


@pytest.fixture
def advice(cast: Cast) -> Recommendation:
    ProcurementRule.objects.create(
        version=1,
        owner=cast.pool.owner,
        status="published",
        document={**DOCUMENT, "steps": [{"up_to": "90000000", "role": "approver"}]},
    )
    return recommended(cast.pool)


def submitted(cast: Cast) -> ExceptionVersion:
    draft = begin_exception(pool=pool_named(cast.pool.name), by=cast.owner.pk, at=AS_OF)
    found = draft_of(draft.request_id)
    assert found is not None
    saved = save_draft_exception(
        request_id=draft.request_id, saves=draft.saves, typed={**found.typed, **SAID}, by=cast.owner.pk, at=AS_OF
    )
    submit_exception_with_evidence(request_id=draft.request_id, saves=saved.saves, by=cast.owner.pk, at=AS_OF)
    return ExceptionVersion.objects.get(request_id=draft.request_id)


def test_a_draft_begins_with_the_size_that_is_recommended_and_its_cost_over_the_term(
    cast: Cast, advice: Recommendation
) -> None:
    draft = begin_exception(pool=pool_named(cast.pool.name), by=cast.owner.pk, at=AS_OF)

    version = ExceptionVersion.objects.get(request_id=draft.request_id)
    assert version.typed["nodes"] == str(advice.proposed_nodes)
    assert version.typed["amount"] == str(Decimal(40) * advice.proposed_nodes * 24 * 365) + ".00"
    assert version.typed["kind"] == "over_rule"
    assert ExceptionRequest.objects.get().recommendation == advice.pk


def test_what_is_submitted_is_frozen_with_the_rules_own_numbers_and_their_hash(
    cast: Cast, advice: Recommendation
) -> None:
    version = submitted(cast)

    evidence = json.loads(version.evidence)
    assert evidence_hash(version.evidence) == version.evidence_hash
    assert evidence["rule_nodes"] == advice.rule_nodes
    assert evidence["deviation_nodes"] == 15 - advice.rule_nodes
    assert evidence["recommendation"]["evidence_hash"] == advice.evidence_hash
    assert Decimal(evidence["term_cost"]) == Decimal(40) * 15 * 24 * 365
    low, high = Decimal(evidence["regret_month_low"]), Decimal(evidence["regret_month_high"])
    assert low <= Decimal(evidence["regret_month"]) <= high
    assert evidence["coverage_share"] == "1"
    assert version.authority_amount == Decimal(40) * 15 * 24 * 365 > version.amount


def test_what_the_rule_can_not_know_is_asked_for_field_by_field(cast: Cast, advice: Recommendation) -> None:
    draft = begin_exception(pool=pool_named(cast.pool.name), by=cast.owner.pk, at=AS_OF)

    with pytest.raises(UnableToReadRequest) as refused:
        submit_exception_with_evidence(request_id=draft.request_id, saves=draft.saves, by=cast.owner.pk, at=AS_OF)
    assert set(refused.value.problems) == {"reason", "consequence", "answer_demand_ahead"}


def test_asking_for_an_exception_leads_from_the_recommendation_to_its_request(
    cast: Cast, advice: Recommendation
) -> None:
    draft = ask_for_exception(
        recommendation_id=advice.pk,
        pool=pool_named(cast.pool.name),
        reason="The launch in May needs them.",
        by=cast.owner.pk,
        by_name="owner",
        at=AS_OF,
        key=None,
    )

    advice.refresh_from_db()
    assert advice.standing == "exception_asked"
    assert ExceptionVersion.objects.get(request_id=draft.request_id).typed["reason"] == "The launch in May needs them."


def test_an_approval_lapses_by_the_clock_and_by_the_price_and_once(cast: Cast, advice: Recommendation) -> None:
    version = submitted(cast)
    approve_exception(
        request_id=version.request_id,
        content_hash=version.content_hash,
        by=cast.approver.pk,
        at=AS_OF,
        today=AS_OF.date(),
    )

    assert lapse_exceptions(at=AS_OF + timedelta(days=1)) == []
    lapsed = lapse_exceptions(at=AS_OF + timedelta(days=31))
    assert [one.request_id for one in lapsed] == [version.request_id]
    assert "was valid until" in lapsed[0].why
    assert lapse_exceptions(at=AS_OF + timedelta(days=31)) == []
