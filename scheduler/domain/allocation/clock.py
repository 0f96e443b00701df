"""How steps are read: as time from the first step, which is 0:00."""

from collections.abc import Iterable

RANGES_NAMED = 3
"""So many ranges of steps are named one by one; more are counted."""


def step_label(step: int, step_minutes: float) -> str:
    """``14:00`` for step 14 of an hour each, ``0:00:30`` where steps end within minutes, else ``step 14``."""
    seconds = step * step_minutes * 60
    if step_minutes * 60 != round(step_minutes * 60):
        return f"step {step}"
    hours, rest = divmod(round(seconds), 3600)
    if step_minutes == round(step_minutes):
        return f"{hours}:{rest // 60:02d}"
    return f"{hours}:{rest // 60:02d}:{rest % 60:02d}"


def span_label(start: int, end: int, step_minutes: float) -> str:
    """``14:00–16:00``: from the start of one step to the start of another, the end not within."""
    return f"{step_label(start, step_minutes)}–{step_label(end, step_minutes)}"


def ranges(steps: Iterable[int]) -> list[tuple[int, int]]:
    """Steps as half-open ranges that do not touch, ascending."""
    found: list[tuple[int, int]] = []
    for step in sorted(set(steps)):
        if found and found[-1][1] == step:
            found[-1] = (found[-1][0], step + 1)
        else:
            found.append((step, step + 1))
    return found


def steps_label(steps: Iterable[int], step_minutes: float) -> str:
    """``at 3:00–5:00 and 7:00–8:00``, or ``at 9 steps between 3:00 and 20:00`` where there are many ranges."""
    found = ranges(steps)
    if len(found) > RANGES_NAMED:
        count = sum(end - start for start, end in found)
        first, last = step_label(found[0][0], step_minutes), step_label(found[-1][1], step_minutes)
        return f"at {count} steps between {first} and {last}"
    return "at " + listed([span_label(start, end, step_minutes) for start, end in found])


def listed(words: list[str], most: int | None = None) -> str:
    """``a, b and c``; ``a, b and 3 others`` of more than ``most``."""
    if most is not None and len(words) > most:
        left = len(words) - most
        words = [*words[:most], f"{left} other{'s' if left > 1 else ''}"]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
