"""``recommend``: the agreed keys, exact figures, one sentence for what can't be asked."""

import csv
import io
import json
from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command

from tests.fixtures.cast import Cast
from tests.scheduler.demanded import worked_month
from tests.scheduler.recommended import hold

pytestmark = pytest.mark.django_db
KEYS = [
    "pool", "action", "current_nodes", "rule_nodes", "adjusted_rule_nodes", "packed_nodes", "proposed_nodes",
    "decides", "reasons", "saving", "regret", "confidence", "decision_date", "evidence_hash",
]  # fmt: skip


def recommend(*words: str) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command("recommend", *words, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_json_holds_exactly_the_agreed_keys_and_a_second_run_says_the_same(cast: Cast) -> None:
    worked_month(cast.pool)
    hold(cast.pool, 16)
    out, err = recommend("--as-of", "2026-04-02", "--format", "json")
    told = json.loads(out, parse_float=Decimal)
    assert [list(one) for one in told["recommendations"]] == [KEYS, KEYS]
    arms, serve = told["recommendations"]
    assert (arms["action"], arms["saving"], arms["proposed_nodes"]) == ("none", None, None)
    assert (serve["action"], serve["current_nodes"], serve["proposed_nodes"]) == ("shrink", 16, 14)
    assert set(serve["saving"]) == {"amount", "low", "high", "currency"}
    assert "2 of 2 recommendations are new" in err
    same, err = recommend("--as-of", "2026-04-02", "--format", "json")
    assert (same, "0 of 2" in err) == (out, True)


def test_csv_and_table_say_the_same_of_one_pool(cast: Cast) -> None:
    worked_month(cast.pool)
    hold(cast.pool, 16)
    words = ("--as-of", "2026-04-02", "--pool", "serve-h100", "--format")
    told = json.loads(recommend(*words, "json")[0], parse_float=Decimal)["recommendations"][0]
    (row,) = csv.DictReader(io.StringIO(recommend(*words, "csv")[0]))
    assert Decimal(row["saving"]) == told["saving"]["amount"]
    assert row["evidence_hash"] == told["evidence_hash"]
    table = recommend(*words, "table")[0]
    assert "shrink" in table
    assert told["reasons"][0] in table


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--pool", "serve-h10"), "serve-h100"),
        (("--as-of", "tomorrow"), "tomorrow"),
        (("--as-of", "2126-01-01"), "has not come yet"),
        (("--as-of", "2026-04-02T10:00"), "2026-04-02T10:00"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(cast: Cast, words: tuple[str, ...], said: str) -> None:
    with pytest.raises(CommandError, match=said) as refused:
        recommend(*words)
    assert "\n" not in str(refused.value)
