"""The five things an auditor asks for of a request: transaction, approvals, authority, delegation, trail."""

import hashlib

import pytest

from reservations.models import ExceptionVersion
from reservations.selectors.evidence import evidence_of
from reservations.tables.audit_evidence import pack_documents
from tests.reservations.asked import desk

pytestmark = pytest.mark.django_db


def test_a_request_gives_what_was_asked_who_approved_and_by_which_authority() -> None:
    at_desk = desk()
    request_id = at_desk.submit()
    at_desk.approve(request_id, at_desk.checks)
    given = {name: content for name, _, content in evidence_of("exception_request", str(request_id))}
    assert given["transaction.json"]["request"]["requester_name"] == "asks"  # type: ignore[index]
    (approval,) = given["approvals.json"]["approvals"]  # type: ignore[index]
    assert approval["person_name"] == "checks"
    assert [one["authority"] for one in given["authority.json"]["used"]] == [approval["authority"]]  # type: ignore[index]
    assert len(given["authority.json"]["rules"]) == 1  # type: ignore[index]
    assert given["delegation.json"] == []
    version = ExceptionVersion.objects.get(request_id=request_id)
    content = given["version-1-content.json"]
    assert isinstance(content, bytes)
    assert hashlib.sha256(content).hexdigest() == version.content_hash
    documents = pack_documents(evidence_of("exception_request", str(request_id)), [])
    assert {"transaction.json", "approvals.json", "authority.json", "delegation.json", "trail.jsonl"} <= {
        one.name for one in documents
    }


@pytest.mark.parametrize(("about", "ident"), [("exception_request", "999"), ("exception_request", "x"), ("price", "1")])
def test_what_there_is_not_gives_nothing(about: str, ident: str) -> None:
    assert list(evidence_of(about, ident)) == []
