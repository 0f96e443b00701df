"""What a configuration file may not say: each refusal is one sentence that names the place, and nothing is written."""

from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from reservations.models import Account, Pool, PoolReservationRule
from telemetry.models import MetricsSource
from tests.scheduler.configuration_file import GOOD, apply, changed, refused

pytestmark = pytest.mark.django_db


CASES = [
    ("owner: research, workload: batch", "owner: resaerch, workload: batch",
     "pools[0].queues[1].owner: there is no owner “resaerch”; did you mean “research”? (line 33)"),
    ("    owner: serving\n", "    ownr: serving\n",
     "pools[0].ownr: there is no such key; did you mean “owner”? (line 18)"),
    ("    owner: serving\n", "", "pools[0]: the key “owner” is missing (line 17)"),
    ("metrics_source: main", "metrics_source: mian", "there is no metrics source “mian”; did you mean “main”?"),
    ("{pool: reserved-h100, from: 2026-01", "{pool: reserved-h10, from: 2026-01",
     "prices[0].pool: there is no pool “reserved-h10”"),
    ("fallback: platform", "fallback: plattform", "owners[0].fallback: there is no owner “plattform”"),
    ("fallback: platform", "fallback: serving", "owners[0].fallback: the fallbacks of “serving” lead back to itself"),
    ("{name: platform}", "{name: platform, fallback: serving}", "lead back to itself"),
    ("{name: platform}", "{name: serving}",
     "owners[1].name: the owner “serving” stands twice, first on line 3 (line 4)"),
    ("  - {name: bare,", "  - {name: reserved-h100,", "the pool “reserved-h100” stands twice"),
    ("cluster_queue: cq-b", "cluster_queue: cq-a", "the queue “cq-a” stands twice in this pool"),
    ("gpus_per_node: 1}",
     "gpus_per_node: 1, reservations: ['arn:aws:ec2:us-east-1:111122223333:capacity-reservation/cr-0aaa']}",
     "backs the pool “reserved-h100” already: a reservation backs one pool at a time"),
    ("[cr-0aaa, {tag", "[cr-0aaa, cr-0aaa, {tag", "pools[0].reservations[1]: “cr-0aaa” stands twice in this pool"),
    ("to: 2026-07-01", "to: 2026-07-02", "prices[1]: two prices of pool reserved-h100 overlap (line 36 and line 38)"),
    ("{shape: g6.xlarge,", "{shape: g6.xlarge, pool: bare,", "prices[2]: a price is for one pool or one shape"),
    ("name: ada, roles: [viewer], team: research", "name: grace, roles: [viewer]",
     "people[1].name: stands twice for one team"),
    ("procurement_rule:", "procurment_rule:",
     "procurment_rule: there is no section “procurment_rule”; did you mean “procurement_rule”?"),
    ('[{up_to: "100000", role: approver}]', "[{up_to: 5, role: approver}, {up_to: 5, role: admin}]",
     "each step must go higher"),
    ("    owner: serving\n", "    owner: serving\n    owner: platform\n",
     "line 19: the key “owner” stands here for the second time (first on line 18)"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "sentence"), CASES, ids=[sentence[:60] for _, _, sentence in CASES])
def test_a_mistake_is_named_with_its_place(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    assert sentence in refused(tmp_path, changed((old, new)))


def test_all_mistakes_are_named_at_once_in_the_order_of_their_lines(tmp_path: Path) -> None:
    text = changed(("Europe/Berlin", "Mars"), ("instance_type: p5.48xlarge", "instance_typ: p5"), ('"62"', '"x"'))
    sentences = refused(tmp_path, text).splitlines()
    assert [said.split(":")[0] for said in sentences] == [
        "organisation.accounting_zone",
        "pools[0]",
        "pools[0].instance_typ",
        "prices[0].reserved",
    ]


def test_a_mistake_in_one_entry_does_not_make_its_name_unknown_to_others(tmp_path: Path) -> None:
    assert "there is no pool" not in refused(tmp_path, changed(("gpus_per_node: 8", "gpus_per_node: x")))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty"),
        (b"# nothing\n", "is empty"),
        (b"- a\n- b\n", "must be a table of keys"),
        (b"hello\n", "must be a table of keys"),
        (b"owners:\n  - {name: caf\xe9}\n", "is not UTF-8 text (line 2)"),
        (b"a: 1\n---\nb: 2\n", "is not YAML"),
        (b"a: \x00\n", "is not YAML"),
        (b'a: "\\UFFFFFFFF"\n', "is not YAML"),
        (b"[" * 5000, "nested too deep"),
        (b"? [a]\n: 1\n", "a key must be a word"),
        (b"a: &x [b]\nc: *x\n", "aliases are not read here"),
    ],
)
def test_what_is_no_configuration_at_all_is_said(tmp_path: Path, content: bytes, sentence: str) -> None:
    assert sentence in refused(tmp_path, content)


def test_a_missing_file_and_a_folder_are_said(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"nowhere\.yaml can't be read: no such file"):
        call_command("apply_config", str(tmp_path / "nowhere.yaml"))
    with pytest.raises(CommandError, match="can't be read: is a directory"):
        call_command("apply_config", str(tmp_path))


def test_names_of_an_earlier_run_count_as_known(tmp_path: Path) -> None:
    apply(tmp_path, GOOD)
    apply(tmp_path, "pools: [{name: new, owner: research, instance_type: x, gpus_per_node: 1, metrics_source: main}]")
    assert Pool.objects.filter(name="new").exists()


def test_a_reservation_another_configured_pool_claims_is_refused(tmp_path: Path) -> None:
    apply(tmp_path, GOOD)
    with pytest.raises(CommandError, match="“cr-0aaa” backs the pool “reserved-h100” already"):
        apply(
            tmp_path,
            "pools: [{name: bare, owner: research, instance_type: x, gpus_per_node: 1, reservations: [cr-0aaa]}]",
        )
    assert PoolReservationRule.objects.count() == 2


def test_an_account_id_under_a_second_name_is_refused(tmp_path: Path) -> None:
    apply(tmp_path, GOOD)
    with pytest.raises(CommandError, match="account 111122223333 is configured already as “prod”"):
        apply(tmp_path, 'accounts: [{name: other, account_id: "111122223333", regions: [us-east-1]}]')
    assert Account.objects.get().name == "prod"


def test_a_file_with_windows_lines_and_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    apply(tmp_path, b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert MetricsSource.objects.get().name == "main"
