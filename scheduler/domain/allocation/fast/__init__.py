"""Fast mode: a grid that is legal by construction and never worth less than FIFO's, within a millisecond at 8 GPUs."""

from scheduler.domain.allocation.grid import Grid
from scheduler.domain.allocation.instance import Instance


def fast_grid(instance: Instance, *, seed: int = 0, iterations: int | None = None) -> Grid:
    """The best grid that the starts and ``iterations`` steps of search find; the same for the same seed and count.

    Without ``iterations`` the count follows from the size of the instance. In guaranteed mode better means first less
    weighted shortfall, then more value.
    """
    from scheduler.domain.allocation.fast.plan import planned_grid  # compilers are loaded by whoever plans, not before

    return planned_grid(instance, seed=seed, iterations=iterations)


def warm_up() -> None:
    """Compiles what ``fast_grid`` calls, or loads it from the compiler's cache: call it before the first request."""
    from scheduler.domain.allocation.fast.plan import compile_ahead

    compile_ahead()
