from datetime import UTC, datetime, timedelta

import pytest

from scheduler.tables.alerts.empty import evaluation_words

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("minutes", "late"), [(-31, True), (-30, False), (-1, False), (0, False), (4, False), (6, True), (60 * 24, True)]
)
def test_silence_says_nothing_after_an_evaluation_long_ago_or_one_that_lies_ahead(minutes: int, late: bool) -> None:
    words, told = evaluation_words(NOW + timedelta(minutes=minutes), NOW)
    assert told is late
    assert ("ahead" in words) == (minutes > 5)
    assert "-" not in words
    assert "−" not in words
