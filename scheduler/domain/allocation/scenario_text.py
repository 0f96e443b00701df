"""A scenario's text: read as JSON that can mean one thing only, and weighed before anybody works on it."""

import json
from collections.abc import Mapping
from math import isfinite

from scheduler.domain.policy import AllocationLimits


class UnableToReadScenario(ValueError):
    """A text that is no scenario at all; the message is one sentence."""


class UnableToTakeScenario(ValueError):
    """A scenario beyond the limits; the message is one sentence."""


def json_object(text: bytes, *, what: str = "The scenario") -> dict[str, object]:
    """The object that a text in UTF-8 is.

    UnableToReadScenario when it is no JSON, no object, says a key twice, nests without end, or holds NaN or a number
    beyond all bounds.
    """
    try:
        read = json.loads(
            text.decode("utf-8-sig"), object_pairs_hook=_once, parse_constant=_refused, parse_float=_finite
        )
    except UnableToReadScenario as unable:
        raise UnableToReadScenario(f"{what} {unable}.") from unable
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise UnableToReadScenario(f"{what} is not JSON: {error.msg} at {place}.") from error
    except UnicodeDecodeError as error:
        raise UnableToReadScenario(f"{what} is not text in UTF-8.") from error
    except RecursionError as error:
        raise UnableToReadScenario(f"{what} is nested too deep.") from error
    except ValueError as error:  # an integer of more digits than Python reads
        raise UnableToReadScenario(f"{what} holds a number that is too large to be read.") from error
    if not isinstance(read, dict):
        raise UnableToReadScenario(f"{what} is not an object with keys, such as “gpus” and “jobs”.")
    return read


def scenario_within(
    limits: AllocationLimits, scenario: Mapping[str, object], *, iterations: int | None = None
) -> Mapping[str, object]:
    """The scenario itself, if it asks for no more than the limits allow; what is no number is left to ``instance_of``.

    UnableToTakeScenario says which limit it exceeds and by how much.
    """
    gpus, steps = _size(scenario.get("gpus")), _size(scenario.get("steps"))
    listed = scenario.get("jobs")
    jobs = len(listed) if isinstance(listed, list) else 0
    _within(gpus * steps, limits.cells, f"A grid of {gpus:,} GPUs × {steps:,} steps has {{:,}} cells")
    _within(jobs, limits.jobs, "The scenario has {:,} jobs")
    _within(gpus * steps * jobs, limits.work, f"{gpus:,} GPUs × {steps:,} steps × {jobs:,} jobs are {{:,}}")
    if iterations is not None:
        told = f"{iterations:,} iterations × {steps:,} steps × {jobs:,} jobs are {{:,}}"
        _within(iterations * steps * jobs, limits.search, told)
    return scenario


def _within(size: int, most: int, told: str) -> None:
    if size > most:
        raise UnableToTakeScenario(f"{told.format(size)}, and at most {most:,} are taken.")


def _size(given: object) -> int:
    return given if isinstance(given, int) and not isinstance(given, bool) and given > 0 else 0


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    read = dict(pairs)
    if len(read) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise UnableToReadScenario(f"says “{twice[:60]}” twice in one object")
    return read


def _refused(word: str) -> object:
    raise UnableToReadScenario(f"holds {word}, which is no number")


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise UnableToReadScenario(f"holds {digits[:20]}, which is beyond all bounds")
    return number
