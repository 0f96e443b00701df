"""The whole configuration file: which sections it has and what stands in them (docs/configuration.md)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel, ValidationError

from reservations.domain.suggestion import nearest
from reservations.services.configuration.commitments import CommitmentEntry
from reservations.services.configuration.entries import (
    AccountEntry,
    OrganisationEntry,
    OwnerEntry,
    PersonEntry,
    PoolEntry,
    PriceEntry,
    ShortageEntry,
)
from reservations.services.configuration.rule_entries import RuleEntry
from reservations.services.configuration.texts import Name
from scheduler.services.configuration.growth import GrowthEntry
from scheduler.services.configuration.purchases import PurchaseEntry
from scheduler.services.configuration.reading import Place, Written
from scheduler.services.configuration.sentences import place_name, sentence
from scheduler.services.configuration.thresholds import ThresholdEntry
from telemetry.services.configuration import PoolTelemetry
from telemetry.services.configuration.entries import MetricsSourceEntry, NodeMatchEntry


class PoolWithTelemetry(PoolEntry):
    """A pool and where its telemetry comes from."""

    metrics_source: Name | None = None
    node_match: NodeMatchEntry | None = None

    def telemetry(self) -> PoolTelemetry:
        """Its telemetry alone."""
        written = self.model_fields_set & {"metrics_source", "node_match"}
        return PoolTelemetry(self.name, frozenset(written), self.metrics_source, self.node_match)


LISTS: dict[str, type[BaseModel]] = {
    "owners": OwnerEntry,
    "people": PersonEntry,
    "accounts": AccountEntry,
    "metrics_sources": MetricsSourceEntry,
    "pools": PoolWithTelemetry,
    "prices": PriceEntry,
    "growth": GrowthEntry,
    "purchases": PurchaseEntry,
    "shortage": ShortageEntry,
    "commitments": CommitmentEntry,
    "thresholds": ThresholdEntry,
}
TABLES: dict[str, type[BaseModel]] = {"organisation": OrganisationEntry, "procurement_rule": RuleEntry}


@dataclass(slots=True)
class Problems:
    """What is wrong with a file, in the order of its lines."""

    written: Written
    found: list[tuple[int, str]] = field(default_factory=list)

    def add(self, place: Place, said: str) -> None:
        """Keep one sentence about a place."""
        line = self.written.line(place)
        self.found.append((line, f"{place_name(place)}: {said} (line {line})" if place else f"{said} (line {line})"))

    def sentences(self) -> list[str]:
        """Each of them once, in the order of their lines."""
        return list(dict.fromkeys(said for _, said in sorted(self.found, key=lambda one: one[0])))


@dataclass(slots=True)
class Document:
    """The entries that could be read, each with its place; ``names`` holds also those of entries that could not."""

    owners: dict[Place, OwnerEntry] = field(default_factory=dict)
    people: dict[Place, PersonEntry] = field(default_factory=dict)
    accounts: dict[Place, AccountEntry] = field(default_factory=dict)
    metrics_sources: dict[Place, MetricsSourceEntry] = field(default_factory=dict)
    pools: dict[Place, PoolWithTelemetry] = field(default_factory=dict)
    prices: dict[Place, PriceEntry] = field(default_factory=dict)
    growth: dict[Place, GrowthEntry] = field(default_factory=dict)
    purchases: dict[Place, PurchaseEntry] = field(default_factory=dict)
    shortage: dict[Place, ShortageEntry] = field(default_factory=dict)
    commitments: dict[Place, CommitmentEntry] = field(default_factory=dict)
    thresholds: dict[Place, ThresholdEntry] = field(default_factory=dict)
    organisation: OrganisationEntry | None = None
    procurement_rule: RuleEntry | None = None
    names: dict[str, frozenset[str]] = field(default_factory=dict)


def document(written: Written, problems: Problems) -> Document:
    """Read every section; what can't be read becomes a problem, and the rest is read all the same."""
    found = Document()
    values = written.values if isinstance(written.values, dict) else {}
    for key, value in values.items():
        if key in LISTS:
            setattr(found, key, _entries(key, value, problems))
            found.names[key] = _names(value)
        elif key in TABLES:
            setattr(found, key, _entry(TABLES[key], value, (key,), problems) if value is not None else None)
        else:
            problems.add((key,), f"there is no section “{key}”{nearest(key, [*LISTS, *TABLES])}")
    return found


def _entries(section: str, value: object, problems: Problems) -> dict[Place, BaseModel]:
    if value is None:
        return {}
    if not isinstance(value, list):
        problems.add((section,), "must be a list")
        return {}
    entries = {
        (section, number): _entry(LISTS[section], one, (section, number), problems) for number, one in enumerate(value)
    }
    return {place: entry for place, entry in entries.items() if entry is not None}


def _entry(kind: type[BaseModel], value: object, place: Place, problems: Problems) -> BaseModel | None:
    try:
        return kind.model_validate(value)
    except ValidationError as invalid:
        for error in invalid.errors(include_url=False):
            problems.add(*sentence(error, entry=kind, section=place))
        return None


def _names(value: object) -> frozenset[str]:
    entries = value if isinstance(value, list) else []
    found = [entry.get("name") for entry in entries if isinstance(entry, Mapping)]
    return frozenset(name for name in found if isinstance(name, str))
