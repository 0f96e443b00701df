"""The audit trail on its pages, as files and as an evidence pack; only an auditor or an admin of all may see it."""

import hashlib
import io
import json
import zipfile
from typing import Any

import pytest
from django.test import Client

from reservations.domain.audit_chain import AuditAct
from reservations.models import AuditEvent, RoleGrant, User
from reservations.services.audit import Origin, Via, coming_from, record_event
from tests.fixtures.cast import Cast
from tests.fixtures.trail import forge

pytestmark = pytest.mark.django_db

ALL = ("/audit/", "/audit/1/", "/audit/trail.csv", "/audit/trail.jsonl", "/audit/pack.zip?about=price&ident=1")


def person(role: str, team: Any = None) -> User:
    user = User.objects.create_user(f"{role}-of-{team or 'all'}")
    RoleGrant.objects.create(user=user, role=role, team=team)
    return user


@pytest.fixture
def trail(cast: Cast) -> None:
    with coming_from(Origin(via=Via.PAGE, by=cast.analyst, address="192.0.2.9", request_id="r1")):
        for number in (1, 2, 3):
            record_event(
                what=AuditAct.PRICE_CHANGED,
                about="price",
                ident=str(number),
                before={"reserved": number, "secret": "<script>"},
                after={"reserved": number + 1, "secret": "<script>"},
                why="a <b>reason</b>",
            )
    record_event(what=AuditAct.ROLE_GRANTED, about="grant", ident="owner", by=cast.owner, after={"role": "approver"})


@pytest.fixture
def auditor(trail: None, client: Client) -> Client:
    client.force_login(person("auditor"), backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.mark.parametrize("who", ["owner", "viewer", "approver", "analyst", "nobody"])
def test_nobody_else_sees_anything_of_it(who: str, trail: None, cast: Cast, logged_in: Any) -> None:
    one = logged_in(getattr(cast, who))
    for address in ALL:
        answer = one.get(address)
        assert answer.status_code == 403, address
        assert "192.0.2.9" not in answer.content.decode()
    assert not AuditEvent.objects.filter(act="exported").exists()
    assert "/audit/" not in one.get("/me/menu/").content.decode()


def test_an_auditor_of_one_team_sees_nothing_of_the_organisation_s_trail(
    trail: None, cast: Cast, logged_in: Any
) -> None:
    assert logged_in(person("auditor", cast.pool.owner)).get("/audit/").status_code == 403


def test_the_list_is_filtered_by_its_address_and_leads_to_each_event(auditor: Client) -> None:
    told = auditor.get("/audit/").content.decode()
    assert "price changed" in told
    assert "<b>reason</b>" not in told
    assert 'href="/audit/1/"' in told
    first = auditor.get("/audit/?act=price_changed&person=analyst&about=price&ident=2&via=page").content.decode()
    assert 'href="/audit/2/"' in first
    assert 'href="/audit/1/"' not in first
    assert "/audit/pack.zip?about=price&amp;ident=2" in first
    assert "/audit/" in auditor.get("/me/menu/").content.decode()


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("from=2026-13-01", 400),
        ("from=2026-05-02&to=2026-05-01", 400),
        ("via=fax", 400),
        ("page=0", 400),
        ("page=99", 404),
        ("person=%00", 400),
        ("to=9999-12-31", 400),
        ("act=nothing_known", 200),
        ("from=2026-05-01&to=2026-05-01", 200),
    ],
)
def test_what_can_not_be_looked_for_is_said_in_a_sentence(auditor: Client, query: str, status: int) -> None:
    assert auditor.get(f"/audit/?{query}").status_code == status


def test_an_event_shows_what_stood_before_and_after_and_that_its_links_hold(auditor: Client) -> None:
    told = auditor.get("/audit/2/").content.decode()
    assert '<td data-label="before">2</td><td data-label="after">3</td>' in told
    assert "its hash fits, and it continues the event before it" in told
    assert "&lt;script&gt;" in told
    assert "<script>" not in told.split("<main")[1]
    assert auditor.get("/audit/999/").status_code == 404
    forge("UPDATE reservations_auditevent SET after = '[1' WHERE sequence = 2")
    assert "it was altered" in auditor.get("/audit/2/").content.decode()


def test_the_chain_is_checked_on_the_page_where_it_is_asked_for(auditor: Client) -> None:
    assert "Check it now" in auditor.get("/audit/").content.decode()
    assert "from the first event to the last" in auditor.get("/audit/?check=1").content.decode()
    forge("UPDATE reservations_auditevent SET why = '' WHERE sequence = 3")
    told = auditor.get("/audit/?check=1").content.decode()
    assert "Row 3 was altered" in told


def test_a_file_holds_what_the_list_shows_and_taking_it_is_an_event(auditor: Client) -> None:
    answer = auditor.get("/audit/trail.jsonl?act=price_changed")
    lines = [json.loads(line) for line in answer.content.decode().splitlines()]
    assert [line["ident"] for line in lines] == ["1", "2", "3"]
    for line in lines:
        digest = line.pop("hash")
        text = json.dumps(line, sort_keys=True, separators=(",", ":"))
        assert hashlib.sha256(text.encode()).hexdigest() == digest
    taken = AuditEvent.objects.latest("sequence")
    assert (taken.act, taken.about, taken.ident) == ("exported", "audit", "jsonl")
    assert json.loads(taken.after) == {"filters": {"act": "price_changed"}, "rows": 3}
    rows = auditor.get("/audit/trail.csv").content.decode().splitlines()
    assert rows[0].startswith("sequence,at,by_name,by_id,acting_for,act,about")
    assert auditor.get("/audit/trail.pdf").status_code == 404


def test_a_pack_holds_the_trail_of_one_object_and_a_hash_of_every_file(auditor: Client) -> None:
    assert auditor.get("/audit/pack.zip").status_code == 400
    answer = auditor.get("/audit/pack.zip?about=price&ident=2")
    assert answer["Content-Type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as pack:
        manifest = json.loads(pack.read("manifest.json"))
        assert {one["name"] for one in manifest["files"]} == set(pack.namelist()) - {"manifest.json"}
        for one in manifest["files"]:
            assert hashlib.sha256(pack.read(one["name"])).hexdigest() == one["sha256"]
        events = [json.loads(line) for line in pack.read("trail.jsonl").decode().splitlines()]
    assert [(event["about"], event["ident"]) for event in events] == [("price", "2")]
    assert (manifest["about"], manifest["ident"], manifest["made_by"]) == ("price", "2", "auditor-of-all")


def test_a_file_of_another_page_is_an_event_too(cast: Cast, logged_in: Any) -> None:
    logged_in(cast.analyst).get("/prices/quotes.csv?x=1")
    taken = AuditEvent.objects.latest("sequence")
    assert (taken.act, taken.by_name, taken.via, taken.address) == ("exported", "analyst", "page", "127.0.0.1")
    assert json.loads(taken.after)["asked"] == "/prices/quotes.csv?x=1"


def test_an_empty_trail_says_why(client: Client) -> None:
    client.force_login(person("auditor"), backend="django.contrib.auth.backends.ModelBackend")
    forge("TRUNCATE reservations_auditevent, reservations_audithead")
    assert "Nobody has done anything yet" in client.get("/audit/").content.decode()
