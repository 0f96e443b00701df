"""The load-duration curve as a sheet, and what it says in a sentence."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from reservations.domain import notation
from reservations.tables.sheet import Column, Kind, Sheet
from telemetry.domain.load_duration import LoadDuration

NAME = "load-duration"
TITLE = "How many nodes were needed"

COLUMNS = (
    Column("node", "node", Kind.COUNT),
    Column("demand_hours", "needed in", Kind.COUNT, "hours", "demand"),
    Column("demand_hours_share", "needed", Kind.SHARE, "of hours", "demand"),
    Column("busy_hours", "busy in", Kind.COUNT, "hours", "busy"),
    Column("busy_hours_share", "busy", Kind.SHARE, "of hours", "busy"),
)

EMPTY = Sheet(NAME, TITLE, COLUMNS, ())

WHOLE = "Demand is what pods held and what work waited for, in whole nodes."
BOUND = "What work waited for is unknown: demand is what pods held alone, in whole nodes."


@dataclass(frozen=True, slots=True)
class Loads:
    """Demand and busy as curves, each over the hours it is known in; ``reserved`` nodes on average, None unknown.

    In ``bound_only`` of the hours of demand it is unknown what work waited for. ``adjusted`` is the break-even with
    launches that fail.
    """

    demand: LoadDuration
    busy: LoadDuration
    reserved: Fraction | None
    break_even: Decimal | None
    bound_only: int = 0
    adjusted: Decimal | None = None

    @property
    def peak(self) -> int:
        """The most nodes that either needed."""
        return max(self.demand.peak, self.busy.peak)


def load_sheet(loads: Loads) -> Sheet:
    """One row for each node up to the peak; blank where a curve has no hour."""
    rows = tuple((node, *_of(loads.demand, node), *_of(loads.busy, node)) for node in range(1, max(loads.peak, 1) + 1))
    return Sheet(NAME, TITLE, COLUMNS, rows if loads.demand.hours or loads.busy.hours else ())


def load_summary(loads: Loads) -> str:
    """Mean and peak of demand in nodes against what is reserved and the break-even; then what demand leaves out."""
    if not loads.demand.hours and not loads.busy.hours:
        return ""
    said = [_needed(loads)]
    if loads.break_even is not None and loads.demand.hours:
        said.append(_against(loads.demand, loads.break_even, loads.adjusted))
    return " ".join([*said, _waited(loads)] if loads.demand.hours else said)


def _waited(loads: Loads) -> str:
    if not loads.bound_only:
        return WHOLE
    if loads.bound_only == loads.demand.hours:
        return BOUND
    return f"{WHOLE} In {notation.grouped(loads.bound_only)} hours what waited is unknown: there it is what pods held."


def why_no_load(hours: int) -> str:
    """Why there is no curve."""
    if not hours:
        return "No hour of this month is in the ledger."
    return "In no hour of this month is it known what pods asked for or how long GPUs were busy."


def decimal_share(share: Fraction | None) -> Decimal | None:
    """A fraction as a share of a sheet."""
    return None if share is None else Decimal(share.numerator) / share.denominator


def _of(curve: LoadDuration, node: int) -> tuple[int | None, Decimal | None]:
    if not curve.hours:
        return None, None
    hours = curve.needed[node - 1] if node <= curve.peak else 0
    return hours, decimal_share(curve.share(node))


def _needed(loads: Loads) -> str:
    curve, what = (loads.demand, "needed") if loads.demand.hours else (loads.busy, "busy")
    mean = notation.grouped(decimal_share(curve.mean_nodes) or Decimal(0), 1)
    held = "" if loads.reserved is None else f" of {notation.grouped(decimal_share(loads.reserved) or Decimal(0), 1)}"
    reserved = f"{held} reserved" if held else ""
    hours = f"{notation.grouped(curve.hours)} hours in which that is known"
    return f"{mean} nodes{reserved} {what} on average, {notation.grouped(curve.peak)} at the peak, over the {hours}."


def _against(curve: LoadDuration, break_even: Decimal, adjusted: Decimal | None) -> str:
    """The first nodes that each were needed in more than the break-even share of the hours, and than the adjusted."""
    even = notation.percent(break_even)
    fails = ""
    if adjusted is not None:
        line = notation.percent(adjusted)
        fails = f"; {_many(_justified(curve, adjusted))} in more than the {line} with launches that fail"
    justified = _justified(curve, break_even)
    if not justified:
        return f"No node was needed in more than {even} of them, the break-even{fails}."
    nodes = "1 node was" if justified == 1 else f"{notation.grouped(justified)} nodes were"
    return f"{nodes} needed in more than {even} of them, the break-even{fails}."


def _justified(curve: LoadDuration, share: Decimal) -> int:
    return sum(needed > share * curve.hours for needed in curve.needed)


def _many(nodes: int) -> str:
    return notation.grouped(nodes) if nodes else "none"
