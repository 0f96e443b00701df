"""Rows that no legal plan breaks and that cut the relaxation: how many large blocks fit beside real-time demand.

At a step with R GPUs beyond what real-time jobs want, the blocks that run take Σ size ≤ R + v, where v is what these
miss. Divided by a size s and rounded (mixed-integer rounding; f the fraction of R ÷ s):

    Σ (⌊size ÷ s⌋ + max(0, fraction of size ÷ s − f) ÷ (1 − f)) − v ÷ (s·(1 − f)) ≤ ⌊R ÷ s⌋

A half of the fleet that demand leaves two thirds of is one block for it, and not a block and a third.
"""

from collections.abc import Iterator, Sequence

from scheduler.domain.allocation.full.columns import Column
from scheduler.domain.allocation.instance import Instance

SLIGHT = 1e-9


def rounded_rows(
    instance: Instance, columns: Sequence[Column], here: Sequence[int], missed: Sequence[int], free: int, step: int
) -> Iterator[tuple[dict[int, float], float]]:
    """Terms and the most they add up to, for each size of the columns ``here``, those that cover ``step``.

    ``missed``: the variables of what each real-time job misses then. ``free``: GPUs that running jobs leave.
    """
    room = free - sum(max(job.demand[step], job.floor[step]) for _, job in instance.realtime)
    for size in sorted({columns[at].gpus for at in here}):
        fraction = room % size / size
        if fraction == 0:  # as strong as the row of all GPUs
            continue
        shares = ((at, *divmod(columns[at].gpus, size)) for at in here)
        terms = {
            at: whole + max(0.0, rest / size - fraction) / (1 - fraction)
            for at, whole, rest in shares
            if whole or rest / size > fraction + SLIGHT
        }
        yield terms | dict.fromkeys(missed, -1 / (size - room % size)), float(room // size)
