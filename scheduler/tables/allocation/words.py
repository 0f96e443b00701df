"""How the allocator's figures are said."""

from decimal import Decimal

from reservations.domain import notation
from scheduler.domain.allocation.clock import span_label, step_label
from scheduler.domain.allocation.instance import Instance
from scheduler.services.compared_plans import ComparedPlans, Plan

TYPES = {
    "training": "training",
    "batch_inference": "batch inference",
    "quantization": "quantization",
    "realtime": "real-time",
}
PLAINLY_BELOW = 0.1
"""From this gap on nobody would call a plan close."""

MODES = {"fifo": "FIFO", "fast": "Fast", "full": "Full"}


def number(value: float, places: int = 1) -> str:
    """``1 132.1``."""
    return notation.grouped(Decimal(repr(value)), places)


def signed(value: float, places: int = 1) -> str:
    """``+47.0``, ``−3.1``, ``0``."""
    if round(value, places) == 0:
        return "0"
    return f"+{number(value, places)}" if value > 0 else number(value, places)


def percent(share: float) -> str:
    """``72.4 %``."""
    return notation.percent(Decimal(repr(share)))


def gap_words(plan: Plan) -> str:
    """How far a plan is from the best possible."""
    if plan.proved:
        return "proved best"
    if plan.gap_share is None:
        return "not known how close to the best"
    if plan.gap_share >= PLAINLY_BELOW:
        return f"at most {percent(plan.gap_share)} below the best possible"
    return f"within {percent(plan.gap_share)} of the best possible"


def gain(plan: Plan, fifo: Plan) -> str:
    """What a plan is worth more than FIFO's, as a percentage only where FIFO's value is positive."""
    more = plan.figures.value - fifo.figures.value
    told = signed(more)
    if fifo.figures.value <= 0 or round(more, 1) == 0:
        return told
    share = Decimal(repr(more / fifo.figures.value))
    return f"{told} ({'+' if more > 0 else ''}{notation.percent(share)})"


def points(plan: Plan, fifo: Plan) -> str:
    """Utilization less FIFO's, in points."""
    return signed(100 * (plan.figures.utilization - fifo.figures.utilization))


def headline(found: ComparedPlans) -> str:
    """What planning wins here, in two sentences."""
    best, fifo = found.best, found.by_mode["fifo"]
    more = best.figures.value - fifo.figures.value
    worth = f"This plan is worth {number(best.figures.value)}"
    if round(more, 1) == 0:
        told = f"{worth}, as much as first come, first served."
    elif fifo.figures.value > 0:
        share = notation.percent(Decimal(repr(more / fifo.figures.value)))
        told = f"{worth}, {number(more)} or {share} more than first come, first served."
    else:
        told = f"{worth}, {number(more)} more than the {number(fifo.figures.value)} of first come, first served."
    used, before = percent(best.figures.utilization), percent(fifo.figures.utilization)
    same = used == before
    uses = f"It uses {used} of all GPU-time" + (", just as that does" if same else f" where that uses {before}")
    return f"{told} {uses}, and is {gap_words(best)}."


def size_words(instance: Instance) -> str:
    """``8 GPUs × 24 steps of 1 h``."""
    nodes = f" on {len(instance.nodes)} nodes" if instance.nodes else ""
    return (
        f"{notation.grouped(instance.gpus)} GPU{'' if instance.gpus == 1 else 's'}{nodes} × "
        f"{notation.grouped(instance.steps)} step{'' if instance.steps == 1 else 's'} of "
        f"{step_words(instance.step_minutes)}"
    )


def step_words(minutes: float) -> str:
    """``1 h``, ``15 min``, ``30 s``."""
    if minutes % 60 == 0:
        return f"{minutes / 60:g}{notation.THIN}h"
    return f"{minutes:g}{notation.THIN}min" if minutes >= 1 else f"{minutes * 60:g}{notation.THIN}s"


def unmet_told(instance: Instance, short: list[int]) -> list[str]:
    """What each step leaves unmet, in a sentence."""
    clock = instance.step_minutes
    return [
        f"{span_label(step, step + 1, clock)}: {count} GPU{'' if count == 1 else 's'} of demand not met"
        for step, count in enumerate(short)
    ]


def prices_told(found: ComparedPlans) -> list[str]:
    """What a GPU costs at each step, in a sentence."""
    clock = found.instance.step_minutes
    return [
        f"{span_label(step, step + 1, clock)}: a GPU costs {number(price, 2)}"
        for step, price in enumerate(found.prices)
    ]


def price_summary(found: ComparedPlans) -> str:
    """When a GPU is dearest and when it costs nothing."""
    prices, clock = found.prices, found.instance.step_minutes
    unit = "an hour" if clock == 60 else f"{step_words(clock)}"
    dearest = max(range(len(prices)), key=lambda step: (prices[step], -step))
    if round(prices[dearest], 1) == 0:
        return "No step is so full that a GPU would have a price: whoever comes finds one."
    told = f"A GPU is dearest at {step_label(dearest, clock)}, where {unit} of it costs {number(prices[dearest])}"
    cheapest = min(range(len(prices)), key=lambda step: (prices[step], step))
    low = number(prices[cheapest])
    return f"{told}, and cheapest at {step_label(cheapest, clock)}: {low}. A job is worth placing where it pays more."


def summary_of(plan: Plan) -> str:
    """What a drawn plan shows, for who does not see it."""
    figures, instance = plan.figures, plan.instance
    placed = figures.completed + figures.continuing
    batch = len(instance.batch)
    told = f"{MODES[plan.mode]} places {placed} of {batch} job{'' if batch == 1 else 's'} that hold a block"
    going = f", {figures.continuing} of them beyond the horizon" if figures.continuing else ""
    if not instance.realtime:
        return f"{told}{going}."
    unmet = figures.unmet_gpu_steps
    lack = f"leaves {unmet} GPU-step{'' if unmet == 1 else 's'} of real-time demand unmet" if unmet else ""
    return f"{told}{going}, and {lack or 'meets all real-time demand'}."
