"""The exact price of each part of some hours, and what amounts of GPU time cost at them."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from reservations.domain.pricing import PriceKind, PriceSpan, money, ratio_of_gpu_ms
from reservations.domain.shortage import ShortageSpan
from reservations.domain.terms import price_without_of_gpu_ms

NOTHING = money(0, 1)


@dataclass(frozen=True, slots=True)
class Rates:
    """The exact price of a GPU-millisecond in each part, as numerator and denominator; None where none is known."""

    of_parts: Sequence[tuple[int, int] | None]

    @classmethod
    def of(cls, spans: Sequence[PriceSpan | None], kind: PriceKind, gpus: Decimal) -> "Rates":
        """One of each part's prices."""
        return cls([ratio_of_gpu_ms(span, kind=kind, gpus_per_node=gpus) if span else None for span in spans])

    @classmethod
    def without(cls, spans: Sequence[PriceSpan | None], held: Sequence[ShortageSpan | None], gpus: Decimal) -> "Rates":
        """What a GPU-millisecond of each part costs on average without the reservation, where launches fail."""
        rates = [
            price_without_of_gpu_ms(span, one, gpus_per_node=gpus) if span and one else None
            for span, one in zip(spans, held, strict=True)
        ]
        return cls([None if rate is None else rate.as_integer_ratio() for rate in rates])

    def cost(self, amounts: Sequence[int | None]) -> Decimal | None:
        """What the parts' GPU-milliseconds cost together; None where a part with some of them has no price."""
        if len(amounts) == 1:  # as it is in most months
            return self._of_one(amounts[0])
        numerator, denominator = 0, 1
        for gpu_ms, rate in zip(amounts, self.of_parts, strict=True):
            if not gpu_ms:
                continue
            if rate is None:
                return None
            if rate[1] == denominator:
                numerator += gpu_ms * rate[0]
            else:
                numerator = numerator * rate[1] + gpu_ms * rate[0] * denominator
                denominator *= rate[1]
        return money(numerator, denominator)

    def known_cost(self, amounts: Sequence[int | None]) -> Decimal | None:
        """The same, and None too where every amount is unknown."""
        if len(amounts) == 1:
            return None if amounts[0] is None else self._of_one(amounts[0])
        return None if all(gpu_ms is None for gpu_ms in amounts) else self.cost(amounts)

    def _of_one(self, gpu_ms: int | None) -> Decimal | None:
        if not gpu_ms:
            return NOTHING
        rate = self.of_parts[0]
        return None if rate is None else money(gpu_ms * rate[0], rate[1])
