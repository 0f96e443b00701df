"""When the rules were last asked, and what they could not say."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from scheduler.models import AlertEvaluation


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The newest evaluation: ``silent`` maps rules to how many subjects they said nothing about, ``failed`` to what
    went wrong with them."""

    as_of: datetime
    silent: Mapping[str, int] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)


def newest_evaluation() -> Evaluation | None:
    """None where the rules were never asked."""
    found = AlertEvaluation.objects.order_by("-as_of").values_list("as_of", "silent", "failed").first()
    return None if found is None else Evaluation(*found)
