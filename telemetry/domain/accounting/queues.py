"""How much of a queue's use was borrowed, over the hour (DESIGN §3, the ledger's last row)."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from telemetry.domain.accounting.hold import Interval, Span, held_spans, merged_samples, value_at
from telemetry.domain.sample import QueueSeries, Samples

Share = Fraction | None
"""A queue's borrowed fraction; None where its quota metrics are missing."""


def borrowed_share(usage: Fraction, nominal: Fraction, *, cohort: bool) -> Fraction:
    """max(0, usage − nominal) ÷ usage of a queue in a cohort; 0 outside any or unused, 1 when it owns nothing."""
    if not cohort or usage == 0:
        return Fraction(0)
    if nominal == 0:
        return Fraction(1)
    return max(Fraction(0), usage - nominal) / usage


def borrowed_shares(series: Sequence[QueueSeries], step_ms: int, hour: Interval) -> list[Span[Share]]:
    """One queue's borrowed fraction over the whole hour, its flavors added up; None where metrics are missing."""
    flavors = sorted({one.flavor for one in series})
    usage = [_spans([s.usage for s in series if s.flavor == flavor], step_ms, hour) for flavor in flavors]
    nominal = [_spans([s.nominal for s in series if s.flavor == flavor], step_ms, hour) for flavor in flavors]
    cohort = _spans([s.usage for s in series if s.cohort], step_ms, hour)
    edges = {edge for spans in [*usage, *nominal, cohort] for span in spans for edge in span[:2]}
    shares: list[Span[Share]] = []
    for a, b in pairwise(sorted({*hour, *edges})):
        used = [value_at(spans, b) for spans in usage]
        owned = [value_at(spans, b) for spans in nominal]
        share = _share_of_totals(used, owned, cohort=value_at(cohort, b) is not None)
        if shares and shares[-1][2] == share:
            shares[-1] = (shares[-1][0], b, share)
        else:
            shares.append((a, b, share))
    return shares


def _spans(series: Sequence[Samples], step_ms: int, hour: Interval) -> list[Span[float]]:
    return held_spans(merged_samples(series), step_ms, hour) if series else []


def _share_of_totals(used: list[float | None], owned: list[float | None], *, cohort: bool) -> Share:
    """A flavor with neither figure is not used here; one with only half of them makes the share unknown."""
    total_used = total_owned = Fraction(0)
    seen = False
    for usage, nominal in zip(used, owned, strict=True):
        if usage is None and nominal is None:
            continue
        if usage is None or nominal is None:
            return None
        seen = True
        total_used += Fraction(usage)
        total_owned += Fraction(nominal)
    return borrowed_share(total_used, total_owned, cohort=cohort) if seen else None
