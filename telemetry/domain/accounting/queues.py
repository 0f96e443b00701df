"""How much of a queue's use was borrowed, over the hour (docs/ledger.md#whose-work-it-was)."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from telemetry.domain.accounting.hold import Interval, Span, held_spans, merged_samples, value_at
from telemetry.domain.sample import QueueSeries, Samples

Share = Fraction | None
"""A queue's borrowed fraction; None where its quota metrics are missing."""


def borrowed_share(flavors: Sequence[tuple[Fraction, Fraction]], *, cohort: bool) -> Fraction:
    """Σ max(0, usage − nominal) ÷ Σ usage over the ``(usage, nominal)`` of a queue's flavors, in a cohort.

    0 outside any cohort and for a queue that uses nothing; 1 for one that owns nothing. What one flavor leaves
    unused does not make what another borrows its own.
    """
    usage = sum((used for used, _ in flavors), Fraction(0))
    if not cohort or usage == 0:
        return Fraction(0)
    return sum((max(Fraction(0), used - owned) for used, owned in flavors), Fraction(0)) / usage


def borrowed_shares(series: Sequence[QueueSeries], step_ms: int, hour: Interval) -> list[Span[Share]]:
    """One queue's borrowed fraction over the whole hour, over all its flavors; None where metrics are missing."""
    flavors = sorted({one.flavor for one in series})
    usage = [_spans([s.usage for s in series if s.flavor == flavor], step_ms, hour) for flavor in flavors]
    nominal = [_spans([s.nominal for s in series if s.flavor == flavor], step_ms, hour) for flavor in flavors]
    cohort = _spans([s.usage for s in series if s.cohort], step_ms, hour)
    edges = {edge for spans in [*usage, *nominal, cohort] for span in spans for edge in span[:2]}
    shares: list[Span[Share]] = []
    for a, b in pairwise(sorted({*hour, *edges})):
        used = [value_at(spans, b) for spans in usage]
        owned = [value_at(spans, b) for spans in nominal]
        share = _share_over_flavors(used, owned, cohort=value_at(cohort, b) is not None)
        if shares and shares[-1][2] == share:
            shares[-1] = (shares[-1][0], b, share)
        else:
            shares.append((a, b, share))
    return shares


def _spans(series: Sequence[Samples], step_ms: int, hour: Interval) -> list[Span[float]]:
    return held_spans(merged_samples(series), step_ms, hour) if series else []


def _share_over_flavors(used: list[float | None], owned: list[float | None], *, cohort: bool) -> Share:
    """A flavor with neither figure is not used here; one with only half of them makes the share unknown."""
    flavors: list[tuple[Fraction, Fraction]] = []
    for usage, nominal in zip(used, owned, strict=True):
        if usage is None and nominal is None:
            continue
        if usage is None or nominal is None:
            return None
        flavors.append((Fraction(usage), Fraction(nominal)))
    return borrowed_share(flavors, cohort=cohort) if flavors else None
