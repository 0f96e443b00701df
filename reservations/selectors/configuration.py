"""What is configured already, as a new configuration file must be checked against it."""

from dataclasses import dataclass

from reservations.models import Account, Owner, Pool, PoolReservationRule, ProcurementRule


@dataclass(frozen=True, slots=True)
class StoredRule:
    """One version of the procurement rule as it was written."""

    owner: str
    document: dict[str, object]
    published: bool


@dataclass(frozen=True, slots=True)
class Stored:
    """Names by kind; ``accounts`` maps (provider, account id) to a name, ``claims`` (tag key, value) to a pool."""

    owners: frozenset[str]
    pools: frozenset[str]
    fallbacks: dict[str, str]
    accounts: dict[tuple[str, str], str]
    claims: dict[tuple[str, str], str]
    rules: dict[int, StoredRule]


def stored_configuration() -> Stored:
    """All of it, in five queries."""
    owners = dict(Owner.objects.values_list("name", "fallback__name"))
    return Stored(
        owners=frozenset(owners),
        pools=frozenset(Pool.objects.values_list("name", flat=True)),
        fallbacks={name: fallback for name, fallback in owners.items() if fallback},
        accounts={(row[0], row[1]): row[2] for row in Account.objects.values_list("provider", "account_id", "name")},
        claims={
            (row[0], row[1]): row[2]
            for row in PoolReservationRule.objects.values_list("tag_key", "value", "pool__name")
        },
        rules={
            rule.version: StoredRule(rule.owner.name, rule.document, rule.status == ProcurementRule.Status.PUBLISHED)
            for rule in ProcurementRule.objects.select_related("owner")
        },
    )
