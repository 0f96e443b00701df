import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.management import get_commands
from django.urls import resolve

from reservations.domain.change import Outcome
from reservations.domain.glossary import GLOSSARY, TERMS
from scheduler.services.configuration import apply_config
from telemetry.domain.ledger import AMOUNTS
from telemetry.domain.waterfall import STEPS
from tests.architecture.tree import PRODUCT, ROOT

README = (ROOT / "README.md").read_text()
OPERATING = (ROOT / "docs" / "operating.md").read_text()


def test_the_readme_explains_every_term_in_the_words_of_the_interface() -> None:
    rows = re.findall(r"^\| ([a-z_0-9]+) \| (.+) \| (.*) \|$", README, re.M)
    assert [row for row in rows if row[0] in GLOSSARY] == [(term.name, term.meaning, term.unit) for term in TERMS]


def test_every_term_is_one_sentence_and_stands_once() -> None:
    assert len(GLOSSARY) == len(TERMS)
    assert [term.name for term in TERMS if not re.fullmatch(r"[A-Z][^.]*\.", term.meaning)] == []


def test_every_quantity_of_the_ledger_is_explained() -> None:
    assert {*AMOUNTS, *STEPS, "launched", "coverage", "busy_high", "hours_missing"} - set(GLOSSARY) == set()


def test_every_term_that_a_template_asks_for_exists() -> None:
    asked = {
        name
        for path in (ROOT / "templates").rglob("*.html")
        for name in re.findall(r"{% term \"([a-z_]+)\"", path.read_text())
    }
    assert asked - set(GLOSSARY) == set()


def test_the_readme_names_the_commands_that_exist_and_all_of_ours() -> None:
    named = set(re.findall(r"^\| `([a-z_0-9]+)", README.split("## Command line")[1].split("\n## ")[0], re.M))
    ours = {name for name, app in get_commands().items() if app in PRODUCT}
    assert named == ours
    assert set(re.findall(r"manage\.py ([a-z_0-9]+)", README + OPERATING)) - set(get_commands()) == set()


def test_every_target_of_make_that_is_named_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))
    named = set(
        re.findall(
            r"\bmake ([a-z]+)\b", "\n".join(re.findall(r"`make [a-z]+`|^ +make [a-z]+", README + OPERATING, re.M))
        )
    )
    assert named <= targets
    assert len(targets) <= 8


def test_every_address_that_is_named_leads_somewhere() -> None:
    for path in re.findall(r"`(/[a-z/]*)`", README):
        assert resolve(path)


def test_every_file_that_is_linked_exists() -> None:
    for place in (ROOT / "README.md", *ROOT.glob("docs/*.md")):
        for link in re.findall(r"\]\((?!https?:)([^)#]+)\)", place.read_text()):
            assert (place.parent / link).exists(), f"{place.name}: {link}"


def test_every_environment_variable_is_explained() -> None:
    settings = (ROOT / "config" / "settings.py").read_text()
    read = set(re.findall(r"env(?:\.\w+)?\(\s*\"([A-Z_]+)\"", settings)) | {
        "OIDC_ISSUER",
        "OIDC_CLIENT_ID",
        "OIDC_NAME",
    }
    explained = set(re.findall(r"`([A-Z][A-Z_]+)`", OPERATING))
    assert read - explained == set()


@pytest.mark.django_db
def test_the_example_configuration_can_be_applied_twice_and_then_changes_nothing(tmp_path: Path) -> None:
    block = re.search(r"```yaml\n(.*?)```", README, re.S)
    assert block
    file = tmp_path / "moorage.yaml"
    file.write_text("\n".join(line.removeprefix("   ") for line in block[1].splitlines()))
    now = datetime(2026, 11, 30, tzinfo=UTC)
    assert {change.outcome for change in apply_config(path=file, as_of=now).changes} == {Outcome.CREATED}
    assert {change.outcome for change in apply_config(path=file, as_of=now).changes} == {Outcome.UNCHANGED}
