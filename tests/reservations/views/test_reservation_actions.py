"""What people do on the pages of reservations: kept once, refused at its field, and told who did it."""

from datetime import UTC, datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from reservations.models import PoolMembership, Reservation, ReservationNote, ReservationSize, RoleGrant, User
from reservations.services.reservation_import import import_reservations
from tests.fixtures.cast import PASSWORD, Cast
from tests.reservations.holdings import holding

pytestmark = pytest.mark.django_db

ENTRY = {
    "provider": "gcp",
    "id": "train-1",
    "instance_type": "p5.48xlarge",
    "instances": "16",
    "gpus_per_instance": "8",
    "zone": "us-central1-a",
    "start": "2026-05-01",
    "end": "2027-05-01",
    "owner": "serving",
    "pool": "serve-h100",
    "resizes": "2026-06-01 12",
}
FILE = b"provider,id,instance_type,instances,start\ngcp,one,a3,4,2026-05-01\ngcp,two,a3,1,2026-05-01\n"


@pytest.fixture
def operator(cast: Cast) -> User:
    user = User.objects.create_user("operator", password=PASSWORD)
    RoleGrant.objects.create(user=user, role="operator")
    return user


def test_a_note_is_kept_once_with_who_and_when_and_shown_as_text(cast: Cast, logged_in) -> None:
    row = holding("cr-1", pool=cast.pool)
    client = logged_in(cast.borrower)
    for _ in range(2):
        answer = client.post(f"/reservations/{row.pk}/notes/", {"text": "  <b>asked</b>\r\nAWS "}, follow=True)
    note = ReservationNote.objects.get()
    assert (note.text, note.written_by) == ("<b>asked</b>\nAWS", cast.borrower)
    seen = answer.content.decode()
    assert "&lt;b&gt;asked&lt;/b&gt;<br>AWS" in seen
    assert "<strong>borrower</strong>" in seen


@pytest.mark.parametrize(("text", "says"), [(" ", "Write something"), ("x" * 2001, "2000 characters"), ("\0", "Write")])
def test_a_note_that_cannot_be_kept_stays_in_its_form(text: str, says: str, cast: Cast, logged_in) -> None:
    row = holding("cr-1", pool=cast.pool)
    answer = logged_in(cast.owner).post(f"/reservations/{row.pk}/notes/", {"text": text})
    assert answer.status_code == 400
    assert says in answer.content.decode()
    if text.strip(" \0"):
        assert text in answer.content.decode()
    assert not ReservationNote.objects.exists()


def test_an_owner_is_set_by_who_answers_for_it_and_the_page_says_who_did(cast: Cast, logged_in) -> None:
    row = holding("cr-1", pool=cast.pool)
    assert logged_in(cast.borrower).post(f"/reservations/{row.pk}/owner/", {"owner": "research"}).status_code == 403
    client = logged_in(cast.owner)
    seen = client.post(f"/reservations/{row.pk}/owner/", {"owner": "research"}, follow=True).content.decode()
    assert "research answers for cr-1 now." in seen
    assert "owner: <del>its pool&#x27;s</del> → <ins>research</ins>" in seen
    assert "<strong>owner</strong>" in seen
    answer = client.post(f"/reservations/{row.pk}/owner/", {"owner": "<strangers>"})
    assert answer.status_code == 400
    assert "There is no team “&lt;strangers&gt;”." in answer.content.decode()


def test_who_gives_away_what_they_then_may_not_see_is_led_to_the_list(cast: Cast, logged_in) -> None:
    row = holding("cr-1", owner="serving")
    answer = logged_in(cast.owner).post(f"/reservations/{row.pk}/owner/", {"owner": "robotics"})
    assert answer.headers["Location"] == "/reservations/"


def test_who_leaves_it_to_another_teams_pool_is_led_to_the_list(cast: Cast, logged_in) -> None:
    row = holding("cr-1", owner="serving", pool=cast.other)
    answer = logged_in(cast.owner).post(f"/reservations/{row.pk}/owner/", {"owner": ""})
    assert answer.headers["Location"] == "/reservations/"


def test_a_team_that_no_text_could_name_is_refused_in_a_sentence(cast: Cast, logged_in) -> None:
    row = holding("cr-1", owner="serving")
    answer = logged_in(cast.owner).post(f"/reservations/{row.pk}/owner/", {"owner": "serv\0ing"})
    assert answer.status_code == 400
    assert "There is no team" in answer.content.decode()


def test_nobodys_is_changed_by_a_role_for_everything_alone(cast: Cast, operator: User, logged_in) -> None:
    row = holding("cr-1")
    assert logged_in(cast.analyst).post(f"/reservations/{row.pk}/owner/", {"owner": "serving"}).status_code == 403
    assert logged_in(operator).post(f"/reservations/{row.pk}/owner/", {"owner": "serving"}).status_code == 302


def test_one_is_entered_changed_ended_and_declared_void(cast: Cast, logged_in) -> None:
    client = logged_in(cast.owner)
    first = client.post("/reservations/new/", ENTRY)
    again = client.post("/reservations/new/", ENTRY)
    row = Reservation.objects.get()
    assert first.headers["Location"] == again.headers["Location"] == f"/reservations/{row.pk}/"
    page = client.get(f"/reservations/{row.pk}/").content.decode()
    assert "12 × p5.48xlarge in us-central1-a, until 1 May 2027, owned by serving." in page
    assert "entered by hand" in page
    assert "Open in the AWS console" not in page
    form = client.get(f"/reservations/{row.pk}/edit/").content.decode()
    assert 'value="2027-05-01"' in form
    assert "2026-06-01 12</textarea>" in form
    seen = client.post(f"/reservations/{row.pk}/edit/", ENTRY | {"instances": "20", "id": "other"}, follow=True)
    assert "Changed: instances." in seen.content.decode()
    assert "sizes: <del>16, 12 from 1 Jun 2026</del> → <ins>20, 12 from 1 Jun 2026</ins>" in seen.content.decode()
    assert Reservation.objects.get().external_id == "train-1"
    for text in ("soon", "2026-05-01"):
        answer = client.post(f"/reservations/{row.pk}/end/", {"end": text})
        assert answer.status_code == 400
        assert f'value="{text}"' in answer.content.decode()
    client.post(f"/reservations/{row.pk}/end/", {"end": "2026-07-01"})
    assert ReservationSize.objects.order_by("period").last().period.upper == datetime(2026, 7, 1, tzinfo=UTC)
    client.post(f"/reservations/{row.pk}/void/")
    assert not ReservationSize.objects.exists()
    assert "state: <del>held</del> → <ins>void</ins>" in client.get(f"/reservations/{row.pk}/").content.decode()


@pytest.mark.parametrize(
    ("kind", "says"), [("manual", "train-1 was entered already"), ("on_demand", "train-1 is listed by its provider")]
)
def test_an_id_that_is_taken_says_nothing_of_what_somebody_may_not_see(
    kind: str, says: str, cast: Cast, logged_in
) -> None:
    held = holding("train-1", provider="gcp", kind=kind, pool=cast.other)
    neutral = "This id cannot be entered"
    answer = logged_in(cast.owner).post("/reservations/new/", ENTRY)
    assert answer.status_code == 400
    assert neutral in answer.content.decode()
    assert says not in answer.content.decode()
    PoolMembership.objects.filter(reservation=held).update(pool=cast.pool)
    answer = logged_in(cast.owner).post("/reservations/new/", ENTRY)
    assert answer.status_code == 400
    assert says in answer.content.decode()
    assert neutral not in answer.content.decode()


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"instances": "many"}, "Write how many instances"),
        ({"owner": "research"}, "There is no such team, or you may not enter reservations for it."),
        ({"owner": ""}, "Name the team that answers for it"),
        ({"pool": "arms"}, "There is no such pool, or it belongs to a team"),
        ({"instance_type": "a3"}, "The pool serve-h100 is of p5.48xlarge, and this reservation holds a3."),
    ],
)
def test_what_cannot_be_entered_is_said_at_its_field_and_the_draft_is_kept(
    changed: dict[str, str], says: str, cast: Cast, logged_in
) -> None:
    answer = logged_in(cast.owner).post("/reservations/new/", ENTRY | changed)
    seen = answer.content.decode()
    assert answer.status_code == 400
    assert says in seen
    assert seen.count('aria-invalid="true"') == 1
    assert 'value="us-central1-a"' in seen
    assert "2026-06-01 12</textarea>" in seen
    assert not Reservation.objects.exists()


def test_every_change_needs_its_token(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.owner, backend="django.contrib.auth.backends.ModelBackend")
    row = holding("cr-1", pool=cast.pool)
    for address in ("new/", "import/", f"{row.pk}/notes/", f"{row.pk}/owner/", f"{row.pk}/void/", f"{row.pk}/pool/"):
        assert client.post(f"/reservations/{address}", ENTRY).status_code == 403
    assert Reservation.objects.count() == 1


def test_a_file_is_previewed_and_then_brought_in_as_it_was_seen(operator: User, logged_in) -> None:
    client = logged_in(operator)
    preview = client.post("/reservations/import/", {"file": SimpleUploadedFile("held.csv", b"\xef\xbb\xbf" + FILE)})
    seen = preview.content.decode()
    assert "Nothing is stored yet. 2 created." in seen
    assert "Import these 2 reservations" in seen
    assert not Reservation.objects.exists()
    digest = seen.split('name="digest" value="')[1].split('"')[0]
    text = FILE.decode().replace("\n", "\r\n")  # as browsers send what stands in a form
    odd = client.post("/reservations/import/", {"text": text, "digest": "another"})
    assert "look once more" in odd.content.decode()
    assert not Reservation.objects.exists()
    for _ in range(2):
        answer = client.post("/reservations/import/", {"text": text, "digest": digest})
    assert Reservation.objects.count() == 2
    assert "Everything in the file is stored as it stands there." in answer.content.decode()


def test_nothing_is_brought_in_once_the_file_or_what_is_stored_is_another(operator: User, logged_in) -> None:
    client = logged_in(operator)
    import_reservations(data=FILE, zone=UTC, as_of=timezone.now())
    text = FILE.decode().replace(",4,", ",5,")
    seen = client.post("/reservations/import/", {"file": SimpleUploadedFile("held.csv", text.encode())})
    digest = seen.content.decode().split('name="digest" value="')[1].split('"')[0]
    import_reservations(data=FILE.replace(b",4,", b",7,"), zone=UTC, as_of=timezone.now())
    for sent in (text, text.replace(",5,", ",6,")):
        answer = client.post("/reservations/import/", {"text": sent, "digest": digest})
        assert answer.status_code == 409
        assert "no longer what you were shown: look once more" in answer.content.decode()
    assert Reservation.objects.get(external_id="one").total_count == 7
    import_reservations(data=FILE, zone=UTC, as_of=timezone.now())
    answer = client.post("/reservations/import/", {"text": text.replace(",5,", ",6,"), "digest": digest})
    assert answer.status_code == 409
    assert client.post("/reservations/import/", {"text": text, "digest": digest}).status_code == 302
    assert Reservation.objects.get(external_id="one").total_count == 5


@pytest.mark.parametrize("end", [b"\r\n", b"\r", b"\n"])
def test_a_file_of_any_line_ends_can_be_confirmed(end: bytes, operator: User, logged_in) -> None:
    client = logged_in(operator)
    data = FILE.replace(b"\n", end)
    seen = client.post("/reservations/import/", {"file": SimpleUploadedFile("held.csv", data)}).content.decode()
    digest = seen.split('name="digest" value="')[1].split('"')[0]
    sent = {"text": FILE.decode().replace("\n", "\r\n"), "digest": digest}
    assert client.post("/reservations/import/", sent).status_code == 302


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "Choose a file that is not empty."),
        (b"a;b\n", "divided by semicolons"),
        (FILE + b"gcp,three,<b>,x,2026-05-01\n", "Line 4: instances:"),
        (FILE.decode().encode("utf-16"), "UTF-16"),
        (b"\xff" * 100, "not UTF-8"),
        (b"x" * 600_000, "The file has more than 512 kB: divide it."),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_sentences(data: bytes, says: str, operator: User, logged_in) -> None:
    answer = logged_in(operator).post("/reservations/import/", {"file": SimpleUploadedFile("x.csv", data)})
    assert answer.status_code == 400
    assert says in answer.content.decode()
    assert not Reservation.objects.exists()


def test_importing_is_for_who_may_change_everything(cast: Cast, operator: User, logged_in) -> None:
    assert logged_in(cast.owner).get("/reservations/import/").status_code == 403
    assert logged_in(operator).get("/reservations/import/").status_code == 200
    template = logged_in(operator).get("/reservations/import/template.csv")
    assert template.headers["Content-Type"].startswith("text/csv")
    assert template.content.startswith(b"provider,id,instance_type")


def test_an_operator_mends_which_pool_it_backed(cast: Cast, operator: User, logged_in) -> None:
    row = holding("cr-1", pool=cast.pool)
    assert logged_in(cast.owner).get(f"/reservations/{row.pk}/pool/").status_code == 403
    client = logged_in(operator)
    assert "until they are collected again" in client.get(f"/reservations/{row.pk}/pool/").content.decode()
    for texts, says in (
        ({"pool": "arms", "end": "2026-05-01"}, "is of p4d.24xlarge"),
        ({"pool": "", "start": "May"}, "neither a day"),
        ({"pool": "nowhere", "end": "2026-05-01"}, "There is no such pool"),
        ({"pool": ""}, "From now on the pools&#x27; rules"),
    ):
        answer = client.post(f"/reservations/{row.pk}/pool/", texts)
        assert answer.status_code == 400
        assert says in answer.content.decode()
    seen = client.post(f"/reservations/{row.pk}/pool/", {"pool": "", "end": "2026-05-01"}, follow=True)
    assert "until they are collected again" in seen.content.decode()
    assert "backs <ins>serve-h100 from 1 May 2026" in seen.content.decode()
    assert "<strong>operator</strong>" in seen.content.decode()
    assert PoolMembership.objects.get().period.lower == datetime(2026, 5, 1, tzinfo=UTC)


def test_a_form_opened_before_somebody_else_changed_it_overwrites_nothing(cast: Cast, logged_in) -> None:
    client = logged_in(cast.owner)
    client.post("/reservations/new/", ENTRY)
    row = Reservation.objects.get(external_id="train-1")
    page = client.get(f"/reservations/{row.pk}/edit/").content.decode()
    was = page.split('name="was" value="', 1)[1].split('"', 1)[0]
    first = client.post(f"/reservations/{row.pk}/edit/", ENTRY | {"instances": "17", "was": was})
    assert first.status_code == 302
    assert client.post(f"/reservations/{row.pk}/edit/", ENTRY | {"instances": "17", "was": was}).status_code == 302
    second = client.post(f"/reservations/{row.pk}/edit/", ENTRY | {"zone": "us-central1-b", "was": was})
    assert second.status_code == 409
    assert "Somebody changed train-1 since this form was opened" in second.content.decode()
    row.refresh_from_db()
    assert (row.zone_id, row.entered_sizes[0][1]) == ("us-central1-a", 17)
