"""A rule whose findings a test says, and the rows it makes."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from reservations.models import Owner
from scheduler.domain.alert.finding import Finding, Rule, Subject, Verdicts
from scheduler.domain.alert.severity import Severity
from scheduler.domain.attention.item import NextStep, Weekly
from scheduler.models import AlertEpisode, Delivery
from scheduler.services.alerts import Checked, check_alerts

AT = datetime(2026, 5, 4, 9, tzinfo=UTC)


@dataclass(frozen=True)
class Nothing:
    """No thresholds."""


class Says:
    """A rule that finds what it is told to find."""

    def __init__(self, name: str = "reserved_unused") -> None:
        self.findings: tuple[Finding, ...] = ()
        self.held: frozenset[str] = frozenset()
        self.fault: Exception | None = None
        self.rule: Rule[Any, Any] = Rule(name, "Told", "As told.", Nothing(), self._check)

    def _check(self, facts: Any, limits: Any) -> Verdicts:
        if self.fault:
            raise self.fault
        return Verdicts(self.findings, self.held)

    def finds(self, *findings: Finding, held: tuple[str, ...] = ()) -> "Says":
        self.findings, self.held = findings, frozenset(held)
        return self


def finding(
    name: str = "serve-h100",
    *,
    severity: str = "warning",
    occurrence: str = "",
    step: str = "",
    also: tuple[str, ...] = (),
    owner: str = "serving",
    money: str | None = "100",
    teams: tuple[str, ...] = ("serving",),
) -> Finding:
    return Finding(
        subject=Subject(f"pool:{name}", name, frozenset(teams), owner, pool=name),
        severity=Severity(severity),
        since=AT - timedelta(hours=1),
        summary=f"3 of 16 nodes of {name} stand idle",
        next_step=NextStep("Open alerts", "scheduler:attention"),
        cause="nothing references it",
        occurrence=occurrence,
        step=step,
        also=also,
        money=None if money is None else Weekly(1000, Decimal(money), "USD"),
        numbers=(("free nodes", "3"),),
    )


def check(*says: Says, minutes: float = 0) -> Checked:
    at = AT + timedelta(minutes=minutes)
    return check_alerts(as_of=at, made_at=at, rules=[one.rule for one in says])


def team(name: str = "serving", *, email: str = "serving@example.com", fallback: Owner | None = None) -> Owner:
    owner, _ = Owner.objects.update_or_create(name=name, defaults={"email": email, "fallback": fallback})
    return owner


def steps() -> list[tuple[str, str, str]]:
    """What was owed: step, recipient, state."""
    return list(Delivery.objects.order_by("pk").values_list("step", "recipient", "state"))


def only() -> AlertEpisode:
    return AlertEpisode.objects.get()
