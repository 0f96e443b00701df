"""A version of the procurement rule, as a configuration file says: a draft, but for the very first."""

from reservations.domain.change import Change
from reservations.models import Owner, ProcurementRule
from reservations.services.configuration.entries import RuleEntry
from reservations.services.configuration.putting import put


def configure_rule(*, entry: RuleEntry) -> list[Change]:
    """Store a version's text once; what may be published or changed was checked before."""
    values: dict[str, object] = {"owner": Owner.objects.get(name=entry.owner), "document": entry.document()}
    if entry.publish:
        values["status"] = ProcurementRule.Status.PUBLISHED.value
    name = f"version {entry.version}"
    _, change = put(
        ProcurementRule, kind="procurement rule", name=name, lookup={"version": entry.version}, values=values
    )
    return [change]
