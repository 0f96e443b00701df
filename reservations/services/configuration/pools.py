"""Accounts and pools with their rules and queues, as a configuration file says."""

from collections.abc import Sequence

from reservations.domain.change import Change, Outcome
from reservations.models import Account, Owner, Pool, PoolReservationRule, Queue
from reservations.services.configuration.entries import AccountEntry, PoolEntry, QueueEntry
from reservations.services.configuration.putting import blank, put, put_named

_ACCOUNT = ("provider", "account_id", "regions", "role_arn", "external_id", "endpoint_url", "cost_explorer")
_TEXTS = ("instance_type", "data_zone_id", "cohort", "flavor", "gpu_generation")
_AS_WRITTEN = ("gpus_per_node", "spare_nodes", "useful_until")


def configure_accounts(*, entries: Sequence[AccountEntry]) -> list[Change]:
    """Write the accounts that are asked for their reservations."""
    return put_named(Account, kind="account", entries=entries, fields=_ACCOUNT)


def configure_pools(*, entries: Sequence[PoolEntry]) -> list[Change]:
    """Write pools; a written list of reservations replaces the pool's rules, queues are added to those there are."""
    owners = {owner.name: owner for owner in Owner.objects.all()}
    pools: list[tuple[Pool, PoolEntry]] = []
    changes: list[Change] = []
    for entry in entries:
        written = entry.written()
        values = blank(written, *_TEXTS) | {name: written[name] for name in _AS_WRITTEN if name in written}
        values["owner"] = owners[entry.owner]
        pool, change = put(Pool, kind="pool", name=entry.name, lookup={"name": entry.name}, values=values)
        pools.append((pool, entry))
        changes.append(change)
    # Rules that went are taken away first, so that an id can move from one pool to another in one run.
    gone = [change for pool, entry in pools for change in _rules_removed(pool, entry)]
    for pool, entry in pools:
        changes += [_rule_put(pool, tag_key, value) for tag_key, value in entry.reservations]
        changes += [_queue_put(pool, queue, owners) for queue in entry.queues]
    return [*changes, *gone]


def _rules_removed(pool: Pool, entry: PoolEntry) -> list[Change]:
    if "reservations" not in entry.model_fields_set:
        return []
    wanted = set(entry.reservations)
    gone = [rule for rule in pool.reservation_rules.all() if (rule.tag_key, rule.value) not in wanted]
    for rule in gone:
        rule.delete()
    return [Change("reservation rule", f"{pool.name}: {rule}", Outcome.REMOVED) for rule in gone]


def _rule_put(pool: Pool, tag_key: str, value: str) -> Change:
    said = f"{tag_key}={value}" if tag_key else value
    return put(
        PoolReservationRule,
        kind="reservation rule",
        name=f"{pool.name}: {said}",
        lookup={"pool_id": pool.pk, "tag_key": tag_key, "value": value},
        values={},
    )[1]


def _queue_put(pool: Pool, entry: QueueEntry, owners: dict[str, Owner]) -> Change:
    written = entry.written()
    values = {
        name: written[name] for name in ("workload", "nominal_share", "lending_limit", "namespaces") if name in written
    }
    return put(
        Queue,
        kind="queue",
        name=f"{pool.name}: {entry.cluster_queue}",
        lookup={"pool_id": pool.pk, "cluster_queue": entry.cluster_queue},
        values={**values, "owner": owners[entry.owner]},
    )[1]
