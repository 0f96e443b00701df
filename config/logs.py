"""Log lines for people (``console``) or machines (``json``): one event a line on stderr, nothing secret in it."""

import logging
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import structlog

SECRET_KEYS = re.compile(r"passw|secret|token|authorization|cookie|credential|api_?key|external_id|session_?key", re.I)
SECRET_IN_TEXT = re.compile(
    r"(?P<keep>://[^/\s:@]*:)[^/\s@]+(?=@)"  # the password of an address
    r"|(?P<name>\b(?:password|secret|token|authorization|code)\b[\"']?\s*[=:]\s*[\"']?(?:bearer\s+|basic\s+)?)[^\s&\"',;]+"
    r"|\bmoorage_(?=[0-9a-f]{64})[0-9a-f]+"  # an access token of ours, wherever it stands
    r"|(?P<feed>/calendar/)[0-9a-f]{64}\b",  # the address of a calendar's feed
    re.I,
)
HIDDEN = "[hidden]"


def without_secrets(_logger: object, _method: str, event: Any) -> Any:
    """The same event with values under telling names, and passwords within texts, replaced."""
    return {key: HIDDEN if SECRET_KEYS.search(str(key)) else _clean(value) for key, value in event.items()}


def without_refusals(record: logging.LogRecord) -> bool:
    """Every record passes; one that says somebody was refused (403) leaves its traceback behind: it is no mistake."""
    if getattr(record, "status_code", None) == HTTPStatus.FORBIDDEN:
        record.exc_info = record.exc_text = None
    return True


def configuration(*, level: str, form: str) -> dict[str, Any]:
    """The value of Django's LOGGING; structlog's own loggers are set up on the way."""
    shared = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    line = structlog.processors.JSONRenderer(default=str)
    if form != "json":
        line = structlog.dev.ConsoleRenderer(colors=False)
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": shared,
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, without_secrets, line],
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": formatter},
        "filters": {"refusals": {"()": lambda: without_refusals}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["refusals"]}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {name: {"level": level} for name in ("reservations", "telemetry", "scheduler", "config")},
    }


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return SECRET_IN_TEXT.sub(lambda found: (found["keep"] or found["name"] or found["feed"] or "") + HIDDEN, value)
    if isinstance(value, Mapping):
        return without_secrets(None, "", value)
    if isinstance(value, list | tuple):
        return [_clean(each) for each in value]
    return value
