"""Which values a configuration file may not hold: each refusal names the place and the value."""

from pathlib import Path

import pytest

from tests.scheduler.configuration_file import changed, refused

pytestmark = pytest.mark.django_db

CASES = [
    ('reserved: "62"', 'reserved: "6_2"', "prices[0].reserved: “6_2” is not a number"),
    ('reserved: "62"', "reserved: 1" + "0" * 5000, "prices[0].reserved: “1000"),
    ('reserved: "62"', "reserved: 1e9", "prices[0].reserved: “1e9” is not a number"),
    ('"quote 17"', '"quote\\0"', "a text holds the character NUL"),
    ("{pod_queue_label: label_queue,", '{pod_queue_label: "a\\0",', "a text holds the character NUL"),
    ('"http://127.0.0.1:9090"', '"http://127.0.0.1\\e:9090"', "is not an address"),
    ("spare_nodes: 1", "spare_nodes: -1", "pools[0].spare_nodes: must be at least 0, and this is -1"),
    ("spare_nodes: 1", "spare_nodes: 99999999999", "pools[0].spare_nodes: must be at most 1000000"),
    ("{tag: [team, serving]}", "{tag: team}", "pools[0].reservations: number 2 must be an id or an ARN in text"),
    ("to: 2026-07-01", "to: 2026-01-01", "so 2026-01-01 must be after 2026-01-01"),
    ("to: 2026-07-01", "to: 2026-02-30", "prices[0].to: “2026-02-30” is not a day"),
    ("from: 2026-01-01, to: 2026", "from: 20260101, to: 2026", "prices[0].from: “20260101” is not a day"),
    ("from: 2026-01-01, to: 2026", "from: 2026-01-01T00:00:00Z, to: 2026", "is not a day: write it as 2026-01-31"),
    ('reserved: "62"', 'reserved: "-62"', "prices[0].reserved: a price can't be below 0, and this is -62"),
    ('reserved: "62"', 'reserved: "cheap"', "prices[0].reserved: “cheap” is not a number"),
    ('reserved: "62"', "reserved: .nan", "prices[0].reserved: “.nan” is not a number"),
    ('reserved: "62"', "reserved: NaN", "prices[0].reserved: “NaN” is not a number"),
    ('reserved: "62"', "reserved: 1:30", "prices[0].reserved: “1:30” is not a number"),
    ('reserved: "62"', "reserved: true", "prices[0].reserved: “True” is not a number"),
    ('reserved: "62"', 'reserved: "0.0000001"', "has more digits than are kept"),
    ("currency: USD", "currency: usd", "prices[0].currency: “usd” is not a currency"),
    ("unit: node-hour", "unit: node_hour", "prices[0].unit: “node_hour” is not known here; did you mean “node-hour”?"),
    ("workload: batch", "workload: bach", "“bach” is not known here; did you mean “batch”?"),
    ("provider: aws", "provider: azure", "accounts[0].provider: “azure” is not known here"),
    ('"111122223333"', "111122223333",
     "accounts[0].account_id: must be text, and this is 111122223333: write it in quotes"),
    ('"111122223333"', '"1111"', "accounts[0].account_id: “1111” is not an account id"),
    ("[us-east-1]", "[us-east-1, virginia]", "accounts[0].regions[1]: “virginia” is not a region"),
    ("Europe/Berlin", "Europe/Berln", "organisation.accounting_zone: unknown time zone “Europe/Berln”"),
    ("roles: [analyst, approver]", "roles: [analyst, aprover]",
     "people[0].roles[1]: “aprover” is not known here; did you mean “approver”?"),
    ("members: [ada]", "members: ['ada lovelace']", "owners[0].members[0]: “ada lovelace” can't be a log-in name"),
    ("serving@example.com", "serving", "owners[0].email: “serving” is not an e-mail address"),
    ("busy_threshold: 0.05", "busy_threshold: 5", "a share is from 0 to 1, and this is 5"),
    ('url: "http://127.0.0.1:9090"', 'url: "127.0.0.1:9090"',
     "metrics_sources[0].url: “127.0.0.1:9090” is not an address"),
    ('url: "http://127.0.0.1:9090", ', "", "metrics_sources[0]: a Prometheus needs its address"),
    ("pod_queue_label:", "pod_queue_lable:", "metrics_sources[0]: names: unknown option “pod_queue_lable”"),
    ("scrape_interval_seconds: 30", "scrape_interval_seconds: 0", "must be at least 1, and this is 0"),
    ("gpus_per_node: 8", "gpus_per_node: 0", "pools[0].gpus_per_node: the GPUs of a node can't be below 0.0001"),
    ("{name: bare,", "{name: no,", "pools[1].name: must be text, and this is False: write it in quotes"),
    ("{name: bare,", "{name: '',", "pools[1].name: must not be empty"),
    ("{name: bare,", "{name: ' bare',", "pools[1].name: ' bare' holds spaces at its ends"),
    ("owners:\n", "owners: {}\nowner:\n", "owners: must be a list"),
    ("[ada]", "[ada", "is not YAML: line"),
    ("[ada]", "&who [ada]\n    fallback: *who", "is not YAML: line"),
    ("name: Example", "name: !!python/object:os.system {}",
     "the tag tag:yaml.org,2002:python/object:os.system is not read here"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "sentence"), CASES, ids=[sentence[:60] for _, _, sentence in CASES])
def test_a_value_that_can_not_be_is_named_with_its_place(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    assert sentence in refused(tmp_path, changed((old, new)))
