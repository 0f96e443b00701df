import json
import logging
import logging.config
from collections.abc import Iterator
from io import StringIO

import pytest
import structlog

from config import logs


@pytest.fixture
def lines() -> Iterator[StringIO]:
    """JSON lines as a process would write them; the runner's own handlers come back afterwards."""
    handlers, level = logging.root.handlers[:], logging.root.level
    logging.config.dictConfig(logs.configuration(level="INFO", form="json"))
    (handler,) = logging.root.handlers
    written = StringIO()
    handler.setStream(written)  # type: ignore[attr-defined]
    yield written
    logging.root.handlers, logging.root.level = handlers, level


def test_a_line_is_one_json_object_with_its_time_and_place(lines: StringIO) -> None:
    structlog.get_logger("telemetry").info("hour collected", pool="reserved-h100", gpus=64)
    line = json.loads(lines.getvalue())
    assert line["event"] == "hour collected"
    assert (line["pool"], line["gpus"], line["level"], line["logger"]) == ("reserved-h100", 64, "info", "telemetry")
    assert line["timestamp"].endswith("Z")


def test_what_is_named_a_secret_is_hidden_however_deep(lines: StringIO) -> None:
    account = {"name": "prod", "external_id": "shh-1", "keys": [{"secret_access_key": "shh-2"}]}
    structlog.get_logger("telemetry").warning("refused", account=account, password="shh-3", api_token="shh-4")
    said = lines.getvalue()
    assert "shh-" not in said
    assert json.loads(said)["account"]["name"] == "prod"


@pytest.mark.parametrize(
    "text",
    [
        "cannot reach postgres://moorage:shh-1@db.example.com/m",
        "header Authorization: Bearer shh-1 was refused",
        "asked https://prometheus.example.com/api?token=shh-1&query=up",
        "password='shh-1' is wrong",
    ],
)
def test_passwords_inside_texts_are_hidden_too(lines: StringIO, text: str) -> None:
    logging.getLogger("telemetry").error("%s", text)
    said = lines.getvalue()
    assert "shh-1" not in said
    assert logs.HIDDEN in said


def test_an_access_token_is_hidden_wherever_it_stands(lines: StringIO) -> None:
    logging.getLogger("reservations").error("Not Found: /api/v1/moorage_%s/pools of moorage_ada", "5a" * 32)
    said = lines.getvalue()
    assert "5a5a" not in said
    assert f"{logs.HIDDEN}/pools of moorage_ada" in said
