"""What a configuration file may say about what we hold (docs/configuration.md); nothing is written here."""

from datetime import date
from decimal import Decimal
from typing import Annotated, ClassVar, Literal

from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from reservations.services.configuration.texts import (
    Count,
    Currency,
    Day,
    Entry,
    Gpus,
    Name,
    Price,
    Probability,
    Rate,
    Share,
    Text,
    Zone,
    shaped,
)


def _email(address: str) -> str:
    try:
        validate_email(address)
    except ValidationError:
        raise ValueError(f"“{address}” is not an e-mail address") from None
    return address


def _username(name: str) -> str:
    try:
        UnicodeUsernameValidator()(name)
    except ValidationError:
        raise ValueError(f"“{name}” can't be a log-in name: letters, digits and @ . + - _ only") from None
    return name


def _claims(value: object) -> list[tuple[str, str]]:
    """Reservations as (tag key or blank, value); one ``{tag: …}`` may stand without a list around it."""
    return [_claim(number, one) for number, one in enumerate(value if isinstance(value, list) else [value])]


def _claim(number: int, one: object) -> tuple[str, str]:
    if _is_text(one):
        return "", str(one)
    tag = one["tag"] if isinstance(one, dict) and set(one) == {"tag"} else None
    if isinstance(tag, list) and len(tag) == 2 and all(_is_text(text) for text in tag):
        return tag[0], tag[1]
    raise ValueError(f"number {number + 1} must be an id or an ARN in text, or {{tag: [key, value]}}")


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value == value.strip() and value.isprintable() and 0 < len(value) <= 256


def _share(value: Decimal) -> Decimal:
    if value > 1:
        raise ValueError(f"a share is from 0 to 1, and this is {value}")
    return value


Namespace = Annotated[str, Field(max_length=63), shaped(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?", "is not a namespace")]
Username = Annotated[str, Field(min_length=1, max_length=150), AfterValidator(_username)]
Email = Annotated[str, Field(max_length=254), AfterValidator(_email)]
Claims = Annotated[list[tuple[str, str]], BeforeValidator(_claims)]
ShareOfOne = Annotated[Share, AfterValidator(_share)]
AccountId = Annotated[str, Field(max_length=32), shaped(r"\d{12}", "is not an account id: twelve digits in quotes")]
Region = Annotated[
    str, Field(max_length=32), shaped(r"[a-z]{2,}(-[a-z]+)+-\d+", "is not a region: write it as us-east-1")
]
ZoneId = Annotated[str, Field(max_length=32), shaped(r"[a-z0-9]+-[a-z0-9-]+", "is not a zone id: write it as use1-az4")]
RoleArn = Annotated[
    str, Field(max_length=256), shaped(r"arn:aws[a-z-]*:iam::\d{12}:role/\S+", "is not the ARN of a role")
]
Endpoint = Annotated[
    str, Field(max_length=256), shaped(r"https?://[^\s/]+\S*", "is not an address: begin it with http:// or https://")
]
RoleWord = Literal["viewer", "owner", "operator", "analyst", "approver", "auditor", "admin"]
WorkloadWord = Literal["serving", "training", "batch"]


class OrganisationEntry(Entry):
    """The organisation itself."""

    name: Annotated[Text, Field(max_length=120)] = "Moorage"
    accounting_zone: Zone = "UTC"


class OwnerEntry(Entry):
    """A team, and the people who own with it."""

    name: Name
    email: Email | None = None
    members: list[Username] = Field(default_factory=list)
    fallback: Name | None = None


class PersonEntry(Entry):
    """Roles of one person: for one team, or without a team for the whole organisation."""

    name: Username
    roles: Annotated[list[RoleWord], Field(min_length=1)]
    team: Name | None = None


class AccountEntry(Entry):
    """A cloud account that is asked for its reservations."""

    name: Name
    provider: Literal["aws"] = "aws"
    account_id: AccountId
    regions: Annotated[list[Region], Field(min_length=1)]
    role_arn: RoleArn | None = None
    external_id: Text | None = None
    endpoint_url: Endpoint | None = None
    cost_explorer: bool = False


class QueueEntry(Entry):
    """A ClusterQueue that runs on a pool."""

    cluster_queue: Annotated[Text, Field(max_length=253)]
    owner: Name
    workload: WorkloadWord
    nominal_share: ShareOfOne | None = None
    lending_limit: Count | None = None
    namespaces: list[Namespace] = Field(default_factory=list)


class PoolEntry(Entry):
    """A node pool and the reservations that back it: ids or ARNs, or ``{tag: [key, value]}``."""

    name: Name
    owner: Name
    instance_type: Annotated[Text, Field(max_length=64)]
    gpus_per_node: Gpus
    reservations: Claims = Field(default_factory=list)
    queues: list[QueueEntry] = Field(default_factory=list)
    data_zone_id: ZoneId | None = None
    cohort: Annotated[Text, Field(max_length=120)] | None = None
    flavor: Annotated[Text, Field(max_length=120)] | None = None
    spare_nodes: Count = 0
    gpu_generation: Annotated[Text, Field(max_length=40)] | None = None
    useful_until: Day | None = None


class DatedEntry(Entry):
    """What is said of one pool or one shape on the days ``[from, to)``."""

    WHAT: ClassVar[str]

    pool: Name | None = None
    shape: Annotated[Text, Field(max_length=64)] | None = None
    start: Day = Field(alias="from")
    end: Day | None = Field(default=None, alias="to")
    currency: Currency
    source: Annotated[Text, Field(max_length=200)] | None = None

    @model_validator(mode="after")
    def _one_subject_and_forward(self) -> "DatedEntry":
        if (self.pool is None) == (self.shape is None):
            said = "is for one pool or one shape: write “pool” or “shape”, not both and not neither"
            raise ValueError(f"a {self.WHAT} {said}")
        if self.end is not None and self.end <= self.start:
            raise ValueError(f"“to” is the first day it no longer holds, so {self.end} must be after {self.start}")
        return self

    @property
    def subject(self) -> str:
        """What it is for, in words."""
        return f"pool {self.pool}" if self.pool is not None else f"shape {self.shape}"

    @property
    def days(self) -> tuple[date, date | None]:
        """The days it holds on, half-open."""
        return self.start, self.end


class PriceEntry(DatedEntry):
    """A quote."""

    WHAT = "price"

    on_demand: Price | None = None
    reserved: Price | None = None
    spot: Price | None = None
    flex: Price | None = None
    unit: Literal["node-hour", "gpu-hour"]


class ShortageEntry(DatedEntry):
    """q and L: how often a launch without the reservation fails, and what that costs per node-hour."""

    WHAT = "shortage"

    fail_probability: Probability
    shortage_cost: Price
    convention: Literal["extra", "instead"]


class RateEntry(Entry):
    """What a unit of one currency was worth in another on a day."""

    source_currency: Currency = Field(alias="from")
    target_currency: Currency = Field(alias="to")
    day: Day
    rate: Rate
    source: Annotated[Text, Field(max_length=200)]

    @model_validator(mode="after")
    def _two_currencies(self) -> "RateEntry":
        if self.source_currency == self.target_currency:
            raise ValueError(f"a rate leads from one currency to another, and both are {self.source_currency}")
        return self
