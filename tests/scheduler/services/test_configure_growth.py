"""Committed growth out of a configuration file and the admin: named, dated, signed, and never two of a name at once."""

import json
from collections import Counter
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.management.base import CommandError
from django.db import DataError, IntegrityError, transaction
from django.db.backends.postgresql.psycopg_any import DateRange
from django.test import Client
from django.urls import reverse

from reservations.models import Pool, RoleGrant, User
from scheduler.domain.sizing.growth import GrowthLine
from scheduler.models import CommittedGrowth
from scheduler.selectors.growth import committed_growth
from tests.scheduler.configuration_file import GOOD, apply

pytestmark = pytest.mark.django_db

MAY, JUNE, JULY = date(2027, 5, 1), date(2027, 6, 1), date(2027, 7, 1)
CHAT = (
    "{pool: reserved-h100, name: chat launch, from: 2027-05-01, to: 2027-06-01,"
    " nodes: 2, workload: serving, source: plan 4}"
)
OPEN = "{pool: reserved-h100, name: batch moves out, from: 2027-06-01, nodes: -1.5}"


def written(*lines: str) -> str:
    return f"{GOOD}growth:\n" + "".join(f"  - {line}\n" for line in lines)


def outcomes(folder: Path, *lines: str) -> Counter[str]:
    out, _ = apply(folder, written(*lines))
    return Counter(change["outcome"] for change in json.loads(out)["changes"] if change["kind"] == "growth")


def lines_of() -> tuple[GrowthLine, ...]:
    return committed_growth(pool_id=Pool.objects.get(name="reserved-h100").pk)


def test_lines_of_a_file_are_kept_once_and_read_as_sizing_wants_them(tmp_path: Path) -> None:
    assert outcomes(tmp_path, CHAT, OPEN) == {"created": 2}
    assert lines_of() == (
        GrowthLine("chat launch", MAY, JUNE, Decimal(2), "serving"),
        GrowthLine("batch moves out", JUNE, None, Decimal("-1.5")),
    )
    assert CommittedGrowth.objects.get(name="chat launch").source == "plan 4"
    assert outcomes(tmp_path, OPEN, CHAT) == {"unchanged": 2}


def test_a_written_line_takes_the_place_of_all_of_its_name_and_leaves_other_names_alone(tmp_path: Path) -> None:
    outcomes(tmp_path, CHAT, OPEN)
    assert outcomes(tmp_path, CHAT.replace("nodes: 2", "nodes: 3")) == {"updated": 1}
    assert outcomes(tmp_path, CHAT.replace("to: 2027-06-01", "to: 2027-07-01")) == {"removed": 1, "created": 1}
    assert [(line.name, line.end, line.nodes) for line in lines_of()] == [
        ("chat launch", JULY, Decimal(2)),
        ("batch moves out", None, Decimal("-1.5")),
    ]
    apply(tmp_path, GOOD)
    assert CommittedGrowth.objects.count() == 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (CHAT.replace("nodes: 2", "nodes: 0"), "a number above or below 0"),
        (CHAT.replace("nodes: 2", "nodes: .nan"), "is not a number"),
        (CHAT.replace("nodes: 2", "nodes: two"), "“two” is not a number"),
        (CHAT.replace("nodes: 2", "nodes: 1000000"), "beyond any fleet"),
        (CHAT.replace("to: 2027-06-01", "to: 2027-05-01"), "must be after 2027-05-01"),
        (CHAT.replace("from: 2027-05-01", "from: soon"), "“soon” is not a day"),
        (CHAT.replace("reserved-h100", "reserved-h10"), "there is no pool “reserved-h10”"),
        (CHAT.replace("workload: serving", "workload: the serving of chats"), "longer than 16 characters"),
        (CHAT.replace("from: 2027-05-01, ", ""), "the key “from” is missing"),
        (CHAT.replace("2027-05-01", "2027-05-09"), "two lines “chat launch” of pool reserved-h100 overlap"),
    ],
)
def test_a_line_that_cannot_be_is_one_sentence_and_nothing_is_written(tmp_path: Path, line: str, said: str) -> None:
    lines = [CHAT, line] if "overlap" in said else [line]
    with pytest.raises(CommandError, match=said) as refused:
        apply(tmp_path, written(*lines))
    assert len(str(refused.value).splitlines()) == 1
    assert not CommittedGrowth.objects.exists()
    assert not Pool.objects.exists()


def test_the_database_itself_keeps_two_of_a_name_and_lines_of_nothing_out(tmp_path: Path) -> None:
    outcomes(tmp_path, CHAT)
    pool = Pool.objects.get(name="reserved-h100")

    def keep(**said: object) -> None:
        fields = {"name": "chat launch", "period": DateRange(MAY, None), "nodes": 1, **said}
        with transaction.atomic():
            CommittedGrowth.objects.create(pool=pool, **fields)

    for wrong in (
        {},
        {"period": DateRange(MAY, MAY), "name": "a"},
        {"period": DateRange(None, MAY), "name": "a"},
        {"nodes": 0, "name": "a"},
        {"nodes": 100_001, "name": "a"},
        {"name": ""},
    ):
        with pytest.raises((IntegrityError, DataError)):
            keep(**wrong)
    keep(period=DateRange(JUNE, None))
    keep(name="another")
    assert CommittedGrowth.objects.count() == 3


def test_the_admin_keeps_who_wrote_a_line_and_refuses_one_that_overlaps(tmp_path: Path, client: Client) -> None:
    outcomes(tmp_path, CHAT)
    person = User.objects.create_user("root")
    RoleGrant.objects.create(user=person, role="admin")
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    pool = Pool.objects.get(name="reserved-h100")
    form = {
        "pool": pool.pk, "name": "chat launch", "period_0": "2027-06-01", "period_1": "",
        "workload": "", "nodes": "-2", "source": "board",
    }  # fmt: skip
    address = reverse("admin:scheduler_committedgrowth_add")
    assert client.post(address, form | {"period_0": "2027-05-20"}).status_code == 200
    assert client.post(address, form).status_code == 302
    line = CommittedGrowth.objects.get(nodes=-2)
    assert (line.period, line.entered_by) == (DateRange(JUNE, None), "root")
