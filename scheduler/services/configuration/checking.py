"""What must fit together in a configuration file, and with what is configured already."""

from collections.abc import Hashable, Mapping

from reservations.domain.pricing import days_left
from reservations.domain.suggestion import nearest
from reservations.selectors.configuration import Stored
from reservations.services.configuration.entries import DatedEntry
from scheduler.services.configuration.document import Document, Problems
from scheduler.services.configuration.growth import GrowthEntry
from scheduler.services.configuration.reading import Place


def check_document(document: Document, problems: Problems, *, stored: Stored, sources: frozenset[str]) -> None:
    """Add a problem for everything that does not fit together; ``sources`` are the metrics sources there are."""
    _check_repeats(document, problems)
    _check_owners(document, problems, stored)
    _check_references(document, problems, stored, sources)
    _check_accounts(document, problems, stored)
    _check_commitments(document, problems, stored)
    _check_claims(document, problems, stored)
    _check_days("prices", document.prices, problems)
    _check_days("shortages", document.shortage, problems)
    _check_growth(document, problems, stored)
    _check_purchases(document, problems, stored)
    _check_thresholds(document, problems, stored)
    _check_rule(document, problems, stored)


def _check_repeats(document: Document, problems: Problems) -> None:
    sections = (
        ("owner", document.owners),
        ("account", document.accounts),
        ("metrics source", document.metrics_sources),
        ("pool", document.pools),
    )
    for kind, entries in sections:
        for place, first, name in _repeats({place: entry.name for place, entry in entries.items()}):
            said = f"the {kind} “{name}” stands twice, first on line {problems.written.line(first)}"
            problems.add((*place, "name"), said)
    people = {place: (entry.name, entry.team) for place, entry in document.people.items()}
    for place, first, _ in _repeats(people):
        line = problems.written.line(first)
        problems.add((*place, "name"), f"stands twice for one team, first on line {line}: write all roles there")
    for place, pool in document.pools.items():
        queues = {(*place, "queues", number): queue.cluster_queue for number, queue in enumerate(pool.queues)}
        for at, first, name in _repeats(queues):
            said = f"the queue “{name}” stands twice in this pool, first on line {problems.written.line(first)}"
            problems.add((*at, "cluster_queue"), said)


def _check_owners(document: Document, problems: Problems, stored: Stored) -> None:
    known = stored.owners | document.names.get("owners", frozenset())
    next_of = {
        **stored.fallbacks,
        **{entry.name: entry.fallback for entry in document.owners.values() if entry.fallback},
    }
    for place, entry in document.owners.items():
        if entry.fallback is None:
            continue
        at: Place = (*place, "fallback")
        if entry.fallback not in known:
            problems.add(at, f"there is no owner “{entry.fallback}”{nearest(entry.fallback, known)}")
        elif _leads_back(entry.name, next_of):
            problems.add(at, f"the fallbacks of “{entry.name}” lead back to itself: nobody would be left to ask")


def _leads_back(name: str, next_of: Mapping[str, str]) -> bool:
    at, seen = next_of.get(name), set[str]()
    while at is not None and at not in seen:
        if at == name:
            return True
        seen.add(at)
        at = next_of.get(at)
    return False


def _check_references(document: Document, problems: Problems, stored: Stored, sources: frozenset[str]) -> None:
    owners = stored.owners | document.names.get("owners", frozenset())
    pools = stored.pools | document.names.get("pools", frozenset())
    sources |= document.names.get("metrics_sources", frozenset())

    def check(place: Place, kind: str, name: str | None, known: frozenset[str]) -> None:
        if name is not None and name not in known:
            problems.add(place, f"there is no {kind} “{name}”{nearest(name, known)}")

    for place, pool in document.pools.items():
        check((*place, "owner"), "owner", pool.owner, owners)
        check((*place, "metrics_source"), "metrics source", pool.metrics_source, sources)
        for number, queue in enumerate(pool.queues):
            check((*place, "queues", number, "owner"), "owner", queue.owner, owners)
    for place, person in document.people.items():
        check((*place, "team"), "owner", person.team, owners)
    dated: dict[Place, DatedEntry] = {**document.prices, **document.shortage}
    for place, entry in dated.items():
        check((*place, "pool"), "pool", entry.pool, pools)
    if document.procurement_rule is not None:
        check(("procurement_rule", "owner"), "owner", document.procurement_rule.owner, owners)


def _check_accounts(document: Document, problems: Problems, stored: Stored) -> None:
    moving = {entry.name for entry in document.accounts.values()}
    taken = {key: name for key, name in stored.accounts.items() if name not in moving}
    for place, entry in document.accounts.items():
        key = (entry.provider, entry.account_id)
        if key in taken and taken[key] != entry.name:
            problems.add((*place, "account_id"), f"account {entry.account_id} is configured already as “{taken[key]}”")
        taken.setdefault(key, entry.name)


def _check_commitments(document: Document, problems: Problems, stored: Stored) -> None:
    known = frozenset(stored.accounts.values()) | document.names.get("accounts", frozenset())
    for place, entry in document.commitments.items():
        if entry.account not in known:
            said = f"there is no account “{entry.account}”{nearest(entry.account, known)}"
            problems.add((*place, "account"), said)
    written = {place: (entry.account, entry.provider_id) for place, entry in document.commitments.items()}
    for place, first, _ in _repeats(written):
        line = problems.written.line(first)
        problems.add((*place, "provider_id"), f"stands twice for one account, first on line {line}")


def _check_claims(document: Document, problems: Problems, stored: Stored) -> None:
    written = {pool.name for pool in document.pools.values() if "reservations" in pool.model_fields_set}
    claimed = {_claimed(claim): pool for claim, pool in stored.claims.items() if pool not in written}
    for place, pool in document.pools.items():
        own: set[tuple[str, str]] = set()
        for number, claim in enumerate(pool.reservations):
            key, at, said = (
                _claimed(claim),
                (*place, "reservations", number),
                claim[1] if not claim[0] else "=".join(claim),
            )
            if key in own:
                problems.add(at, f"“{said}” stands twice in this pool")
            elif claimed.setdefault(key, pool.name) != pool.name:
                other = claimed[key]
                problems.add(at, f"“{said}” backs the pool “{other}” already: a reservation backs one pool at a time")
            own.add(key)


def _claimed(claim: tuple[str, str]) -> tuple[str, str]:
    """An ARN and the id at its end are one reservation."""
    tag_key, value = claim
    return tag_key, value if tag_key else value.rpartition("/")[2]


def _check_days(what: str, entries: Mapping[Place, DatedEntry], problems: Problems) -> None:
    by_subject: dict[str, list[tuple[Place, DatedEntry]]] = {}
    for place, entry in entries.items():
        before = by_subject.setdefault(entry.subject, [])
        for other_place, other in before:
            if days_left(start=entry.start, end=entry.end, taken=[other.days]) != [entry.days]:
                lines = f"line {problems.written.line(other_place)} and line {problems.written.line(place)}"
                problems.add(
                    place, f"two {what} of {entry.subject} overlap ({lines}): “to” is the first day it no longer holds"
                )
        before.append((place, entry))


def _check_growth(document: Document, problems: Problems, stored: Stored) -> None:
    pools = stored.pools | document.names.get("pools", frozenset())
    by_name: dict[tuple[str, str], list[tuple[Place, GrowthEntry]]] = {}
    for place, entry in document.growth.items():
        if entry.pool not in pools:
            problems.add((*place, "pool"), f"there is no pool “{entry.pool}”{nearest(entry.pool, pools)}")
        before = by_name.setdefault((entry.pool, entry.name), [])
        for other_place, other in before:
            if days_left(start=entry.start, end=entry.end, taken=[other.days]) != [entry.days]:
                lines = f"line {problems.written.line(other_place)} and line {problems.written.line(place)}"
                problems.add(place, f"two lines “{entry.name}” of pool {entry.pool} overlap ({lines})")
        before.append((place, entry))


def _check_thresholds(document: Document, problems: Problems, stored: Stored) -> None:
    pools = stored.pools | document.names.get("pools", frozenset())
    for place, entry in document.thresholds.items():
        if entry.pool is not None and entry.pool not in pools:
            problems.add((*place, "pool"), f"there is no pool “{entry.pool}”{nearest(entry.pool, pools)}")
    for place, first, _ in _repeats({place: entry.key for place, entry in document.thresholds.items()}):
        line = problems.written.line(first)
        problems.add(place, f"this threshold stands on line {line} already")


def _check_purchases(document: Document, problems: Problems, stored: Stored) -> None:
    pools = stored.pools | document.names.get("pools", frozenset())
    for place, entry in document.purchases.items():
        if entry.pool not in pools:
            problems.add((*place, "pool"), f"there is no pool “{entry.pool}”{nearest(entry.pool, pools)}")
    for place, first, _ in _repeats({place: entry.key for place, entry in document.purchases.items()}):
        line = problems.written.line(first)
        problems.add(place, f"a purchase of this pool, day and reservation stands on line {line} already")


def _check_rule(document: Document, problems: Problems, stored: Stored) -> None:
    rule = document.procurement_rule
    if rule is None:
        return
    place: Place = ("procurement_rule",)
    before = stored.rules.get(rule.version)
    if before is not None and (before.document, before.owner) != (rule.document(), rule.owner):
        said = (
            f"version {rule.version} is stored with another text: write the new one as version {max(stored.rules) + 1}"
        )
        problems.add((*place, "version"), said)
    others = [version for version in stored.rules if version != rule.version]
    if rule.publish and others and not (before and before.published):
        said = f"a file publishes only the first rule there is, and version {others[0]} is stored already"
        problems.add((*place, "publish"), said)


def _repeats(names: Mapping[Place, Hashable]) -> list[tuple[Place, Place, Hashable]]:
    """(the place of a repetition, the place it repeats, the name)."""
    first: dict[Hashable, Place] = {}
    found = []
    for place, name in names.items():
        if name in first:
            found.append((place, first[name], name))
        first.setdefault(name, place)
    return found
