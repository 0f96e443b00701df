"""No text that somebody types ends in a fault: what the database can't hold is refused in one sentence, all alike."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from reservations.models import User
from scheduler.domain.renewal.standing import AtEnd, Choice
from scheduler.models import AlertEpisode, CalendarFeed, EndPlan, EpisodeNote, RuleThreshold
from scheduler.services.alerts import acknowledge_alerts, comment_on_alert, resolve_alerts, snooze_alerts, wake_alerts
from scheduler.services.alerts.thresholds import set_threshold
from scheduler.services.calendar import make_feed
from scheduler.services.renewals import decide_renewal, plan_end
from tests.fixtures.cast import Cast
from tests.scheduler.renewing import ADA, NOW, proposed
from tests.scheduler.services.alert_rules import AT, Says, check, finding

pytestmark = pytest.mark.django_db
BAD = "why\0not"
SENTENCE = r"A text can't hold control characters other than tabs and line breaks\.$"


@pytest.mark.parametrize(
    "move",
    [
        lambda ids: acknowledge_alerts(ids=ids, by="ada", at=AT, note=BAD),
        lambda ids: snooze_alerts(ids=ids, until=AT + timedelta(hours=1), by="ada", at=AT, note=BAD),
        lambda ids: resolve_alerts(ids=ids, by="ada", at=AT, note=BAD),
        lambda ids: wake_alerts(ids=ids, by="ada", at=AT, note=BAD),
        lambda ids: comment_on_alert(pk=ids[0], text=BAD, by="ada", at=AT),
    ],
    ids=["acknowledge", "snooze", "resolve", "wake", "comment"],
)
def test_a_note_to_alerts(move: Callable[[list[int]], object]) -> None:
    check(Says().finds(finding("a"), finding("b")))
    with pytest.raises(Exception, match=SENTENCE):
        move(list(AlertEpisode.objects.order_by("pk").values_list("pk", flat=True)))
    assert set(AlertEpisode.objects.values_list("state", flat=True)) == {"open"}
    assert not EpisodeNote.objects.exists()


@pytest.mark.parametrize("said", [{"name": BAD}, {"name": "mine", "owner": BAD}])
def test_a_feed(said: dict[str, str]) -> None:
    with pytest.raises(Exception, match=SENTENCE):
        make_feed(user_id=User.objects.create_user("ada").pk, at=AT, **said)
    assert not CalendarFeed.objects.exists()


@pytest.mark.parametrize("said", [{"reason": BAD, "pool": ""}, {"reason": "slow", "pool": BAD}])
def test_a_threshold(said: dict[str, str]) -> None:
    with pytest.raises(Exception, match=SENTENCE):
        set_threshold(
            rule="reserved_unused",
            name="unused_for",
            value="2 h",
            by="ada",
            at=datetime(2026, 6, 10, tzinfo=UTC),
            **said,
        )
    assert not RuleThreshold.objects.exists()


def test_a_renewal_and_the_plan_for_its_end(cast: Cast) -> None:
    one = proposed(cast.pool)
    with pytest.raises(Exception, match=SENTENCE):
        decide_renewal(pk=one.pk, choice=Choice.LAPSE, reason=BAD, by=ADA, at=NOW)
    for said in ({"fallback": BAD}, {"fallback": "on demand", "note": BAD}):
        with pytest.raises(Exception, match=SENTENCE):
            plan_end(pk=one.pk, at_end=AtEnd.FALL_BACK, by=ADA, at=NOW, today=NOW.date(), **said)
    one.refresh_from_db()
    assert one.state == "proposed"
    assert not EndPlan.objects.exists()
