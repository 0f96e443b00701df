"""How fast and how small collection is: ``make bench`` prints the figures as rows of a table.

The worker is a process of its own, on the test's database and a real Prometheus on the same machine.
"""

import json
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reservations.domain.period import Period
from reservations.models import Pool
from telemetry.models import PoolHour
from tests.benchmarks.fleet import GPUS_PER_NODE, fleet
from tests.fixtures.parts import PrometheusBinaries
from tests.fixtures.prometheus import serving, write_blocks
from tests.telemetry.collected_pool import collected_pool
from tests.telemetry.services.other_process import finished, running

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(1800), pytest.mark.django_db(transaction=True)]

WORKER = """
import json, resource, time
from pathlib import Path
from datetime import datetime
from reservations.domain.period import Period
from telemetry.services.collection import collect_hours
period = Period(datetime.fromisoformat("{start}"), datetime.fromisoformat("{end}"))
idle = resource.getrusage(resource.RUSAGE_SELF)
began = time.perf_counter()
report = collect_hours(pool_ids=[{pool}], period=period, as_of=datetime.fromisoformat("{as_of}"))
took = time.perf_counter() - began
now = resource.getrusage(resource.RUSAGE_SELF)
status = Path("/proc/self/status")  # ru_maxrss would also remember how large the parent was when it forked
lines = status.read_text().splitlines() if status.exists() else []
peak_kb = next((int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), now.ru_maxrss)
print(json.dumps({{
    "seconds": took, "processor": now.ru_utime - idle.ru_utime, "peak_mb": peak_kb / 1024,
    "counts": dict(report.counts), "problems": report.problems,
}}))
"""


@contextmanager
def fleet_pool(
    binaries: PrometheusBinaries, folder: Path, period: Period, nodes: int, *, block: str, driver_utilization: bool
) -> Iterator[Pool]:
    write_blocks(binaries, folder, fleet(period, nodes, driver_utilization=driver_utilization), longest=block)
    with serving(binaries, folder) as url:
        yield collected_pool(
            url, first=period.start, last=period.end, instances=nodes + 2, available=2, gpus_per_node=GPUS_PER_NODE
        )


def measured(pool: Pool, period: Period, within: float) -> dict[str, float]:
    times = {"start": period.start.isoformat(), "end": period.end.isoformat()}
    script = WORKER.format(pool=pool.pk, as_of=datetime(2026, 11, 20, tzinfo=UTC).isoformat(), **times)
    with running(script) as worker:
        result = json.loads(finished(worker, within=within))
    assert result["counts"] == {"stored": len(list(period.hours()))}, result
    return result


def report(what: str, result: dict[str, float], target: str) -> None:
    machine = f"{platform.machine()}, {os.cpu_count()} cores"
    cells = [
        what,
        machine,
        f"{datetime.now(UTC):%Y-%m-%d}",
        f"{result['seconds']:.1f} s ({result['processor']:.1f} s of processor)",
    ]
    print("\n| " + " | ".join([*cells, f"{result['peak_mb']:.0f} MB", target]) + " |")


def test_an_hour_of_10000_gpus_takes_10_seconds_and_400_mb_at_most(
    prometheus_binaries: PrometheusBinaries, tmp_path: Path
) -> None:
    period = Period(datetime(2026, 11, 2, 10, tzinfo=UTC), datetime(2026, 11, 2, 11, tzinfo=UTC))
    with fleet_pool(prometheus_binaries, tmp_path, period, 1250, block="2h", driver_utilization=True) as pool:
        result = measured(pool, period, within=300)
    row = PoolHour.objects.get()
    assert row.expected == row.known == 10_000 * 3_600_000
    assert row.allocated == row.expected
    assert row.owner_busy + row.borrower_busy == row.busy
    report("one hour of 10,000 GPUs at 30 s into the ledger", result, "≤ 10 s, ≤ 400 MB")
    assert result["seconds"] <= 10
    assert result["peak_mb"] <= 400


def test_a_month_of_64_gpus_is_back_filled_in_60_seconds(
    prometheus_binaries: PrometheusBinaries, tmp_path: Path
) -> None:
    period = Period(datetime(2026, 10, 1, tzinfo=UTC), datetime(2026, 11, 1, tzinfo=UTC))
    with fleet_pool(prometheus_binaries, tmp_path, period, 8, block="744h", driver_utilization=False) as pool:
        result = measured(pool, period, within=900)
    assert PoolHour.objects.filter(known=64 * 3_600_000).count() == 744
    report("back-fill of one month (744 hours) of 64 GPUs", result, "≤ 60 s")
    assert result["seconds"] <= 60
