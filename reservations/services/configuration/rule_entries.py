"""What a configuration file may say about the procurement rule (docs/procurement.md); nothing is written here."""

from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from reservations.domain.procurement.exception_type import ExceptionType
from reservations.services.configuration.entries import RoleWord, ShareOfOne, WorkloadWord
from reservations.services.configuration.texts import Amount, Currency, Day, Entry, Name

DaysOfRule = Annotated[int, Field(ge=0, le=3650)]


class StepEntry(Entry):
    """Up to which amount, inclusive, so many people of a role approve."""

    up_to: Amount
    role: RoleWord
    quorum: Annotated[int, Field(ge=1, le=9)] | None = None


class CheckEntry(Entry):
    """A check by a role, needed above an amount."""

    check: Literal["technical", "cost"]
    role: RoleWord
    above: Amount | None = None


class ExceptionTypeEntry(Entry):
    """A type of exception that may be asked for, and the roles that approve it as well."""

    type: ExceptionType
    roles: list[RoleWord] = Field(default_factory=list)

    @field_validator("type", mode="before")
    @classmethod
    def _known(cls, value: object) -> ExceptionType:
        try:
            return ExceptionType(str(value))
        except ValueError:
            known = ", ".join(kind.value for kind in ExceptionType)
            raise ValueError(f"there is no type of exception “{value}”: {known}") from None


class RuleEntry(Entry):
    """A version of the procurement rule; ``publish`` only for the very first one."""

    version: Annotated[int, Field(ge=1, le=1_000_000)]
    owner: Name
    reserved_share_of_base_load: ShareOfOne
    spot_workloads: list[WorkloadWord] = Field(default_factory=list)
    block_booking_lead_days: Annotated[int, Field(ge=0, le=3650)]
    procurement_lead_days: Annotated[int, Field(ge=0, le=3650)]
    steps: Annotated[list[StepEntry], Field(min_length=1)]
    currency: Currency | None = None
    checks: list[CheckEntry] | None = None
    exception_types: list[ExceptionTypeEntry] | None = None
    approval_valid_days: DaysOfRule | None = None
    price_move_limit_share: ShareOfOne | None = None
    role_change_days: DaysOfRule | None = None
    delegation_most_days: DaysOfRule | None = None
    longest_term_days: DaysOfRule | None = None
    effective_from: Day | None = None
    effective_to: Day | None = None
    publish: bool = False

    @model_validator(mode="after")
    def _steps_rise(self) -> "RuleEntry":
        limits = [step.up_to for step in self.steps]
        if any(low >= high for low, high in pairwise(limits)):
            raise ValueError(f"each step must go higher than the one before it: {', '.join(map(str, limits))}")
        if self.effective_from and self.effective_to and self.effective_to <= self.effective_from:
            raise ValueError(f"“effective_to” is the first day it no longer holds: after {self.effective_from}")
        return self

    def document(self) -> dict[str, object]:
        """The rule's text as it is stored: decimals as texts, so that none loses a digit; what is not said is left out.

        So the text of a version that was stored before there were more keys is still the same.
        """
        apart = {"version", "owner", "publish", "effective_from", "effective_to"}
        return self.model_dump(mode="json", exclude=apart, exclude_none=True)
