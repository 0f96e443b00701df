"""The trail tells the whole of a version of the rule: whose, of which days, and the document that was published."""

import json
from datetime import timedelta

import pytest

from reservations.models import AuditEvent
from reservations.services.procurement_rules import draft_rule, publish_rule
from tests.reservations.asked import AT, DOCUMENT, TODAY, desk

pytestmark = pytest.mark.django_db


def test_drafts_and_the_publication_tell_owner_days_and_the_document_by_its_hash() -> None:
    at_desk = desk()
    later = TODAY + timedelta(days=30)
    version = draft_rule(document=DOCUMENT, owner="serving", by=at_desk.checks.pk, at=AT)
    draft_rule(document=DOCUMENT, owner="robotics", by=at_desk.checks.pk, at=AT, version=version, effective_to=later)
    publish_rule(version=version, by=at_desk.approves.pk, at=AT, today=TODAY)
    rows = AuditEvent.objects.filter(about="procurement_rule").order_by("sequence")
    first, second, published = ((row.act, json.loads(row.before or "null"), json.loads(row.after)) for row in rows)
    assert [row[0] for row in (first, second, published)] == ["rule_drafted", "rule_drafted", "rule_published"]
    assert (second[1], second[2]["owner"]) == (first[2], "robotics")
    assert (second[2]["effective_from"], second[2]["effective_to"]) == (None, later.isoformat())
    assert published[2]["effective_from"] == TODAY.isoformat()
    assert published[2]["effective_to"] == later.isoformat()
    assert len(published[2]["document_sha256"]) == 64
    assert published[2]["document_sha256"] == second[2]["document_sha256"]
    assert published[2]["document"] == json.loads(json.dumps(DOCUMENT))
