"""Addresses as they are entered: what may be seen of each, and one sentence where it is none or may not be used."""

from datetime import UTC, datetime

import pytest

from scheduler.channels import apprise, email, webhook
from scheduler.domain.alert.message import Message, UnableToDeliver
from tests.fixtures.outside import MailServer, Receiver
from tests.scheduler.services.routes_made import HERE

SLACK = "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/%23ops"
MESSAGE = Message(
    "trial-1",
    "A line\r\nBcc: all@example.com",
    "text",
    "<p>text</p>",
    {"event": "trial"},
    datetime(2026, 5, 4, tzinfo=UTC),
)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("slak://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ", "An address of a service begins with one of"),
        ("slack://T1JJ3T3L2", "This is not an address of Slack: look for a missing or mistyped part."),
        ("slack://", "This is not an address of Slack"),
        ("slack://[x", "a bracket is not closed"),
        ("workflows://a@127.0.0.1:8443@x.logic.azure.com/wf/sig", "as %40"),
        ("workflows://127.0.0.1:8443/wf/sig", "ends with .logic.azure.com"),
        ("workflows://x.logic.azure.com/wf/sig?image=no;template=http://127.0.0.1/x", "as %40, %3B"),
        ("workflows://x.logic.azure.com/wf/sig?image=no&template=/etc/x.json", "The option “template” may not"),
        ("workflows://x.logic.azure.com/wf/sig?verify=no", "The option “verify” may not"),
        ("workflows://127.0.0.1\\@x.logic.azure.com/wf/sig", "as %40"),
        ("discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js?image=no;template=/x.json", "as %40, %3B"),
        ("discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js?-template=/x.json", "may not be set"),
        ("discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js?TEMPLATE=/x.json", "may not be set"),
        ("slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/#ops", "as %23"),
        ("tgram://123456789:abcdefg_hijklmnop/12315544/12315545", "An address names one channel"),
        ("slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/%23one/%23two", "An address names one channel"),
        ("file:///etc/passwd", "for a host of your own use the webhook"),
        ("json://10.0.0.1/", "for a host of your own use the webhook"),
        ("dbus://", "for a host of your own use the webhook"),
        ("syslog://", "for a host of your own use the webhook"),
        (f"{SLACK[:-5]}?template=/etc/passwd", "The option “template” may not be set in an address."),
        (f"{SLACK[:-5]}?verify=no", "The option “verify” may not be set in an address."),
        (f"{SLACK[:-5]}?RTO=900", "The option “rto” may not be set in an address."),
        ("workflows://10.0.0.1:80/a/b/", "The host of an address of Microsoft Teams (Workflows) ends with"),
        ("workflows://evil-logic.azure.com.example/a/b/", "The host of an address of Microsoft Teams (Workflows)"),
        (f"{SLACK} x", "An address holds no blanks"),
    ],
)
def test_an_apprise_address_with_a_typo_or_a_trap_is_told_in_one_sentence(address: str, said: str) -> None:
    for ask in (lambda: apprise.shown(address, ()), lambda: apprise.send(address, "", MESSAGE, ())):
        with pytest.raises(UnableToDeliver) as told:
            ask()
        assert said in str(told.value)
        assert told.value.permanent
        assert "TIiajkdnlazkcOXrIdevi7FQ" not in str(told.value)


@pytest.mark.parametrize(
    ("channel", "address", "seen"),
    [
        (apprise, SLACK, "Slack (…#ops)"),
        (email, "team@example.com", "team@example.com"),
        (webhook, "https://hooks.example.com/a-secret-path", "https://hooks.example.com:443"),
    ],
)
def test_what_is_secret_of_an_address_is_not_shown(channel, address: str, seen: str) -> None:
    assert channel.shown(address, ()) == seen


@pytest.mark.parametrize(
    ("channel", "address"),
    [
        (email, "team"),
        (email, "a@example.com, b@example.com"),
        (email, "a@example.com\nBcc: b@example.com"),
        (webhook, "ftp://example.com"),
        (webhook, "https://user:word@example.com/"),
        (webhook, "http://169.254.169.254/latest/meta-data"),
        (webhook, "http://[::ffff:10.0.0.1]/"),
        (webhook, "http://localhost/"),
    ],
)
def test_an_address_that_may_not_be_used_is_refused_for_good(channel, address: str) -> None:
    with pytest.raises(UnableToDeliver) as told:
        channel.send(address, "", MESSAGE, ())
    assert told.value.permanent


def test_a_mail_has_one_subject_line_whatever_it_was_given(mail_server: MailServer) -> None:
    email.send("team@example.com", "", MESSAGE, ())
    (mail,) = mail_server.kept
    assert (mail["Subject"], mail["Bcc"]) == ("A line Bcc: all@example.com", None)


def test_a_receiver_that_drips_is_cut_off_as_a_whole(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook, "TIMEOUT_SECONDS", 0.3)
    receiver.hold.clear()
    with pytest.raises(UnableToDeliver, match="did not answer in time") as told:
        webhook.send(receiver.url, "s", MESSAGE, HERE)
    assert not told.value.permanent
