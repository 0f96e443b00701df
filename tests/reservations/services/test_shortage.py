"""Launches and what they say of q: whole files or nothing, the past kept, and the counts kept with what they gave."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import IntegrityError, transaction
from django.db.backends.postgresql.psycopg_any import DateRange

from reservations.domain.break_even import Shortage
from reservations.domain.change import Outcome
from reservations.domain.csv_file import UnableToReadFile
from reservations.domain.shortage import UnableToEstimate
from reservations.models import LaunchReport, Pool, PriceSubject, ShortageRecord
from reservations.selectors.shortage import shortage_on
from reservations.services.launch_import import import_launches
from reservations.services.shortage import ShortageTold, record_shortage
from tests.fixtures.cast import Cast

pytestmark = pytest.mark.django_db

TODAY = date(2026, 6, 1)
FILE = (
    "day,pool,shape,zone,attempts,failures,source\n"
    "2026-05-01,,p5.48xlarge,use1-az4,10,4,karpenter\n"
    "2026-05-02,,p5.48xlarge,use1-az4,20,2,karpenter\n"
    "2026-05-02,,p5.48xlarge,use1-az6,50,0,karpenter\n"
    "2025-05-02,,p5.48xlarge,use1-az4,99,99,karpenter\n"
)


def imported(text: str, *, dry_run: bool = False) -> list[Outcome]:
    return [one.outcome for one in import_launches(data=text.encode(), today=TODAY, dry_run=dry_run)]


def told(start: date, **more: object) -> ShortageTold:
    values = {"end": None, "shortage_cost": Decimal(50), "currency": "USD", "convention": Shortage.EXTRA, "source": "s"}
    return ShortageTold(start=start, **values | more)


def recorded(start: date, pool: str | None = "serve-h100", shape: str | None = None, **more: object) -> None:
    record_shortage(pool=pool, shape=shape, told=told(start, **more), recorded_on=TODAY, entered_by="analyst")


def test_launches_are_stored_once_and_a_later_file_wins(cast: Cast) -> None:
    assert imported(FILE, dry_run=True) == [Outcome.CREATED] * 4
    assert not LaunchReport.objects.exists()
    assert not PriceSubject.objects.filter(shape="p5.48xlarge").exists()
    assert imported(FILE) == [Outcome.CREATED] * 4
    assert imported(FILE) == [Outcome.UNCHANGED] * 4
    assert imported(FILE.replace(",10,4,", ",11,4,")) == [Outcome.UPDATED, *[Outcome.UNCHANGED] * 3]
    assert LaunchReport.objects.get(day=date(2026, 5, 1)).attempts == 11
    assert LaunchReport.objects.count() == 4


def test_one_fault_keeps_the_whole_file_out(cast: Cast) -> None:
    with pytest.raises(
        UnableToReadFile, match=r"Line 6: pool: There is no pool “serve-h10”; did you mean “serve-h100”"
    ):
        imported(f"{FILE}2026-05-01,serve-h10,,,1,0,\n")
    assert not LaunchReport.objects.exists()


def test_the_database_itself_refuses_more_failures_than_attempts_and_two_records_of_a_day(cast: Cast) -> None:
    subject = PriceSubject.objects.get(pool=cast.pool)
    with pytest.raises(IntegrityError), transaction.atomic():
        LaunchReport.objects.create(subject=subject, day=TODAY, attempts=1, failures=2)
    recorded(date(2026, 5, 1), fail_probability=Decimal("0.2"))
    values = {"fail_probability": 0, "shortage_cost": 0, "currency": "USD", "convention": "extra", "recorded_on": TODAY}
    for period, wrong in (
        (DateRange(date(2026, 5, 30), None), {}),
        (DateRange(date(2020, 5, 30), date(2020, 6, 1)), {"attempts": 5, "counted": DateRange(TODAY, None)}),
        (DateRange(date(2020, 5, 30), date(2020, 6, 1)), {"fail_probability": Decimal("1.01")}),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            ShortageRecord.objects.create(subject=subject, period=period, **values | wrong)


def test_q_is_estimated_from_the_pool_s_zone_and_keeps_what_it_was_counted_from(cast: Cast) -> None:
    Pool.objects.filter(pk=cast.pool.pk).update(data_zone_id="use1-az4")
    imported(FILE)
    recorded(date(2026, 5, 10), count_days=90)
    found = shortage_on(pool_id=cast.pool.pk, day=TODAY)
    assert found is not None
    assert (found.attempts, found.failures, found.fail_probability) == (30, 6, Decimal("0.2"))
    assert found.interval is not None
    assert [f"{bound:.4f}" for bound in found.interval] == ["0.0951", "0.3731"]
    assert (found.shortage_cost, found.currency, found.convention, found.recorded_on) == (
        Decimal(50), "USD", Shortage.EXTRA, TODAY,
    )  # fmt: skip
    assert shortage_on(pool_id=cast.pool.pk, day=date(2026, 5, 9)) is None


def test_without_any_launch_nothing_is_estimated_and_nothing_stored(cast: Cast) -> None:
    imported(FILE)
    with pytest.raises(UnableToEstimate, match="no launch was reported"):
        recorded(date(2026, 5, 10), count_days=5)
    assert not ShortageRecord.objects.exists()


def test_a_new_record_leaves_the_days_before_it_as_they_were(cast: Cast) -> None:
    recorded(date(2026, 1, 1), fail_probability=Decimal("0.1"))
    recorded(date(2026, 5, 1), fail_probability=Decimal("0.3"))
    periods = ShortageRecord.objects.order_by("period").values_list("period", "fail_probability")
    assert list(periods) == [
        (DateRange(date(2026, 1, 1), date(2026, 5, 1)), Decimal("0.1")),
        (DateRange(date(2026, 5, 1), None), Decimal("0.3")),
    ]
    assert ShortageRecord.history.filter(history_type="+").count() == 3


def test_a_pool_s_own_record_goes_before_its_shape_s(cast: Cast) -> None:
    recorded(date(2026, 1, 1), None, "p5.48xlarge", fail_probability=Decimal("0.1"))
    assert shortage_on(pool_id=cast.pool.pk, day=TODAY).fail_probability == Decimal("0.1")
    assert shortage_on(pool_id=cast.other.pk, day=TODAY) is None
    recorded(date(2026, 2, 1), fail_probability=Decimal("0.3"))
    assert shortage_on(pool_id=cast.pool.pk, day=TODAY).fail_probability == Decimal("0.3")
    assert shortage_on(pool_id=cast.pool.pk, day=date(2026, 1, 31)).fail_probability == Decimal("0.1")


def test_the_commands_bring_in_launches_and_record_what_follows(
    cast: Cast, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "launches.csv"
    file.write_text("day,pool,attempts,failures\n2026-05-01,serve-h100,10,5\n")
    call_command("import_launches", str(file))
    words = ["--shortage-cost", "50", "--currency", "USD", "--convention", "instead", "--source", "karpenter"]
    call_command("record_shortage", "--pool", "serve-h100", "--count-days", "3660", *words)
    record = ShortageRecord.objects.get()
    assert (record.fail_probability, record.attempts, record.convention) == (Decimal("0.5"), 10, "instead")
    assert "created: pool serve-h100 from" in capsys.readouterr().out
    for wrong, said in (
        (["--pool", "serve", *words], "there is no pool “serve”"),
        (["--pool", "serve-h100", "--fail-probability", "1.2", *words], "a probability is from 0 to 1"),
        (["--pool", "serve-h100", *words, "--currency", "usd"], "“usd” is not a currency"),
        (["--shape", "g6.xlarge", *words], "no launch was reported"),
    ):
        with pytest.raises(CommandError, match=said):
            call_command("record_shortage", *wrong)
    assert ShortageRecord.objects.count() == 1
