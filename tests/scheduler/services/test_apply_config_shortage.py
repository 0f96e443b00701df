"""q and L in a configuration file: written by their days, refused with the sentences of prices."""

import json
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from django.db.backends.postgresql.psycopg_any import DateRange

from reservations.models import ShortageRecord
from tests.scheduler.configuration_file import GOOD, apply, refused

pytestmark = pytest.mark.django_db

SHORTAGE = """\
shortage:
  - {pool: reserved-h100, from: 2026-01-01, to: 2026-07-01, fail_probability: "0.2", shortage_cost: "50",
     currency: USD, convention: extra, source: "on-call log"}
  - {shape: g6.xlarge, from: 2026-01-01, fail_probability: 0.01, shortage_cost: 3, currency: EUR, convention: instead}
"""


def changes(folder: Path, text: str) -> list[tuple[str, str]]:
    out, _ = apply(folder, text)
    told = json.loads(out)["changes"]
    return [(one["name"], one["outcome"]) for one in told if one["kind"] == "shortage"]


def test_records_are_written_once_and_cut_where_a_later_file_names_their_days(tmp_path: Path) -> None:
    assert changes(tmp_path, GOOD + SHORTAGE) == [
        ("pool reserved-h100 from 2026-01-01", "created"),
        ("shape g6.xlarge from 2026-01-01", "created"),
    ]
    assert {outcome for _, outcome in changes(tmp_path, GOOD + SHORTAGE)} == {"unchanged"}
    assert ShortageRecord.history.count() == 2
    later = SHORTAGE.replace("from: 2026-01-01, to: 2026-07-01", "from: 2026-05-01").replace('"0.2"', '"0.3"')
    assert ("pool reserved-h100 from 2026-05-01", "created") in changes(tmp_path, GOOD + later)
    of_pool = ShortageRecord.objects.filter(subject__pool__name="reserved-h100").order_by("period")
    assert list(of_pool.values_list("period", "fail_probability")) == [
        (DateRange(date(2026, 1, 1), date(2026, 5, 1)), Decimal("0.2")),
        (DateRange(date(2026, 5, 1), None), Decimal("0.3")),
    ]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"0.2"', '"1.2"', "shortage[0].fail_probability: a probability is from 0 to 1, and this is 1.2"),
        ('"0.2"', '"-0.2"', "shortage[0].fail_probability: a probability can't be below 0"),
        ('"0.2"', "NaN", "shortage[0].fail_probability: “NaN” is not a number"),
        ('"50"', '"-50"', "shortage[0].shortage_cost: a price can't be below 0"),
        ("convention: extra", "convention: extras", "“extras” is not known here; did you mean “extra”?"),
        ("pool: reserved-h100", "pool: reserved-h10", "there is no pool “reserved-h10”"),
        ("shape: g6.xlarge", "shape: g6.xlarge, pool: bare", "a shortage is for one pool or one shape"),
        ("to: 2026-07-01", "to: 2026-01-01", "so 2026-01-01 must be after 2026-01-01"),
        ("shape: g6.xlarge", "pool: reserved-h100", "two shortages of pool reserved-h100 overlap"),
    ],
)
def test_what_is_no_record_is_refused_with_its_place(old: str, new: str, said: str, tmp_path: Path) -> None:
    assert SHORTAGE.count(old) == 1
    assert said in refused(tmp_path, GOOD + SHORTAGE.replace(old, new))
