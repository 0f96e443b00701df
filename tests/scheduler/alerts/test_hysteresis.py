"""Between the threshold that opens and the one that resolves nothing is said, so that episodes do not flicker."""

import pytest

from tests.scheduler.alerts.cases import ELSEWHERE
from tests.scheduler.alerts.world import asked, facts, reservation


@pytest.mark.parametrize(("nodes", "said"), [(8, "found"), (7, "held"), (5, "held"), (4, "in order"), (0, "in order")])
def test_a_reservation_elsewhere_stays_until_half_of_what_opened_it_is_left(nodes: int, said: str) -> None:
    verdicts = asked("wrong_zone", facts(reservation(**{**ELSEWHERE, "total": nodes})), nodes=8)
    assert ("found" if verdicts.findings else "held" if verdicts.held else "in order") == said
