"""Commitments as sheets: what each costs and lowers, how far it is used, and which reservations it reaches."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal

from reservations.domain import notation
from reservations.domain.commitment import RESERVED_INSTANCES, AppliesTo, Commitment, CommitmentKind, stacking
from reservations.domain.commitment_money import CommitmentFigures, figures_of
from reservations.domain.reservation_state import Kind as ReservationKind
from reservations.selectors.commitments import CommitmentRow
from reservations.tables.listing import KINDS
from reservations.tables.sheet import Column, Kind, Sheet

NAMES = {
    CommitmentKind.SAVINGS_PLAN: "savings plan",
    CommitmentKind.REGIONAL_RI: "regional reserved instance",
    CommitmentKind.ZONAL_RI: "zonal reserved instance",
    CommitmentKind.COMMITTED_USE: "committed use discount",
}
COLUMNS = (
    Column("commitment", "commitment", Kind.TEXT, term="commitment"),
    Column("account", "account", Kind.TEXT),
    Column("kind", "kind", Kind.TEXT),
    Column("lowers", "lowers the price of", Kind.TEXT),
    Column("hourly", "committed per hour", Kind.MONEY),
    Column("currency", "currency", Kind.TEXT),
    Column("payment", "paid", Kind.TEXT),
    Column("from", "from", Kind.DAY),
    Column("to", "ends before", Kind.DAY),
    Column("utilisation_share", "utilisation", Kind.SHARE, term="commitment_utilisation"),
    Column("utilisation_days", "days of utilisation", Kind.COUNT),
    Column("coverage_share", "coverage", Kind.SHARE, term="commitment_coverage"),
    Column("coverage_days", "days of coverage", Kind.COUNT),
    Column("effective_rate", "effective rate", Kind.MONEY, "an hour", "effective_rate"),
    Column("effective_savings_rate", "savings rate", Kind.SHARE, term="effective_savings_rate"),
    Column("unused", "unused", Kind.MONEY, term="unused_commitment"),
    Column("reported_currency", "figures in", Kind.TEXT),
    Column("said", "where the figures come from", Kind.TEXT),
    Column("source", "source", Kind.TEXT),
    Column("entered_by", "entered by", Kind.TEXT),
)
ON_PAGE = (
    "commitment", "account", "kind", "lowers", "hourly", "to", "utilisation_share", "coverage_share",
    "effective_rate", "effective_savings_rate", "unused", "said",
)  # fmt: skip
STACKING = (
    Column("reservation", "a reservation", Kind.TEXT, term="capacity_reservation"),
    Column("commitment", "and a commitment", Kind.TEXT, term="commitment"),
    Column("applies", "lowers its price", Kind.YES_NO),
    Column("why", "why", Kind.TEXT),
)
USUAL = (CommitmentKind.SAVINGS_PLAN, CommitmentKind.REGIONAL_RI)


def commitments_sheet(rows: Sequence[CommitmentRow], *, start: date, end: date) -> Sheet:
    """One row for each commitment, with its figures over the UTC days ``[start, end)``."""
    about = (("figures of", f"{start} to before {end}, UTC days"),)
    return Sheet("commitments", "Commitments", COLUMNS, tuple(_row(one, end) for one in rows), about)


def on_page(sheet: Sheet) -> Sheet:
    """The same without what only a file has room for."""
    at = {name: place for place, name in enumerate(sheet.names)}
    currencies = {row[at["reported_currency"]] for row in sheet.rows} - {None}
    names = (*ON_PAGE[:-1], "reported_currency", ON_PAGE[-1]) if len(currencies) > 1 else ON_PAGE
    unit = str(min(currencies, key=str)) if len(currencies) == 1 else ""
    columns = tuple(_shown(sheet.columns[at[name]], unit) for name in names)
    rows = tuple(
        tuple(
            exact_amount(row[at["hourly"]], row[at["currency"]]) if name == "hourly" else row[at[name]]
            for name in names
        )
        for row in sheet.rows
    )
    return replace(sheet, columns=columns, rows=rows)


def exact_amount(value: object, currency: object) -> str:
    """Money with every digit it was entered with, at least two behind the point: ``412.50 USD``."""
    number = Decimal(str(value)).normalize()
    places = max(2, -int(number.as_tuple().exponent))
    return f"{notation.grouped(number, places)}{notation.THIN}{currency}"


def _shown(column: Column, unit: str) -> Column:
    """A column of a page: what is committed in words, since it is exact, and money with the currency it is told in."""
    if column.name == "hourly":
        return replace(column, kind=Kind.TEXT)
    return replace(column, unit=f"{unit} {column.unit}".strip()) if column.kind is Kind.MONEY else column


def stacking_sheet(rows: Sequence[CommitmentRow]) -> Sheet:
    """Each kind of reservation with each kind of commitment that is recorded, or with the usual two where none is."""
    recorded = {one.commitment.kind for one in rows}
    kinds = [kind for kind in CommitmentKind if kind in (recorded or USUAL)]
    told = tuple(
        (KINDS[held], NAMES[kind], said.applies, f"{said.reason[0].upper()}{said.reason[1:]}.")
        for held in ReservationKind
        for kind in kinds
        for said in [stacking(held, kind)]
    )
    return Sheet("stacking", "What lowers what", STACKING, told)


def hourly_now(rows: Sequence[CommitmentRow], day: date) -> dict[str, Decimal]:
    """What is committed per hour on a day, by currency."""
    sums: dict[str, Decimal] = {}
    for one in rows:
        if one.commitment.covers(day):
            sums[one.commitment.currency] = sums.get(one.commitment.currency, Decimal(0)) + one.commitment.hourly
    return sums


def unused_over(rows: Sequence[CommitmentRow]) -> dict[str, Decimal]:
    """Money committed and not used over the days of the rows, by currency; empty where none of it is known.

    What is told of an account's reserved instances together counts once.
    """
    sums: dict[str, Decimal] = {}
    together: set[str] = set()
    for one in rows:
        if not one.own and one.commitment.account in together:
            continue
        for day in one.use:
            if day.unused is not None:
                sums[day.currency] = sums.get(day.currency, Decimal(0)) + day.unused
        if not one.own and one.use:
            together.add(one.commitment.account)
    return sums


def lowers(one: Commitment) -> str:
    """What it lowers the price of: ``p5 in us-east-1``."""
    what = {AppliesTo.ANY_COMPUTE: "any compute", AppliesTo.FAMILY: one.family, AppliesTo.SHAPE: one.shape}
    return what[one.applies_to] + (f" in {one.region}" if one.region else "")


def _row(one: CommitmentRow, end: date) -> tuple[object, ...]:
    about = one.commitment
    told: CommitmentFigures = figures_of([*one.use, *one.covering])
    return (
        about.provider_id,
        about.account,
        NAMES[about.kind],
        lowers(about),
        about.hourly,
        about.currency,
        about.payment.value.replace("_", " "),
        about.start,
        about.end,
        told.utilisation,
        told.utilisation_days,
        told.coverage,
        told.coverage_days,
        told.effective_rate,
        told.savings_rate,
        told.unused,
        told.currency or None,
        _said(one, told, end),
        about.source or None,
        about.entered_by or None,
    )


def _said(one: CommitmentRow, told: CommitmentFigures, end: date) -> str:
    """Where the figures come from, or why there are none."""
    if one.commitment.kind is CommitmentKind.COMMITTED_USE:
        return "no provider is asked about committed use discounts"
    parts = []
    if told.utilisation_days or told.coverage_days:
        days = max(told.utilisation_days, told.coverage_days)
        together = ", all reserved instances of the account together" if _together(one) else ""
        parts.append(f"Cost Explorer, {days} day{'s' if days != 1 else ''}{together}")
    elif not one.may_ask:
        parts.append("unknown: its account does not let Cost Explorer be asked")
    elif one.commitment.start >= end:
        parts.append("unknown: it has not begun")
    elif one.fetch is None:
        parts.append("unknown: Cost Explorer was not asked yet")
    else:
        parts.append("unknown: no day of it was told")
    if one.fetch is not None:
        parts.append(f"asked {notation.instant(one.fetch.at)}")
        parts += _failures(one)
    return "; ".join(parts)


def _failures(one: CommitmentRow) -> list[str]:
    """What could not be told, of the calls that this kind of commitment is read from."""
    other = "SavingsPlans" if _together(one) else "Reservation"
    return [said for call, said in one.fetch.failures.items() if other not in call] if one.fetch else []


def _together(one: CommitmentRow) -> bool:
    return one.commitment.kind in RESERVED_INSTANCES
