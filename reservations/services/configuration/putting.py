"""Writing one object only where it differs, so that a second run touches no row."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from django.db.models import Model

from reservations.domain.change import Change, Outcome

Row = TypeVar("Row", bound=Model)


class Named(Protocol):
    """An entry of a configuration file that is known by its name."""

    name: str

    def written(self) -> dict[str, object]:
        """The keys that stand in the file, with their values."""


def put(
    model: type[Row], *, kind: str, name: str, lookup: Mapping[str, object], values: Mapping[str, object]
) -> tuple[Row, Change]:
    """The row of a lookup with these values, created or updated where it must be."""
    found = model._default_manager.filter(**lookup).first()
    if found is None:
        row = model._default_manager.create(**lookup, **values)
        return row, Change(kind, name, Outcome.CREATED, tuple(values), after=dict(values))
    differing = tuple(field for field, value in values.items() if getattr(found, field) != value)
    if not differing:
        return found, Change(kind, name, Outcome.UNCHANGED)
    before = {field: getattr(found, field) for field in differing}
    for field in differing:
        setattr(found, field, values[field])
    found.save(update_fields=differing)
    after = {field: values[field] for field in differing}
    return found, Change(kind, name, Outcome.UPDATED, differing, before=before, after=after)


def blank(values: Mapping[str, object], *fields: str) -> dict[str, object]:
    """Those of some values that were written, a written null as the blank text its column keeps."""
    return {name: "" if values[name] is None else values[name] for name in fields if name in values}


def put_named(model: type[Model], *, kind: str, entries: Iterable[Named], fields: Sequence[str]) -> list[Change]:
    """One row for each entry, found by its name, with those of these fields that the entry writes."""
    return [
        put(
            model,
            kind=kind,
            name=entry.name,
            lookup={"name": entry.name},
            values=blank(entry.written(), *fields),
        )[1]
        for entry in entries
    ]
