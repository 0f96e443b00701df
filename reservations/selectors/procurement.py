"""The procurement rule: its versions, and the one in force on a day."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import F, Q, QuerySet
from django.db.models.expressions import Combinable
from django.db.models.functions import Now, TruncDate

from reservations.domain.procurement.rule import Rule, UnableToReadRule, rule_of
from reservations.domain.renewal import LeadTimes, lead_times
from reservations.models import ExceptionRequest, ProcurementRule

NEWEST = (F("effective_from").desc(nulls_last=True), "-version")
"""Of several that hold the one that began last, and of those the last written."""


@dataclass(frozen=True, slots=True)
class RuleVersion:
    """One version as people read it; ``rule`` None: ``why_unread`` says what its document lacks."""

    version: int
    owner: str
    status: str
    document: Mapping[str, object]
    note: str
    effective_from: date | None
    effective_to: date | None
    author: str
    drafted_at: datetime | None
    published_by: str
    published_at: datetime | None
    author_id: int | None
    rule: Rule | None
    why_unread: str = ""
    in_force: bool = False


def published_lead_times() -> LeadTimes | None:
    """The lead times of the published version in force today; None where none says them."""
    return lead_times(_holding(TruncDate(Now())).order_by(*NEWEST).values_list("document", flat=True).first())


def rule_in_force(on: date) -> Rule | None:
    """The published version in force on a day, the newest of several; None where there is none that can be read."""
    found = _in_force(on)
    if found is None:
        return None
    try:
        return rule_of(found.document, version=found.version, owner=found.owner.name)
    except UnableToReadRule:
        return None


def rule_versions(on: date) -> list[RuleVersion]:
    """Every version, newest first, with the one in force on a day marked."""
    force = _in_force(on)
    rows = ProcurementRule.objects.select_related("owner").order_by("-version")
    return [_told(row, force is not None and row.pk == force.pk) for row in rows]


def rule_version(version: int, *, on: date) -> RuleVersion | None:
    """One version by its number."""
    return next((one for one in rule_versions(on) if one.version == version), None)


def _holding(on: date | Combinable) -> QuerySet[ProcurementRule]:
    """Published versions that hold on a day."""
    return ProcurementRule.objects.filter(
        Q(effective_from__isnull=True) | Q(effective_from__lte=on),
        Q(effective_to__isnull=True) | Q(effective_to__gt=on),
        status=ProcurementRule.Status.PUBLISHED,
    )


def _in_force(on: date) -> ProcurementRule | None:
    return _holding(on).select_related("owner").order_by(*NEWEST).first()


def _told(row: ProcurementRule, in_force: bool) -> RuleVersion:
    rule, why = None, ""
    try:
        rule = rule_of(row.document, version=row.version, owner=row.owner.name)
    except UnableToReadRule as unable:
        why = str(unable)
    return RuleVersion(
        version=row.version,
        owner=row.owner.name,
        status=row.status,
        document=row.document,
        note=row.note,
        effective_from=row.effective_from,
        effective_to=row.effective_to,
        author=row.author_name,
        drafted_at=row.drafted_at,
        published_by=row.published_by_name,
        published_at=row.published_at,
        author_id=row.author_id,
        rule=rule,
        why_unread=why,
        in_force=in_force,
    )


def bound_since() -> date | None:
    """From which day on purchases need the rule or an approval: the first version's, else the first request's; None
    where neither ever was."""
    rules = ProcurementRule.objects.filter(status=ProcurementRule.Status.PUBLISHED)
    days = [on or (at.date() if at else None) for on, at in rules.values_list("effective_from", "published_at")]
    known = [day for day in days if day is not None]
    if known:
        return min(known)
    first = ExceptionRequest.objects.order_by("created_at").values_list("created_at", flat=True).first()
    return first.date() if rules.exists() and first else None
