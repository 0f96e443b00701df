"""The commands as people run them, in the database of the test."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from scheduler.models import AlertEpisode, AlertEvaluation
from tests.fixtures.cast import Cast

pytestmark = pytest.mark.django_db


def told(*words: str) -> tuple[dict[str, object], str]:
    out, err = StringIO(), StringIO()
    call_command(*words, "--format", "json", stdout=out, stderr=err)
    return json.loads(out.getvalue()), err.getvalue()


def test_the_same_instant_twice_opens_and_owes_nothing_the_second_time(cast: Cast) -> None:
    first, _ = told("check_alerts", "--as-of", "2026-05-04T09:00:00Z")
    assert set(first) == {"as_of", "opened", "resolved", "open", "deliveries", "failed"}
    again, said = told("check_alerts", "--as-of", "2026-05-04T09:00:00Z")
    assert again == first | {"opened": [], "resolved": [], "deliveries": 0}
    assert "nothing was changed" in said
    earlier, _ = told("check_alerts", "--as-of", "2026-05-03")
    assert (earlier["opened"], earlier["open"]) == ([], AlertEpisode.objects.count())
    assert AlertEvaluation.objects.count() == 1


@pytest.mark.parametrize(("words", "said"), [("2999-01-01", "has not come yet"), ("yesterday", "yesterday")])
def test_an_instant_that_is_none_or_has_not_come_is_refused_in_one_sentence(words: str, said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("check_alerts", "--as-of", words)
    assert not AlertEvaluation.objects.exists()


def test_what_was_sent_is_counted() -> None:
    counted, _ = told("deliver_messages")
    assert counted == {"sent": 0, "retried": 0, "failed": 0, "dropped": 0, "left": 0}
