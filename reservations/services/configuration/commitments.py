"""Commitments, as a configuration file says: each known by its account and the provider's id."""

from collections.abc import Sequence
from typing import Annotated, Literal

from django.db.backends.postgresql.psycopg_any import DateRange
from pydantic import Field, model_validator

from reservations.domain.change import Change
from reservations.models import Account, Commitment
from reservations.services.configuration.entries import Region
from reservations.services.configuration.putting import put
from reservations.services.configuration.texts import Currency, Day, Entry, Name, Price, Text

ENTERED_BY = "configuration file"


class CommitmentEntry(Entry):
    """A contract that lowers a price on the days ``[from, to)``."""

    kind: Literal["savings_plan", "regional_reserved_instance", "zonal_reserved_instance", "committed_use_discount"]
    provider_id: Text
    account: Name
    hourly: Price
    currency: Currency
    start: Day = Field(alias="from")
    end: Day = Field(alias="to")
    applies_to: Literal["any_compute", "family", "shape"]
    family: Annotated[Text, Field(max_length=64)] | None = None
    region: Region | None = None
    shape: Annotated[Text, Field(max_length=64)] | None = None
    payment: Literal["no_upfront", "partial_upfront", "all_upfront"]
    source: Annotated[Text, Field(max_length=200)] | None = None

    @model_validator(mode="after")
    def _forward_and_of_one_reach(self) -> "CommitmentEntry":
        if self.end <= self.start:
            raise ValueError(f"“to” is the first day it no longer holds, so {self.end} must be after {self.start}")
        if (self.family is not None) != (self.applies_to == "family"):
            raise ValueError("“family” is written where “applies_to” is family, and nowhere else")
        if self.family is not None and self.region is None:
            raise ValueError("a commitment to a family is for one region: write “region”")
        if (self.shape is not None) != (self.applies_to == "shape"):
            raise ValueError("“shape” is written where “applies_to” is shape, and nowhere else")
        return self

    def values(self) -> dict[str, object]:
        """The columns to write; a source that is left out is left alone."""
        values: dict[str, object] = {
            name: getattr(self, name) for name in ("kind", "hourly", "currency", "applies_to", "payment")
        }
        values |= {name: getattr(self, name) or "" for name in ("family", "region", "shape")}
        values["term"] = DateRange(self.start, self.end)
        return values | ({"source": self.source or ""} if "source" in self.model_fields_set else {})


def configure_commitments(*, entries: Sequence[CommitmentEntry]) -> list[Change]:
    """Write commitments; one that differs is entered anew by the file, one that does not is left alone."""
    accounts = dict(Account.objects.values_list("name", "pk"))
    return [_put(accounts[entry.account], entry) for entry in entries]


def _put(account_id: int, entry: CommitmentEntry) -> Change:
    lookup = {"account_id": account_id, "provider_id": entry.provider_id}
    values = entry.values()
    if not Commitment.objects.filter(**lookup, **values).exists():
        values["entered_by"] = ENTERED_BY
    name = f"{entry.account}, {entry.provider_id}"
    return put(Commitment, kind="commitment", name=name, lookup=lookup, values=values)[1]
