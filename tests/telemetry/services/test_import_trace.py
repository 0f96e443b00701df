import io
import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from reservations.models import Owner, Pool
from telemetry.models import DemandHour, PoolHour

pytestmark = pytest.mark.django_db

TEN = datetime(2026, 5, 1, 10, tzinfo=UTC)
DEMAND = "hour,workload,nodes\n2026-05-01T10:00Z,serving,10\n2026-05-01T10:00Z,batch,2\n2026-05-01T12:00Z,serving,11\n"
USAGE = "hour,reserved_gpu_hours,busy_gpu_hours\n2026-05-01T10:00Z,80,60\n2026-05-01T11:00Z,80,\n"


@pytest.fixture
def pool() -> Pool:
    owner = Owner.objects.create(name="serving")
    return Pool.objects.create(name="h100", owner=owner, instance_type="p5.48xlarge", gpus_per_node=8)


def imported(folder: Path, content: str, name: str = "trace.csv", **options: object) -> dict[str, object]:
    (folder / name).write_text(content)
    out = io.StringIO()
    call_command("import_trace", str(folder / name), format="json", stdout=out, **{"pool": "h100", **options})
    found: dict[str, object] = json.loads(out.getvalue())
    return found


def test_demand_is_stored_once_and_again_changes_nothing(pool: Pool, tmp_path: Path) -> None:
    first = imported(tmp_path, DEMAND)
    before = set(DemandHour.objects.values_list("pk", "hour", "workload", "nodes", "source"))
    assert (first["kind"], first["hours"], first["stored"], first["hours_missing"]) == ("demand", 2, 3, 1)
    assert sum(row[3] for row in before if row[1] == TEN) == Decimal(12)
    again = imported(tmp_path, DEMAND)
    assert (again["stored"], again["unchanged"]) == (0, 3)
    assert set(DemandHour.objects.values_list("pk", "hour", "workload", "nodes", "source")) == before


def test_a_corrected_file_of_the_same_name_replaces_its_hours_whole(pool: Pool, tmp_path: Path) -> None:
    imported(tmp_path, DEMAND)
    imported(tmp_path, "hour,workload,nodes\n2026-05-01T10:00Z,serving,9\n")
    assert list(DemandHour.objects.order_by("hour").values_list("workload", "nodes")) == [
        ("serving", Decimal(9)),
        ("serving", Decimal(11)),
    ]


def test_another_file_for_hours_that_stand_is_refused_without_force(pool: Pool, tmp_path: Path) -> None:
    imported(tmp_path, DEMAND)
    with pytest.raises(CommandError, match=r"stands from source “trace:trace\.csv”.* without --force"):
        imported(tmp_path, DEMAND.replace(",10\n", ",99\n"), name="other.csv")
    assert not DemandHour.objects.filter(nodes=99).exists()
    imported(tmp_path, DEMAND.replace(",10\n", ",99\n"), name="other.csv", force=True)
    assert set(DemandHour.objects.values_list("source", flat=True)) == {"trace:other.csv"}


def test_usage_becomes_ledger_hours_with_the_file_as_their_source(pool: Pool, tmp_path: Path) -> None:
    first = imported(tmp_path, USAGE)
    assert (first["kind"], first["stored"]) == ("usage", 2)
    told, untold = PoolHour.objects.order_by("hour")
    assert (told.source, told.reserved, told.busy, told.unattributed_busy) == (
        "trace:trace.csv", 288_000_000, 216_000_000, 216_000_000,
    )  # fmt: skip
    assert (untold.busy, untold.expected, untold.final) == (None, None, True)
    again = imported(tmp_path, USAGE)
    assert (again["stored"], again["unchanged"]) == (0, 2)


def test_usage_from_a_second_file_is_refused_and_the_first_stands(pool: Pool, tmp_path: Path) -> None:
    imported(tmp_path, USAGE)
    with pytest.raises(CommandError, match=r"stands from source “trace:trace\.csv”"):
        imported(tmp_path, USAGE.replace(",60\n", ",61\n"), name="other.csv")
    assert set(PoolHour.objects.values_list("source", flat=True)) == {"trace:trace.csv"}
    assert PoolHour.objects.get(hour=TEN).busy == 216_000_000
    assert PoolHour.objects.get(hour=TEN).flags == ["second_source_refused"]


def test_a_file_of_which_some_hours_stand_already_stores_none_of_the_others(pool: Pool, tmp_path: Path) -> None:
    imported(tmp_path, USAGE)
    with pytest.raises(CommandError, match="stands from source"):
        imported(tmp_path, USAGE + "2026-05-01T12:00Z,80,1\n", name="other.csv")
    assert PoolHour.objects.count() == 2


def test_one_bad_line_and_nothing_is_imported(pool: Pool, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="line 4: nodes: -11 is below 0"):
        imported(tmp_path, DEMAND.replace(",11\n", ",-11\n"))
    assert not DemandHour.objects.exists()


def test_an_hour_that_has_not_ended_is_refused(pool: Pool, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="2199-05-01T10:00Z has not ended yet"):
        imported(tmp_path, USAGE.replace("2026-05-01T10", "2199-05-01T10"))
    assert not PoolHour.objects.exists()


def test_usage_without_any_known_reservation_must_tell_what_was_reserved(pool: Pool, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no reservation of “h100” is known at 2026-05-01T10:00Z"):
        imported(tmp_path, "hour,busy_gpu_hours\n2026-05-01T10:00Z,1\n")
    assert not PoolHour.objects.exists()


def test_gpus_become_nodes_of_the_pool_or_of_the_size_that_is_said(pool: Pool, tmp_path: Path) -> None:
    content = "hour,workload,gpus\n2026-05-01T10:00Z,serving,12\n"
    imported(tmp_path, content)
    assert DemandHour.objects.get().nodes == Decimal("1.5")
    imported(tmp_path, content, gpus_per_node="4")
    assert DemandHour.objects.get().nodes == Decimal(3)


@pytest.mark.parametrize("gpus", ["0", "-1", "NaN", "many"])
def test_a_node_without_gpus_is_refused(pool: Pool, tmp_path: Path, gpus: str) -> None:
    with pytest.raises(CommandError, match="--gpus-per-node is"):
        imported(tmp_path, DEMAND, gpus_per_node=gpus)


def test_an_unknown_pool_is_refused_with_the_nearest(pool: Pool, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="there is no pool “h10”; did you mean “h100”"):
        imported(tmp_path, DEMAND, pool="h10")
