"""The sums that stand under the waterfall's bars, written so that the parts add up to the whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from reservations.domain import notation
from reservations.domain.period import HOUR_MS
from reservations.domain.pricing import MONEY_STEP
from reservations.tables.sheet import Column, Kind, Sheet
from telemetry.domain.labels import STEP_LABELS
from telemetry.domain.totals import Totals
from telemetry.domain.waterfall import STEPS, Step, Waterfall
from telemetry.domain.worth import Worth
from telemetry.tables.usage import gpu_hours, share

ALWAYS = tuple(name for name in STEPS if name not in {"not_observed", "idle_unsplit", "busy_unsplit", "not_accounted"})
"""Steps that are shown even when they are zero: their absence would be a question."""

PER_MILLE = 1000
MONEY_UNITS = int(1 / MONEY_STEP)


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar in words; ``left`` and ``width`` place it on a line of 100 (a step that climbs has its own width)."""

    name: str
    label: str
    hours: str
    share: str
    money: str
    why: str
    left: str
    width: str

    @property
    def linked(self) -> bool:
        """Whether there are hours behind it to show."""
        return self.name != "reserved" and not self.why and self.width != "0.00%"


def shown_steps(fall: Waterfall) -> tuple[Step, ...]:
    """The steps worth a bar, in order."""
    return tuple(step for step in fall.steps if step.gpu_ms or step.name in ALWAYS)


def bars(fall: Waterfall, worth: Worth) -> tuple[Bar, ...]:
    """Reserved, at what was paid for it, and each step that is shown.

    The hours and the shares as written add up to reserved and to 100 %, the money with what was not usable to all that
    was paid: what rounding leaves goes to the largest remainders.
    """
    steps = shown_steps(fall)
    places = places_of(fall.reserved)
    hours = notation.whole_parts([step.gpu_ms for step in steps], HOUR_MS // 10**places)
    shares = _shares(fall, steps)
    paid, _, money = _money(worth)
    full = "100" + notation.THIN + "%" if fall.reserved else notation.UNKNOWN
    whole = notation.grouped(Decimal(fall.reserved) / HOUR_MS, places)
    rows = [Bar("reserved", "reserved", whole, full, paid, "", "0.00%", "100.00%")]
    level = fall.reserved
    for place, step in enumerate(steps):
        height = step.gpu_ms or 0
        rows.append(
            Bar(
                name=step.name,
                label=STEP_LABELS[step.name],
                hours=_digits(hours[place], places),
                share=shares[place],
                money=money[step.name],
                why="" if step.gpu_ms is not None else "Not known in any of these hours: it stands in another bar.",
                left=_on_line(min(level, level - height), fall.reserved),
                width=_on_line(abs(height), fall.reserved),
            )
        )
        level -= height
    return tuple(rows)


def waterfall_sheet(totals: Totals, worth: Worth, about: tuple[tuple[str, str], ...] = ()) -> Sheet:
    """Every step exactly: reserved, its parts, and what was paid but not usable; money where a price is known."""
    reserved = totals.reserved or 0
    rows: list[tuple[object, ...]] = [("reserved", "reserved", gpu_hours(totals.reserved), _share(reserved, reserved),
                                       worth.paid)]  # fmt: skip
    for name, gpu_ms in totals.steps().items():
        rows.append((name, STEP_LABELS[name], gpu_hours(gpu_ms), _share(gpu_ms, reserved), worth.steps.get(name)))
    unpaid = None if totals.paid is None else totals.paid - reserved
    rows.append(("paid_unusable", "paid but not usable", gpu_hours(unpaid), None, worth.unusable))
    columns = [
        Column("step", "step", Kind.TEXT),
        Column("label", "in words", Kind.TEXT),
        Column("gpu_hours", "GPU-hours", Kind.GPU_HOURS),
        Column("of_reserved_share", "of reserved", Kind.SHARE),
    ]
    if worth.currency:
        columns.append(Column(f"cost_{worth.currency.lower()}", "cost", Kind.MONEY, unit=worth.currency))
    cut = tuple(row[: len(columns)] for row in rows)
    return Sheet("waterfall", "Where the reserved hours went", tuple(columns), cut, about)


def unusable(totals: Totals, worth: Worth) -> str:
    """Paid less reserved in words, with its cost where that is known: ``320 GPU-hours, 1 234 USD``; blank for none."""
    gap = (totals.paid or 0) - (totals.reserved or 0)
    if not gap:
        return ""
    hours = f"{notation.gpu_hours(gap)} GPU-hours"
    if worth.unusable is None:
        return hours
    _, cost, _ = _money(worth)
    return f"{hours}, {cost}{notation.THIN}{worth.currency}"


def places_of(reserved: int) -> int:
    """How many places GPU-hours under this whole are written with: none from 100 on, one from 10 on, else two."""
    return 0 if not reserved or reserved >= 100 * HOUR_MS else 1 if reserved >= 10 * HOUR_MS else 2


def _shares(fall: Waterfall, steps: Sequence[Step]) -> list[str]:
    """Tenths of a per cent that add up to 100; unknown where nothing was reserved."""
    if not fall.reserved:
        return [notation.UNKNOWN] * len(steps)
    # a thousand times each part over the whole as the unit: exact, and the parts add up to a thousand
    scaled = [None if step.gpu_ms is None else step.gpu_ms * PER_MILLE for step in steps]
    written = notation.whole_parts(scaled, fall.reserved)
    return [
        notation.UNKNOWN if value is None else f"{_tenths(value, step.gpu_ms)}{notation.THIN}%"
        for value, step in zip(written, steps, strict=True)
    ]


def _tenths(value: int, gpu_ms: int | None) -> str:
    """Tenths of a per cent; exactly nothing and all are whole."""
    return _digits(value, 1) if gpu_ms and value != PER_MILLE else str(value // 10)


def _money(worth: Worth) -> tuple[str, str, dict[str, str]]:
    """Paid, what of it was not usable, and each step in whole units of the currency: the latter add up to paid."""
    if worth.paid is None:
        return notation.UNKNOWN, notation.UNKNOWN, dict.fromkeys(STEPS, notation.UNKNOWN)
    amounts = [worth.unusable, *(worth.steps.get(name) for name in STEPS)]
    units = [None if amount is None else int(amount * MONEY_UNITS) for amount in amounts]
    # each was rounded to the smallest amount by itself, so their sum may be some of these away from what was paid
    slack = int(worth.paid * MONEY_UNITS) - sum(unit for unit in units if unit is not None)
    rounded = abs(slack) <= len(units)
    unusable, *steps, _ = (
        _digits(value, 0) for value in notation.whole_parts([*units, slack if rounded else None], MONEY_UNITS)
    )
    return notation.grouped(worth.paid, 0), unusable, dict(zip(STEPS, steps, strict=True))


def _digits(value: int | None, places: int) -> str:
    return notation.UNKNOWN if value is None else notation.grouped(Decimal(value).scaleb(-places), places)


def _share(part: int | None, whole: int) -> Decimal | None:
    return None if part is None or not whole else share(Decimal(part) / whole)


def _on_line(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f}%" if whole else "0.00%"
