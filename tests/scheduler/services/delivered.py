"""What is critical, and messages about it sent as of some minutes after it began."""

from datetime import timedelta

from scheduler.services.deliveries import Delivered, deliver_messages
from tests.scheduler.services.alert_rules import AT, Says, check, finding
from tests.scheduler.services.routes_made import HERE

BASE = "https://moorage.example.com"


def deliver(minutes: float = 0, *, networks: object = HERE) -> Delivered:
    return deliver_messages(clock=lambda: AT + timedelta(minutes=minutes), public_url=BASE, networks=networks)


def critical(*, minutes: float = 0, step: str = "") -> Says:
    says = Says().finds(finding(severity="critical", step=step))
    check(says, minutes=minutes)
    return says
