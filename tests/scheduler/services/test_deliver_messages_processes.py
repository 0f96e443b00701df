"""Real workers at once, and workers that are killed in the middle, over a real mail server and a real receiver."""

import time
from collections import Counter
from datetime import timedelta

import pytest

from scheduler.domain.alert.delivery import ChannelName
from scheduler.models import Delivery
from scheduler.services.deliveries import deliver_messages
from tests.fixtures.outside import MailServer, Receiver
from tests.scheduler.services.alert_rules import AT, Says, check, finding, team
from tests.scheduler.services.routes_made import HERE, route
from tests.telemetry.services.other_process import finished, running

pytestmark = pytest.mark.django_db(transaction=True)

WORKS = """
from datetime import timedelta
from django.core.mail import get_connection
settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", {port}
settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
from scheduler.services.deliveries import deliver_messages
from tests.scheduler.services.alert_rules import AT
from tests.scheduler.services.routes_made import HERE
at = AT + timedelta(minutes={minutes})
print(deliver_messages(clock=lambda: at, public_url="http://127.0.0.1", networks=HERE).sent)
"""
CHECKS = """
from tests.scheduler.services.alert_rules import Says, check, finding
print(check(Says().finds(*(finding(f"pool-{n}", severity="critical") for n in range(20)))).deliveries)
"""
MANY = 20


def owed(number: int = MANY) -> None:
    check(Says().finds(*(finding(f"pool-{n}", severity="critical") for n in range(number))))


def wait_until(true) -> None:  # type: ignore[no-untyped-def]
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_workers_at_once_send_each_message_once(mail_server: MailServer, receiver: Receiver) -> None:
    team()
    route(owner="serving", channel=ChannelName.WEBHOOK, address=receiver.url)
    with running(CHECKS) as one, running(CHECKS) as other:
        assert sorted([int(finished(one, within=200)), int(finished(other, within=200))]) == [0, 2 * MANY]
    script = WORKS.format(port=mail_server.port, minutes=0)
    with running(script) as one, running(script) as two, running(script) as three:
        sent = [int(finished(worker, within=200)) for worker in (one, two, three)]
    assert sum(sent) == 2 * MANY
    assert set(Counter(mail_server.ids).values()) == {1}
    assert len(mail_server.ids) == len(receiver.kept) == MANY
    assert len({headers["Moorage-Delivery"] for _, headers, _ in receiver.kept}) == MANY
    assert set(Delivery.objects.values_list("state", flat=True)) == {"sent"}


def test_workers_at_once_make_one_digest(mail_server: MailServer) -> None:
    team()
    check(Says().finds(*(finding(f"pool-{n}") for n in range(MANY))))
    script = WORKS.format(port=mail_server.port, minutes=24 * 60)
    with running(script) as one, running(script) as two:
        assert sorted([int(finished(one, within=200)), int(finished(two, within=200))]) == [0, MANY]
    assert len(mail_server.kept) == 1


def test_a_worker_killed_in_the_middle_of_a_message_is_followed_by_another_and_the_message_comes_once(
    mail_server: MailServer,
) -> None:
    team()
    route(owner="serving", address="on-call@example.com")
    owed(3)
    mail_server.misbehaves, mail_server.once = "stalls", True
    with running(WORKS.format(port=mail_server.port, minutes=0)) as worker:
        assert mail_server.stalled.wait(60)
        others = deliver_messages(clock=lambda: AT, public_url="http://127.0.0.1", networks=HERE)
        assert (others.sent, others.left) == (3, 3), "a recipient that the other has in hand is left to it"
        worker.kill()
        worker.wait(30)
    mail_server.go_on.set()
    at = AT + timedelta(minutes=1)
    wait_until(
        lambda: (
            deliver_messages(clock=lambda: at, public_url="http://127.0.0.1", networks=HERE).left == 0
            and not Delivery.objects.filter(state="due").exists()
        )
    )
    assert sorted(Counter(mail_server.ids).values()) == [1] * 6
    assert set(Delivery.objects.values_list("state", flat=True)) == {"sent"}


def test_a_receiver_that_took_the_message_of_a_killed_worker_can_tell_the_repeat_by_its_id(receiver: Receiver) -> None:
    """The one window there is: between the receiver's answer and the note that it was sent."""
    team(email="")
    route(owner="serving", channel=ChannelName.WEBHOOK, address=receiver.url, secret="s")
    owed(1)
    dies = WORKS.format(port=9, minutes=0).replace(
        "at = AT",
        "import os\nfrom scheduler.services.deliveries import singles\n"
        "singles.write_outcome = lambda *args, **more: os._exit(9)\nat = AT",
    )
    with running(dies) as worker:
        worker.communicate(timeout=60)
        assert worker.returncode == 9
    assert Delivery.objects.get().state == "due"
    assert deliver_messages(clock=lambda: AT, public_url="http://127.0.0.1", networks=HERE).sent == 1
    first, second = receiver.kept
    assert first[1]["Moorage-Delivery"] == second[1]["Moorage-Delivery"]
    assert first[2] == second[2]


def test_a_dead_receiver_that_hangs_keeps_no_mail_from_another_worker(
    mail_server: MailServer, receiver: Receiver
) -> None:
    team()
    route(owner="serving", channel=ChannelName.WEBHOOK, address=receiver.url)
    owed(2)
    receiver.hold.clear()
    with running(WORKS.format(port=mail_server.port, minutes=0)) as worker:
        wait_until(lambda: len(mail_server.kept) == 2)
        receiver.hold.set()
        assert int(finished(worker, within=200)) == 4
    assert len(receiver.kept) == 2
