"""Whether holding pays, and which of the break-even lines decides it (docs/prices.md#break-even)."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum


class Decides(StrEnum):
    """What the answer hangs on: the prices alone, launches that fail, or allocations that stand idle."""

    PRICE = "price"
    SHORTAGE = "shortage"
    IDLE = "idle allocations"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether holding pays; None where it is not known, and then nothing decides."""

    pays: bool | None = None
    decides: Decides | None = None


def verdict(
    *, busy: Decimal | None, allocated: Decimal | None, even: Decimal | None, adjusted: Decimal | None
) -> Verdict:
    """Holding pays where busy ÷ paid is above the adjusted break-even (strictly), or above that by price if none is.

    Where both lines say the same the prices decide, else launches that fail do. Where it does not pay although what is
    allocated of reserved would be enough, idle allocations decide: they are to be mended before the size is.
    """
    line = even if adjusted is None else adjusted
    if busy is None or line is None:
        return Verdict()
    pays = busy > line
    if not pays and allocated is not None and allocated > line:
        return Verdict(False, Decides.IDLE)
    by_price = even is not None and (busy > even) == pays
    return Verdict(pays, Decides.PRICE if by_price else Decides.SHORTAGE)
