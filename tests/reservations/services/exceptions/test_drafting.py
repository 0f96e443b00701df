"""Drafts are kept while they are typed, and what can't be submitted is refused with one sentence a field."""

from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from reservations.domain.procurement.attachment import UnableToAttach
from reservations.domain.procurement.typed import UnableToReadRequest
from reservations.models import ExceptionAttachment, ExceptionRequest, ExceptionVersion, ProcurementRule
from reservations.services import exceptions
from reservations.services.exceptions import UnableToMoveRequest
from tests.reservations.asked import AT, TODAY, TYPED, Desk, desk, evidence, newest

pytestmark = pytest.mark.django_db


@pytest.fixture
def at_desk(db: None) -> Desk:
    return desk()


def test_a_draft_needs_no_more_than_its_pool_and_counts_its_saves(at_desk: Desk) -> None:
    first = exceptions.save_draft_exception(typed={"pool": "serve-h100"}, by=at_desk.asks.pk, at=AT)

    again = exceptions.save_draft_exception(
        request_id=first.request_id, saves=1, typed={"pool": "serve-h100", "nodes": "4"}, by=at_desk.asks.pk, at=AT
    )

    assert (first.saves, again.saves, newest(first.request_id).typed["nodes"]) == (1, 2, "4")


def test_what_another_window_saved_is_not_overwritten_unseen(at_desk: Desk) -> None:
    draft = at_desk.draft()
    said = {"request_id": draft.request_id, "saves": draft.saves, "by": at_desk.asks.pk, "at": AT}
    exceptions.save_draft_exception(typed={**TYPED, "nodes": "5"}, **said)

    with pytest.raises(UnableToMoveRequest, match="saved by asks in another window meanwhile"):
        exceptions.save_draft_exception(typed={**TYPED, "nodes": "6"}, **said)
    assert newest(draft.request_id).typed["nodes"] == "5"


def test_a_form_that_is_sent_twice_makes_one_draft(at_desk: Desk) -> None:
    key = uuid4()
    made = [exceptions.save_draft_exception(typed=TYPED, by=at_desk.asks.pk, at=AT, key=key) for _ in range(2)]

    assert made[0] == made[1]
    assert ExceptionRequest.objects.count() == 1


def test_nobody_asks_for_another_teams_pool(at_desk: Desk) -> None:
    with pytest.raises(UnableToMoveRequest, match="You may not ask for an exception for the pool serve-h100"):
        exceptions.save_draft_exception(typed=TYPED, by=at_desk.outsider.pk, at=AT)


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("amount", "1,250,000 USD", "“1,250,000 USD” is not an amount: write digits and a point"),
        ("amount", "-5", "“-5” is not an amount"),
        ("amount", "1e9", "“1e9” is not an amount"),
        ("currency", "US Dollars", "use its three letters"),
        ("currency", "EUR", "The rule's approval steps are in USD"),
        ("term_end", "2026-03-31", "The end must lie after the start, 1 Apr 2026."),
        ("term_end", "2026-02-30", "“2026-02-30” is not a day: write it as 2026-01-31."),
        ("nodes", "4.5", "write whole nodes"),
        ("nodes", "٤", "write whole nodes"),
        ("kind", "because", "Choose in what it departs from the rule."),
        ("reason", "Needed.", "Say in at least 20 characters"),
        ("expected_busy_share", "75 %", "write it from 0 to 1, as 0.75"),
        ("answer_demand_ahead", "", "Answer this as well"),
    ],
)
def test_what_can_not_be_submitted_is_refused_with_a_sentence_beside_its_field(
    at_desk: Desk, field: str, value: str, sentence: str
) -> None:
    draft = at_desk.draft(**{field: value})

    with pytest.raises(UnableToReadRequest) as refused:
        at_desk.submit(draft.request_id)

    assert list(refused.value.problems) == [field]
    assert sentence in refused.value.problems[field]
    assert newest(draft.request_id).submitted_at is None


def test_a_justification_of_a_thousand_pages_is_refused_before_anything_is_kept(at_desk: Desk) -> None:
    with pytest.raises(UnableToReadRequest, match="attach what is longer as a file"):
        at_desk.draft(reason="x" * 3_000_000)
    assert not ExceptionRequest.objects.exists()


def test_past_the_decision_date_it_is_asked_for_as_late(at_desk: Desk) -> None:
    draft = at_desk.draft()
    late = evidence(decide_by=AT.date().replace(day=1))

    with pytest.raises(UnableToReadRequest, match="The decision date, 1 Mar 2026, has passed: ask as"):
        exceptions.submit_exception(
            request_id=draft.request_id, saves=None, evidence=late, by=at_desk.asks.pk, at=AT, today=TODAY
        )


def test_evidence_that_is_not_what_its_hash_says_freezes_nothing(at_desk: Desk) -> None:
    draft = at_desk.draft()
    forged = exceptions.Evidence('{"rule_nodes":99}', evidence().hash)

    with pytest.raises(UnableToMoveRequest, match="The evidence is not whole"):
        exceptions.submit_exception(
            request_id=draft.request_id, saves=None, evidence=forged, by=at_desk.asks.pk, at=AT, today=TODAY
        )


def test_without_a_rule_in_force_nobody_can_ask(db: None) -> None:
    at_desk = desk()
    late = TODAY.replace(year=2031)
    other = ProcurementRule.objects.create(
        version=2,
        owner=at_desk.pool.owner,
        document={},
        effective_from=late,
        status=ProcurementRule.Status.PUBLISHED,
    )
    assert other.pk
    draft = at_desk.draft()

    with pytest.raises(UnableToMoveRequest, match="No procurement rule is in force"):
        exceptions.submit_exception(
            request_id=draft.request_id, saves=None, evidence=evidence(), by=at_desk.asks.pk, at=AT, today=late
        )


def test_a_submitted_version_and_its_files_never_change_whoever_asks_the_database(at_desk: Desk) -> None:
    draft = at_desk.draft()
    exceptions.attach_file(
        request_id=draft.request_id, name="quote.txt", content=b"A quote.", by=at_desk.asks.pk, at=AT
    )
    at_desk.submit(draft.request_id)

    for change in (
        lambda: ExceptionVersion.objects.update(amount=1),
        lambda: ExceptionVersion.objects.all()._raw_delete("default"),
        lambda: ExceptionAttachment.objects.update(name="other.txt"),
        lambda: ExceptionAttachment.objects.all()._raw_delete("default"),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()
    with pytest.raises(UnableToMoveRequest, match="It is no draft any more"):
        exceptions.attach_file(request_id=draft.request_id, name="b.txt", content=b"B", by=at_desk.asks.pk, at=AT)


def test_files_are_taken_by_their_content_and_kept_under_a_harmless_name(at_desk: Desk) -> None:
    draft = at_desk.draft()
    said = {"request_id": draft.request_id, "by": at_desk.asks.pk, "at": AT}

    exceptions.attach_file(name='../../a"b\r\n.pdf', content=b"%PDF-1.7 and more", **said)

    kept = ExceptionAttachment.objects.get()
    assert (kept.name, kept.media_type, kept.size) == ("a_b__.pdf", "application/pdf", 17)
    for name, content in (
        ("quote.pdf", b"<html><script>alert(1)</script>"),
        ("page.html", b"<html></html>"),
        ("picture.png", b"%PDF-1.7"),
        ("empty.txt", b""),
        ("macro.docx", b"PK\x03\x04[Content_Types].xml word/ vbaProject.bin"),
        ("large.txt", b"a" * (5 * 1024 * 1024 + 1)),
    ):
        with pytest.raises(UnableToAttach):
            exceptions.attach_file(name=name, content=content, **said)
    assert ExceptionAttachment.objects.count() == 1
