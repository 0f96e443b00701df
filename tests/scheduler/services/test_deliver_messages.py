"""Messages on their way to real servers: each once, whatever fails, and none keeping another."""

import hmac
import json
from datetime import datetime, time, timedelta

import pytest

from reservations.models import Owner, RoleGrant, User
from scheduler.domain.alert.delivery import ChannelName
from scheduler.domain.alert.severity import Severity
from scheduler.models import AlertEpisode, Delivery, Digest, NotificationRoute
from scheduler.services.alerts import resolve_alerts
from scheduler.services.deliveries import Delivered, deliver_messages
from scheduler.services.notification_routes import remove_route
from tests.fixtures.outside import MailServer, Receiver
from tests.scheduler.services.alert_rules import AT, Says, check, finding, only, steps, team
from tests.scheduler.services.delivered import BASE, critical, deliver
from tests.scheduler.services.routes_made import HERE, route

pytestmark = pytest.mark.django_db


def webhook(receiver: Receiver, **values: object) -> NotificationRoute:
    said = {"channel": ChannelName.WEBHOOK, "address": receiver.url, "secret": "a shared one", "owner": "serving"}
    return route(**{**said, **values})


def test_a_mail_goes_out_once_in_text_and_html_with_cause_cost_and_link(mail_server: MailServer) -> None:
    team()
    critical()
    assert deliver().sent == 1
    assert deliver(1) == Delivered(0, 0, 0, 0, 0)
    (mail,) = mail_server.kept
    assert mail["To"] == "serving@example.com"
    assert mail["Subject"] == "Critical: serve-h100: 3 of 16 nodes of serve-h100 stand idle"
    text = mail.get_body(("plain",)).get_content()
    html = mail.get_body(("html",)).get_content()
    for said in ("nothing references it", "USD", "100", f"{BASE}/alerts/{only().pk}/", "free nodes"):
        assert said in text
        assert said in html
    assert mail["Message-ID"] == f"<delivery-{Delivery.objects.get().pk}@alerts.moorage.invalid>"
    assert (Delivery.objects.get().state, Delivery.objects.get().attempts) == ("sent", 1)


def test_a_mail_about_a_job_in_trouble_names_it(mail_server: MailServer) -> None:
    team()
    says = critical(step="90 min")
    check(says.finds(finding(severity="critical", step="90 min", also=("trouble run-1",))), minutes=5)
    assert deliver(5).sent == 1
    (mail,) = mail_server.kept
    assert "A job is in trouble: run-1." in mail.get_body(("plain",)).get_content()


def test_names_can_neither_add_headers_nor_markup(mail_server: MailServer) -> None:
    team()
    check(Says().finds(finding("a\r\nBcc: everyone@example.com <b>x</b>", severity="critical")))
    assert deliver().sent == 1
    (mail,) = mail_server.kept
    assert mail["Bcc"] is None
    assert "Bcc: everyone@example.com" in mail["Subject"]
    assert "<b>x</b>" not in mail.get_body(("html",)).get_content()


def test_a_webhook_is_signed_and_leads_nowhere_else(receiver: Receiver) -> None:
    team(email="")
    webhook(receiver)
    critical()
    assert deliver().sent == 1
    ((path, headers, body),) = receiver.kept
    assert path == "/hook/of-ours"
    signed = f"{int(AT.timestamp())}.".encode() + body
    assert headers["Moorage-Timestamp"] == str(int(AT.timestamp()))
    assert headers["Moorage-Signature"] == f"sha256={hmac.digest(b'a shared one', signed, 'sha256').hex()}"
    told = json.loads(body)
    assert (told["id"], told["event"], told["severity"]) == (headers["Moorage-Delivery"], "opened", "critical")
    assert told["weekly_cost"] == {"amount": "100.000000", "currency": "USD"}
    receiver.answers, receiver.leads_to = 302, "http://169.254.169.254/"
    check(Says().finds(finding("arms", severity="critical")), minutes=5)
    assert deliver(5).failed >= 1
    assert Delivery.objects.get(step="opened", state="failed").error.endswith("which is not followed.")


def test_a_webhook_in_a_private_network_is_never_called(receiver: Receiver) -> None:
    team(email="")
    webhook(receiver)
    critical()
    assert deliver(networks=()).failed == 1
    assert receiver.kept == []
    assert "private network" in Delivery.objects.get().error


@pytest.mark.parametrize("way", ["breaks_off", "busy", "breaks_off_after_data"])
def test_a_mail_server_that_accepts_and_then_drops_gets_the_message_again_under_the_same_id(
    mail_server: MailServer, way: str
) -> None:
    team()
    mail_server.misbehaves, mail_server.once = way, True
    critical()
    assert deliver().retried == 1
    row = Delivery.objects.get()
    assert (row.state, row.attempts, row.try_at) == ("due", 1, AT + timedelta(minutes=1))
    assert row.error.startswith("The mail server ")
    assert deliver(0.5).sent == 0
    assert deliver(1).sent == 1
    assert mail_server.ids == [f"<delivery-{row.pk}@alerts.moorage.invalid>"]


def test_a_recipient_that_is_refused_for_good_is_given_up_at_once_and_the_next_ring_is_told(
    mail_server: MailServer,
) -> None:
    team(fallback=team("platform", email="platform@example.com"))
    mail_server.misbehaves, mail_server.once = "refuses", True
    says = critical()
    assert deliver().failed == 1
    assert Delivery.objects.get().error == "The mail server refuses this recipient (550)."
    check(says, minutes=5)
    assert deliver(5).sent == 1
    assert [(row[0], row[2]) for row in steps()] == [("opened", "failed"), ("fallback", "sent")]


def test_what_never_gets_through_is_tried_for_a_day_and_then_given_up(receiver: Receiver) -> None:
    team(email="")
    made = webhook(receiver)
    receiver.answers = 503
    critical()
    minutes, tries = 0.0, []
    while Delivery.objects.get().state == "due":
        deliver(minutes)
        tries.append(minutes)
        minutes = (Delivery.objects.get().try_at - AT).total_seconds() / 60
    assert tries == [0, 1, 6, 21, 81, 321, 561, 801, 1041, 1281]
    assert Delivery.objects.get().state == "failed"
    made.refresh_from_db()
    assert made.failing_since == AT
    assert made.last_error.endswith("answered 503.")
    receiver.answers = 200
    check(Says().finds(finding("arms", severity="critical")), minutes=1300)
    deliver(1300)
    made.refresh_from_db()
    assert (made.failing_since, made.last_error) == (None, "")


def test_a_dead_channel_keeps_no_other_from_sending(mail_server: MailServer, receiver: Receiver) -> None:
    team()
    route(owner="serving", channel=ChannelName.WEBHOOK, address="http://127.0.0.1:9/dead", name="dead")
    webhook(receiver)
    check(Says().finds(*(finding(f"pool-{n}", severity="critical") for n in range(3))))
    done = deliver()
    assert (done.sent, done.retried) == (6, 1)
    assert (len(mail_server.kept), len(receiver.kept)) == (3, 3)


def test_a_receiver_that_takes_its_time_keeps_no_other_waiting(receiver: Receiver) -> None:
    team(email="")
    for name in ("a-slow", "b-fast"):
        webhook(receiver, name=name, address=f"{receiver.url}/{name}")
    check(Says().finds(*(finding(f"pool-{n}", severity="critical") for n in range(12))))

    def clock() -> datetime:
        """Each message to the slow one takes two seconds."""
        return AT + timedelta(seconds=2 * sum(path.endswith("slow") for path, _, _ in receiver.kept))

    done = deliver_messages(clock=clock, public_url=BASE, networks=HERE)
    order = [path[-4:] for path, _, _ in receiver.kept]
    assert order.index("fast") <= 3
    assert order.count("fast") == 12
    assert (order.count("slow") + done.left, done.sent) == (12, len(order))


def test_a_mail_server_that_is_down_is_asked_once_before_the_others_have_sent(receiver: Receiver, settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    for name in ("a-team", "b-team"):
        team(name, email=f"{name}@example.com")
    route(channel=ChannelName.WEBHOOK, address=receiver.url, name="all")
    says = Says().finds(*(finding(name, owner=name, severity="critical") for name in ("a-team", "b-team", "nobody")))
    check(says)
    check(says, minutes=125)
    assert deliver(125).sent == 3
    assert Delivery.objects.filter(state="due", error="The mail server cannot be reached.").count() == 2


def test_what_could_wait_goes_into_one_digest_a_day(mail_server: MailServer) -> None:
    team()
    says = Says().finds(finding("arms"), finding("legs"))
    check(says)
    assert deliver(61).sent == 0
    morning = 23 * 60
    check(says.finds(finding("arms"), finding("legs"), finding("eyes")), minutes=120)
    done = deliver(morning)
    assert (done.sent, len(mail_server.kept)) == (3, 1)
    (mail,) = mail_server.kept
    assert mail["Subject"] == "Moorage: 3 alerts of the day"
    digest = Digest.objects.get()
    assert (digest.recipient, digest.state, str(digest.day)) == ("owner:serving", "sent", "2026-05-05")
    check(says.finds(finding("nose")), minutes=morning + 5)
    assert deliver(morning + 6).sent == 0
    assert deliver(morning + 24 * 60).sent == 4
    assert Digest.objects.count() == 2


def test_what_came_and_went_before_it_was_told_is_never_told(mail_server: MailServer) -> None:
    team()
    says = Says().finds(finding())
    check(says)
    check(says.finds(), minutes=30)
    done = deliver(24 * 60)
    assert (done.sent, done.dropped, mail_server.kept) == (0, 2, [])
    assert {row[2] for row in steps()} == {"dropped"}


def test_the_end_is_told_to_those_who_were_told_of_the_beginning(mail_server: MailServer) -> None:
    team()
    critical()
    deliver()
    resolve_alerts(ids=[only().pk], by="ada", at=AT + timedelta(minutes=5))
    assert deliver(5).sent == 1
    assert [mail["Subject"].split(":")[0] for mail in mail_server.kept] == ["Critical", "Resolved"]
    assert check(Says(), minutes=10).deliveries == 0


def test_a_step_that_a_later_one_overtakes_is_not_told(mail_server: MailServer) -> None:
    team()
    says = critical(step="4 h")
    check(says.finds(finding(severity="critical", step="90 min")), minutes=150)
    assert deliver(150).sent == 1
    assert [row[2] for row in steps()] == ["dropped", "sent"]


def test_what_was_owed_to_an_address_that_was_removed_is_dropped(receiver: Receiver) -> None:
    team(email="")
    made = webhook(receiver)
    critical()
    remove_route(pk=made.pk)
    assert deliver().dropped == 1
    assert (receiver.kept, Delivery.objects.get().error) == ([], "Its address was removed.")


def test_a_message_to_a_person_follows_the_role_and_hides_prices_from_a_viewer(receiver: Receiver) -> None:
    owner = team(email="")
    ada = User.objects.create_user("ada")
    grant = RoleGrant.objects.create(user=ada, role="viewer", team=owner)
    webhook(receiver, owner="", user="ada")
    says = critical()
    assert deliver().sent == 1
    assert json.loads(receiver.kept[0][2])["weekly_cost"] is None
    check(says.finds(finding(severity="critical", step="90 min")), minutes=5)
    grant.delete()
    assert deliver(5).dropped == 1
    assert Owner.objects.count() == 1


def test_a_mail_to_a_person_whose_role_has_no_prices_has_no_amount_among_its_figures(mail_server: MailServer) -> None:
    owner = team(email="")
    for name, role in (("ada", "viewer"), ("bob", "owner")):
        RoleGrant.objects.create(user=User.objects.create_user(name), role=role, team=owner)
        route(user=name, address=f"{name}@example.com")
    critical()
    AlertEpisode.objects.update(numbers=[["free nodes", "3"], ["price", "40\u202fUSD a node-hour"]])
    assert deliver().sent == 2
    kept = {mail["To"]: mail.get_body(("plain",)).get_content() for mail in mail_server.kept}
    assert {name: ("free nodes" in text, "USD" in text) for name, text in kept.items()} == {
        "ada@example.com": (True, False),
        "bob@example.com": (True, True),
    }


def test_quiet_hours_put_off_what_is_not_critical_until_their_end(receiver: Receiver) -> None:
    team(email="")
    quiet = {"quiet_from": time(8), "quiet_until": time(12), "digest_hour": 20, "at_once_from": Severity.WARNING}
    webhook(receiver, **quiet)
    check(Says().finds(finding("arms"), finding("legs", severity="critical")))
    assert deliver().sent == 1
    assert deliver(60 * 3 - 1).sent == 0
    assert deliver(60 * 3).sent == 1


def test_an_address_whose_key_is_gone_says_so_and_is_tried_again(receiver: Receiver, settings) -> None:
    team(email="")
    webhook(receiver)
    critical()
    former, settings.SECRET_KEY = settings.SECRET_KEY, "another one"
    assert deliver().retried == 1
    assert "SECRET_KEY" in Delivery.objects.get().error
    settings.SECRET_KEY_FALLBACKS = [former]
    assert deliver(1).sent == 1
