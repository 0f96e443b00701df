import csv
import io
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telemetry.domain.identities import identity_violations
from telemetry.domain.ledger import LedgerHour, QueueHour
from telemetry.domain.trace import Trace, TraceKind, TraceQuestion, UnableToReadTrace, UsageRow, ledger_row
from telemetry.sources import trace

H = 3_600_000
TEN = datetime(2026, 5, 1, 10, tzinfo=UTC)


def read(folder: Path, content: str | bytes, **more: object) -> Trace:
    path = folder / "trace.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return trace.fetch(TraceQuestion(path, **more))  # type: ignore[arg-type]


def refusal(folder: Path, content: str | bytes, **more: object) -> str:
    with pytest.raises(UnableToReadTrace) as caught:
        read(folder, content, **more)
    return str(caught.value)


def test_a_demand_file_is_read_by_hour_and_workload_in_any_order_and_zone(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        "hour,workload,nodes\n2026-05-01T13:00+02:00,batch,2.5\n2026-05-01T10:00Z,serving,10\n"
        "2026-05-01T11:00Z,serving,0\n\n",
    )
    assert found.kind is TraceKind.DEMAND
    assert [(row.hour, row.workload, row.nodes) for row in found.demand] == [
        (TEN, "serving", Decimal(10)),
        (TEN + timedelta(hours=1), "batch", Decimal("2.5")),
        (TEN + timedelta(hours=1), "serving", Decimal(0)),
    ]


def test_gpus_become_nodes(tmp_path: Path) -> None:
    content = "hour,workload,gpus\n2026-05-01T10:00Z,serving,12\n"
    assert read(tmp_path, content, gpus_per_node=Decimal(8)).demand[0].nodes == Decimal("1.5")
    assert "say with --gpus-per-node" in refusal(tmp_path, content)


def test_hours_missing_in_the_middle_are_told_and_are_no_zeros(tmp_path: Path) -> None:
    found = read(tmp_path, "hour,workload,nodes\n2026-05-01T10:00Z,a,1\n2026-05-01T13:00Z,a,1\n")
    assert found.missing == (TEN + timedelta(hours=1), TEN + timedelta(hours=2))
    assert len(found.demand) == 2


def test_a_usage_file_is_in_gpu_hours_and_an_empty_cell_is_unknown(tmp_path: Path) -> None:
    found = read(tmp_path, "hour,busy_gpu_hours,idle_gpu_hours\n2026-05-01T10:00Z,4.5833333,\n")
    assert found.usage == (UsageRow(TEN, {"busy": 16_500_000, "idle": None}),)


@given(st.lists(st.integers(0, 10**12), min_size=1, max_size=5))
def test_every_gpu_millisecond_survives_seven_decimals(amounts: list[int]) -> None:
    assert [trace._gpu_ms(f"{Decimal(ms) / H:.7f}", "busy_gpu_hours") for ms in amounts] == amounts


def test_a_byte_order_mark_windows_lines_and_quoted_cells_are_fine(tmp_path: Path) -> None:
    content = b'\xef\xbb\xbfhour,workload,nodes\r\n"2026-05-01T10:00Z","serving","1"\r\n'
    assert len(read(tmp_path, content).demand) == 1


BAD = [
    ("", "is empty"),
    ("\n \n", "is empty"),
    ("hour,workload,nodes\n", "has a header and no hours"),
    ("hour;workload;nodes\n2026-05-01T10:00Z;a;1\n", "line 1: the columns are separated by semicolons: use commas"),
    ("hour\tworkload\tnodes\n", "line 1: the columns are separated by tabs: use commas"),
    ("hour,workload,nods\n2026-05-01T10:00Z,a,1\n", "unknown column “nods”; did you mean “nodes”?"),
    ("hour,busy_gpu_hour\n2026-05-01T10:00Z,1\n", "unknown column “busy_gpu_hour”; did you mean “busy_gpu_hours”?"),
    ("hour,workload,nodes,gpus\n2026-05-01T10:00Z,a,1,8\n", "one of the columns “nodes” and “gpus”, not both"),
    ("hour,workload\n2026-05-01T10:00Z,a\n", "one of the columns “nodes” and “gpus”"),
    ("hour,nodes\n2026-05-01T10:00Z,1\n", "needs the column “workload”"),
    ("hour,idle_gpu_hours\n2026-05-01T10:00Z,1\n", "a usage file needs the column “busy_gpu_hours”"),
    ("hour,workload,nodes,nodes\n2026-05-01T10:00Z,a,1,1\n", "the column “nodes” stands twice"),
    ("hour,workload,nodes\n2026-05-01T10:00,a,1\n", "line 2: hour: “2026-05-01T10:00” has no offset"),
    ("hour,workload,nodes\n2026-05-01T10:30Z,a,1\n", "line 2: hour: “2026-05-01T10:30Z” is not on a whole hour"),
    ("hour,workload,nodes\nyesterday,a,1\n", "line 2: hour: “yesterday” is not an instant"),
    ("hour,workload,nodes\n2026-05-01T10:00Z,a,many\n", "line 2: nodes: “many” is not a number"),
    ("hour,workload,nodes\n2026-05-01T10:00Z,a,\n", "line 2: nodes: “” is not a number"),
    ('hour,workload,nodes\n2026-05-01T10:00Z,a,"1,5"\n', "line 2: nodes: “1,5” is not a number"),
    ("hour,workload,nodes\n2026-05-01T10:00Z,a,-1\n", "line 2: nodes: -1 is below 0"),
    ("hour,workload,nodes\n2026-05-01T10:00Z,a,NaN\n", "line 2: nodes: “NaN” is not a finite number"),
    ("hour,workload,nodes\n2026-05-01T10:00Z,a,-inf\n", "line 2: nodes: “-inf” is not a finite number"),
    ("hour,workload,nodes\n2026-05-01T10:00Z,a,1e300\n", "line 2: nodes: 1e300 is more than can be"),
    ("hour,workload,nodes\n2026-05-01T10:00Z,,1\n", "line 2: workload: “” must be a word"),
    ("hour,workload,nodes\n2026-05-01T10:00Z,a,1,2\n", "line 2: 4 cells where the header has 3"),
    ('hour,workload,nodes\n2026-05-01T10:00Z,"a,1\n', "not CSV"),
    ("hour,workload,nodes\n2026-05-01T10:00Z,a,1\n\n2026-05-01T12:00+02:00,a,2\n",
     "line 4: the hour 2026-05-01T10:00Z of the workload “a” stands on line 2 already"),
    ("hour,busy_gpu_hours\n2026-05-01T10:00Z,1\n2026-05-01T10:00Z,1\n",
     "line 3: the hour 2026-05-01T10:00Z stands on line 2"),
    ("hour,busy_gpu_hours\n2026-05-01T10:00Z,-1\n", "line 2: busy_gpu_hours: -1 is below 0"),
    (b"hour,workload,nodes\n2026-05-01T10:00Z,caf\xe9,1\n", "line 2: not UTF-8 text"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "sentence"), BAD, ids=[sentence for _, sentence in BAD])
def test_a_mistake_is_one_sentence_with_its_line(tmp_path: Path, content: str | bytes, sentence: str) -> None:
    assert sentence in refusal(tmp_path, content)


def test_many_mistakes_are_told_together_but_not_all_of_them(tmp_path: Path) -> None:
    rows = "".join(f"2026-05-01T{hour:02}:00Z,a,x\n" for hour in range(24))
    said = refusal(tmp_path, "hour,workload,nodes\n" + rows).splitlines()
    assert len(said) == 21
    assert said[-1] == "trace.csv: and 4 more lines like these"


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnableToReadTrace, match="can't be read: no such file or directory"):
        trace.fetch(TraceQuestion(tmp_path / "nowhere.csv"))


def test_the_kind_that_is_asked_for_must_be_the_file_s(tmp_path: Path) -> None:
    content = "hour,workload,nodes\n2026-05-01T10:00Z,a,1\n"
    assert "unknown column “workload”" in refusal(tmp_path, content, kind=TraceKind.USAGE)


def test_what_the_file_leaves_out_comes_from_the_inventory_or_follows_by_definition() -> None:
    row = ledger_row(
        UsageRow(TEN, {"busy": 3 * H, "known": 5 * H, "expected": 6 * H}), reserved=8 * H, paid=9 * H, ec2_unused=H
    )
    assert row == LedgerHour(
        hour=TEN, reserved=8 * H, paid=9 * H, ec2_unused=H, expected=6 * H, not_joined=H, not_observed=0,
        known=5 * H, unknown=H, busy=3 * H, idle=2 * H, unattributed_busy=3 * H,
        queues=(QueueHour("", None, None, None, None, 3 * H),),
    )  # fmt: skip


def test_an_imported_hour_that_tells_enough_breaks_no_identity() -> None:
    told = {"busy": 3 * H, "idle": 2 * H, "unknown": H, "allocated": 4 * H, "borrower_busy": H}
    row = ledger_row(UsageRow(TEN, dict(told)), reserved=8 * H, paid=8 * H, ec2_unused=H)
    assert identity_violations(row, Decimal("0.05")) == []
    assert (row.expected, row.unattributed_busy) == (6 * H, 2 * H)


def test_busy_alone_leaves_the_rest_unknown() -> None:
    row = ledger_row(UsageRow(TEN, {"busy": 3 * H}), reserved=8 * H, paid=8 * H, ec2_unused=None)
    assert (row.known, row.idle, row.expected, row.unknown, row.not_joined) == (None,) * 5
    assert (row.unattributed_busy, row.owner_busy) == (3 * H, None)


def test_a_file_that_contradicts_the_inventory_is_not_mixed_with_it() -> None:
    row = ledger_row(UsageRow(TEN, {"reserved": 10 * H, "busy": H}), reserved=8 * H, paid=8 * H, ec2_unused=H)
    assert (row.reserved, row.paid, row.ec2_unused) == (10 * H, 10 * H, None)


@pytest.mark.shared
def test_a_public_request_trace_becomes_demand(tmp_path: Path) -> None:
    source = Path(__file__).resolve().parents[4] / "shared" / "traces" / "alibaba_genai_v2026_requests_10min.csv"
    if not source.exists():
        pytest.skip("the public traces are not here")
    busy_seconds: dict[int, float] = {}
    with source.open() as file:
        for row in csv.DictReader(file):
            hour = int(row["ten_min"]) // 6
            busy_seconds[hour] = busy_seconds.get(hour, 0) + float(row["busy_gpu_s"])
    demand = io.StringIO()
    demand.write("hour,workload,gpus\n")
    for hour, seconds in busy_seconds.items():
        demand.write(f"{(TEN + timedelta(hours=hour)).isoformat()},serving,{seconds / 3600:.6f}\n")
    found = read(tmp_path, demand.getvalue(), gpus_per_node=Decimal(1))
    assert len(found.demand) == len(busy_seconds)
    assert abs(float(sum(row.nodes for row in found.demand)) - sum(busy_seconds.values()) / 3600) < 0.1
