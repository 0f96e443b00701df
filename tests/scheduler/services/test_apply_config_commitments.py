"""Commitments in a configuration file: written once, refused whole, and never a word about machines."""

import json
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from django.db import IntegrityError, transaction
from django.db.backends.postgresql.psycopg_any import DateRange

from reservations.models import Account, Commitment, Reservation
from tests.scheduler.configuration_file import GOOD, apply, refused

pytestmark = pytest.mark.django_db

COMMITMENTS = """\
commitments:
  - {kind: savings_plan, provider_id: "sp-1", account: prod, hourly: "12.5", currency: USD, from: 2026-01-01,
     to: 2027-01-01, applies_to: any_compute, payment: no_upfront, source: "contract 7"}
  - {kind: regional_reserved_instance, provider_id: "ri-2", account: prod, hourly: 40, currency: USD,
     from: 2026-01-01, to: 2029-01-01, applies_to: shape, shape: p5.48xlarge, region: us-east-1, payment: all_upfront}
"""


def changes(folder: Path, text: str) -> list[tuple[str, str]]:
    out, _ = apply(folder, text)
    told = json.loads(out)["changes"]
    return [(one["name"], one["outcome"]) for one in told if one["kind"] == "commitment"]


def test_commitments_are_written_once_and_a_second_run_touches_no_row(tmp_path: Path) -> None:
    assert changes(tmp_path, GOOD + COMMITMENTS) == [("prod, sp-1", "created"), ("prod, ri-2", "created")]
    assert {outcome for _, outcome in changes(tmp_path, GOOD + COMMITMENTS)} == {"unchanged"}
    assert Commitment.history.count() == 2
    plan = Commitment.objects.get(provider_id="sp-1")
    assert (plan.hourly, plan.term) == (Decimal("12.5"), DateRange(date(2026, 1, 1), date(2027, 1, 1)))
    assert (plan.source, plan.entered_by) == ("contract 7", "configuration file")
    assert not Reservation.objects.exists()


def test_what_differs_is_written_and_a_source_left_out_stays(tmp_path: Path) -> None:
    changes(tmp_path, GOOD + COMMITMENTS)
    Commitment.objects.update(entered_by="analyst")
    later = COMMITMENTS.replace('"12.5"', '"13"').replace(', source: "contract 7"', "")
    assert changes(tmp_path, GOOD + later) == [("prod, sp-1", "updated"), ("prod, ri-2", "unchanged")]
    plan, bought = Commitment.objects.order_by("hourly")
    assert (plan.hourly, plan.source, plan.entered_by) == (Decimal(13), "contract 7", "configuration file")
    assert bought.entered_by == "analyst"


def test_asking_cost_explorer_is_off_until_an_account_allows_it(tmp_path: Path) -> None:
    apply(tmp_path, GOOD)
    assert not Account.objects.get(name="prod").cost_explorer
    apply(tmp_path, GOOD.replace("name: prod,", "name: prod, cost_explorer: true,"))
    assert Account.objects.get(name="prod").cost_explorer


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"12.5"', '"-1"', "commitments[0].hourly: a price can't be below 0"),
        ('"12.5"', "NaN", "commitments[0].hourly: “NaN” is not a number"),
        ("to: 2027-01-01", "to: 2026-01-01", "so 2026-01-01 must be after 2026-01-01"),
        ("to: 2027-01-01, ", "", "commitments[0]: the key “to” is missing"),
        ("kind: savings_plan", "kind: saving_plan", "“saving_plan” is not known here; did you mean “savings_plan”?"),
        ("payment: all_upfront", "payment: upfront", "“upfront” is not known here"),
        ("applies_to: any_compute", "applies_to: family", "“family” is written where “applies_to” is family"),
        ("applies_to: any_compute", "applies_to: family, family: p5", "for one region: write “region”"),
        ("applies_to: any_compute", "applies_to: shape", "“shape” is written where “applies_to” is shape"),
        ("applies_to: shape, shape", "applies_to: any_compute, shape", "“shape” is written where “applies_to” is"),
        ('"sp-1", account: prod', '"sp-1", account: prods', "there is no account “prods”; did you mean “prod”?"),
        ('"ri-2"', '"sp-1"', "commitments[1].provider_id: stands twice for one account"),
        ("hourly: 40", "hourly: 40, reservation: cr-0aaa", "there is no such key"),
    ],
)
def test_what_is_no_commitment_is_refused_with_its_place(old: str, new: str, said: str, tmp_path: Path) -> None:
    assert COMMITMENTS.count(old) == 1
    assert said in refused(tmp_path, GOOD + COMMITMENTS.replace(old, new))
    assert not Commitment.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"term": DateRange(date(2026, 1, 1), None)},
        {"term": DateRange(date(2026, 1, 1), date(2026, 1, 1))},
        {"hourly": Decimal(-1)},
        {"shape": "p5.48xlarge"},
        {"applies_to": "family", "family": "p5"},
        {"provider_id": "ri-2"},
    ],
)
def test_the_database_refuses_what_the_admin_would_let_through(wrong: dict[str, object], tmp_path: Path) -> None:
    apply(tmp_path, GOOD + COMMITMENTS)
    with pytest.raises(IntegrityError), transaction.atomic():
        Commitment.objects.filter(provider_id="sp-1").update(**wrong)
