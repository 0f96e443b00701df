import csv
import json
from collections import Counter
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management.base import CommandError
from django.db import connection

from reservations.models import (
    Account,
    Organisation,
    Owner,
    Pool,
    PoolReservationRule,
    PriceQuote,
    ProcurementRule,
    Queue,
    RoleGrant,
    User,
)
from telemetry.models import MetricsSource, PoolSource
from tests.scheduler.configuration_file import GOOD, apply, changed

pytestmark = pytest.mark.django_db


def outcomes(text: str) -> Counter[str]:
    return Counter(change["outcome"] for change in json.loads(text)["changes"])


def row_versions() -> dict[str, set[tuple[object, ...]]]:
    """Where every row of ours lies and which transaction wrote it: an update that changes nothing shows too."""
    versions = {}
    with connection.cursor() as cursor:
        for model in [
            *apps.get_app_config("reservations").get_models(),
            *apps.get_app_config("telemetry").get_models(),
        ]:
            key = model._meta.pk.column
            cursor.execute(f'SELECT {key}, ctid::text, xmin::text FROM "{model._meta.db_table}"')
            versions[model.__name__] = set(cursor.fetchall())
    return versions


def spans() -> list[tuple[date, date | None, Decimal | None]]:
    quotes = PriceQuote.objects.filter(subject__pool__name="reserved-h100").order_by("period")
    return [(quote.period.lower, quote.period.upper, quote.reserved) for quote in quotes]


def test_a_whole_file_becomes_rows(tmp_path: Path) -> None:
    out, err = apply(tmp_path, GOOD)
    assert set(outcomes(out)) == {"created"}
    assert err.splitlines()[-1].startswith("23 created, 0 updated")

    assert Organisation.objects.get().accounting_zone == "Europe/Berlin"
    assert Owner.objects.get(name="serving").fallback == Owner.objects.get(name="platform")
    assert Account.objects.get().regions == ["us-east-1"]
    assert Account.objects.get().role_arn == ""
    source = MetricsSource.objects.get()
    assert (source.busy_threshold, source.kind) == (Decimal("0.05"), "prometheus")
    assert source.names == {"pod_queue_label": "label_queue", "read_timeout_seconds": 12.5}
    pool = Pool.objects.get(name="reserved-h100")
    assert (pool.gpus_per_node, pool.spare_nodes, pool.useful_until) == (Decimal(8), 1, date(2027, 6, 30))
    assert set(PoolReservationRule.objects.values_list("tag_key", "value")) == {("", "cr-0aaa"), ("team", "serving")}
    assert PoolSource.objects.get(pool=pool).node_values == ["cr-0aaa"]
    queue = Queue.objects.get(cluster_queue="cq-a")
    assert (queue.nominal_share, queue.lending_limit, queue.namespaces) == (Decimal("0.75"), 16, ["web"])
    assert spans() == [
        (date(2026, 1, 1), date(2026, 7, 1), Decimal(62)),
        (date(2026, 7, 1), None, Decimal(60)),
    ]
    assert PriceQuote.objects.get(subject__shape="g6.xlarge").on_demand == Decimal("0.8048")
    rule = ProcurementRule.objects.get()
    assert (rule.status, rule.document["steps"]) == ("draft", [{"up_to": "100000", "role": "approver"}])


def test_members_and_people_are_users_who_can_not_log_in_with_a_password_and_hold_their_grants(tmp_path: Path) -> None:
    apply(tmp_path, GOOD)
    assert all(not user.has_usable_password() and not user.is_staff for user in User.objects.all())
    assert set(RoleGrant.objects.values_list("user__username", "role", "team__name")) == {
        ("ada", "owner", "serving"),
        ("ada", "viewer", "research"),
        ("grace", "analyst", None),
        ("grace", "approver", None),
    }


def test_a_name_written_with_look_alike_letters_is_the_person_it_looks_like(tmp_path: Path) -> None:
    apply(tmp_path, GOOD.replace("[ada]", '["ﬁx", "fix"]'))
    apply(tmp_path, GOOD.replace("[ada]", '["ﬁx"]'))
    assert User.objects.filter(username="fix").count() == 1


def test_a_second_run_touches_no_row(tmp_path: Path) -> None:
    apply(tmp_path, GOOD)
    before = row_versions()
    out, _ = apply(tmp_path, GOOD)
    assert set(outcomes(out)) == {"unchanged"}
    assert row_versions() == before


def test_only_what_differs_is_written_and_named(tmp_path: Path) -> None:
    apply(tmp_path, GOOD)
    before = row_versions()
    out, _ = apply(tmp_path, changed(("spare_nodes: 1", "spare_nodes: 2")))
    updated = [change for change in json.loads(out)["changes"] if change["outcome"] != "unchanged"]
    assert updated == [{"kind": "pool", "name": "reserved-h100", "outcome": "updated", "fields": ["spare_nodes"]}]
    touched = {name for name, versions in row_versions().items() if versions != before[name]}
    assert touched == {"Pool", "AuditEvent", "AuditHead"}  # the event tells of the pool


def test_what_is_absent_from_the_file_is_left_alone(tmp_path: Path) -> None:
    apply(tmp_path, GOOD)
    Pool.objects.filter(name="reserved-h100").update(data_zone_id="use1-az6")
    apply(tmp_path, "pools: [{name: reserved-h100, owner: serving, instance_type: p5.48xlarge, gpus_per_node: 8}]")
    pool = Pool.objects.get(name="reserved-h100")
    assert (pool.data_zone_id, pool.spare_nodes, pool.queues.count(), pool.reservation_rules.count()) == (
        "use1-az6", 1, 2, 2,
    )  # fmt: skip
    assert PoolSource.objects.get(pool=pool).source is not None
    assert Owner.objects.count() == 3


def test_a_written_list_of_reservations_replaces_the_pool_s_own_and_an_id_may_move(tmp_path: Path) -> None:
    apply(tmp_path, GOOD)
    moved = changed(("[cr-0aaa, {tag", "[{tag"), ("gpus_per_node: 1}", "gpus_per_node: 1, reservations: [cr-0aaa]}"))
    out, _ = apply(tmp_path, moved)
    assert outcomes(out)["removed"] == 1
    assert PoolReservationRule.objects.get(value="cr-0aaa").pool.name == "bare"


def test_a_new_price_wins_on_its_days_and_cuts_the_one_before(tmp_path: Path) -> None:
    apply(tmp_path, GOOD)
    new = (
        "prices: [{pool: reserved-h100, from: 2026-03-01, to: 2026-04-01, reserved: 50, on_demand: 90,"
        " currency: USD, unit: node-hour}]"
    )
    apply(tmp_path, new)
    expected = [
        (date(2026, 1, 1), date(2026, 3, 1), Decimal(62)),
        (date(2026, 3, 1), date(2026, 4, 1), Decimal(50)),
        (date(2026, 4, 1), date(2026, 7, 1), Decimal(62)),
        (date(2026, 7, 1), None, Decimal(60)),
    ]
    assert spans() == expected
    before = row_versions()
    out, _ = apply(tmp_path, new)
    assert set(outcomes(out)) == {"unchanged"}
    assert (spans(), row_versions()) == (expected, before)


def test_odd_prices_are_said_and_stored(tmp_path: Path) -> None:
    _, err = apply(tmp_path, changed(('reserved: "62"', 'reserved: "100"'), (", reserved: 60", "")))
    assert "price of pool reserved-h100 from 2026-01-01: reserved (100) is not below on-demand (100)" in err
    assert "price of pool reserved-h100 from 2026-07-01: the reserved price is not written" in err
    assert PriceQuote.objects.get(subject__pool__name="reserved-h100", reserved=None).on_demand == Decimal("98.32")
    _, err = apply(tmp_path, changed(('on_demand: "100"', 'on_demand: "0"')))
    assert "the on-demand price is 0; leave it out if it is unknown" in err


def test_only_the_very_first_version_of_the_rule_may_be_published(tmp_path: Path) -> None:
    published = changed(("version: 1,", "version: 1, publish: true,"))
    apply(tmp_path, published)
    assert ProcurementRule.objects.get().status == "published"
    out, _ = apply(tmp_path, published)
    assert set(outcomes(out)) == {"unchanged"}
    apply(tmp_path, GOOD)
    assert ProcurementRule.objects.get().status == "published"
    with pytest.raises(CommandError, match="publishes only the first rule there is"):
        apply(tmp_path, changed(("version: 1,", "version: 2, publish: true,")))
    apply(tmp_path, changed(("version: 1,", "version: 2,")))
    assert ProcurementRule.objects.get(version=2).status == "draft"


def test_the_text_of_a_stored_version_never_changes(tmp_path: Path) -> None:
    apply(tmp_path, GOOD)
    with pytest.raises(CommandError, match="version 1 is stored with another text: write the new one as version 2"):
        apply(tmp_path, changed(('"0.9"', '"0.8"')))
    assert ProcurementRule.objects.get().document["reserved_share_of_base_load"] == "0.9"


def test_the_report_comes_as_csv_too(tmp_path: Path) -> None:
    out, _ = apply(tmp_path, GOOD, form="csv")
    rows = list(csv.DictReader(out.splitlines()))
    assert rows[0] == {
        "kind": "organisation",
        "name": "Example",
        "outcome": "created",
        "fields": "name accounting_zone",
    }
