import pkgutil
from collections.abc import Sequence
from importlib import import_module
from inspect import signature
from pathlib import Path
from types import ModuleType

import pytest

from scheduler import alerts, channels, trainers
from telemetry import sources
from telemetry.models import MetricsSource


def unregistered(folder: Sequence[str], names: Sequence[str]) -> set[str]:
    """What stands in a folder and not in its tuple, or the reverse."""
    return {module.name for module in pkgutil.iter_modules(folder)} ^ set(names)


@pytest.mark.parametrize(
    ("package", "names"),
    [
        (sources, sources.SOURCES),
        (alerts, alerts.RULES),
        (channels, channels.CHANNELS),
        (trainers, trainers.TRAINERS),
    ],
    ids=["sources", "alerts", "channels", "trainers"],
)
def test_every_file_at_the_edge_stands_in_its_tuple(package: ModuleType, names: Sequence[str]) -> None:
    assert unregistered(list(package.__path__), names) == set()
    assert len(set(names)) == len(names)


def test_every_usage_source_can_be_configured_and_is_asked_in_the_one_way() -> None:
    assert set(sources.USAGE_SOURCES) == set(MetricsSource.Kind.values)
    for kind in sources.USAGE_SOURCES:
        source = import_module(f"telemetry.sources.{kind}")
        assert list(signature(source.fetch).parameters) == ["question", "session"]
        with source.open_session():
            pass


def test_a_file_that_is_in_no_tuple_is_seen(tmp_path: Path) -> None:
    (tmp_path / "planted.py").touch()
    assert unregistered([str(tmp_path)], []) == {"planted"}
    assert unregistered([str(tmp_path)], ["planted", "gone"]) == {"gone"}
