"""A version of the procurement rule, as a configuration file says: a draft, but for the very first."""

from dataclasses import replace

from django.db.models.functions import Now

from reservations.domain.change import Change, Outcome
from reservations.models import Owner, ProcurementRule
from reservations.services.configuration.putting import put
from reservations.services.configuration.rule_entries import RuleEntry


def configure_rule(*, entry: RuleEntry) -> list[Change]:
    """Store a version's text once; what may be published or changed was checked before."""
    values: dict[str, object] = {"owner": Owner.objects.get(name=entry.owner), "document": entry.document()}
    stored = ProcurementRule.objects.filter(version=entry.version)
    if stored.filter(status=ProcurementRule.Status.PUBLISHED).exists():
        # What binds was compared before, and never changes.
        return [Change("procurement rule", f"version {entry.version}", Outcome.UNCHANGED)]
    written = entry.written()
    values |= {day: written[day] for day in ("effective_from", "effective_to") if day in written}
    name = f"version {entry.version}"
    _, change = put(
        ProcurementRule, kind="procurement rule", name=name, lookup={"version": entry.version}, values=values
    )
    if change.outcome is Outcome.UPDATED:
        stored.update(author=None, author_name="")  # what it says now nobody typed into a page
    if entry.publish:
        stored.update(status=ProcurementRule.Status.PUBLISHED.value, published_at=Now())
        if change.outcome is Outcome.UNCHANGED:
            change = replace(change, outcome=Outcome.UPDATED, fields=("status",))
    return [change]
