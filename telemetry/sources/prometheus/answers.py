"""Reads what a metrics engine said, and says in one sentence what to mend where it is no use."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from telemetry.domain.sample import UnableToFetch
from telemetry.sources.prometheus.garbage import paused_gc


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP answer with its whole body; ``location`` is where a redirect points."""

    status: int
    content_type: str
    body: bytes
    location: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The series an engine found, and whatever makes them less than the whole truth."""

    result: list[dict[str, Any]]
    warnings: tuple[str, ...]


def answer(reply: Reply, place: str) -> Answer:
    """The series in a reply from ``place`` (“source … at …”); UnableToFetch where it holds none to rely on."""
    if 300 <= reply.status < 400:
        raise UnableToFetch(
            f"{place} redirects to {reply.location or 'another address'}: a log-in page or an old address; "
            "give the address that answers /api/v1/query itself",
            permanent=True,
        )
    if reply.status in (401, 403):
        raise _refused(reply.status, place)
    if reply.status != 200:
        raise _failed(reply, place)
    document = _document(reply, place)
    if document.get("status") != "success":
        raise UnableToFetch(f"{place} answered 200 with an error: {_reason(document)}")
    data = document.get("data")
    if not isinstance(data, dict) or not isinstance(data.get("result"), list):
        raise UnableToFetch(f"{place} answered without data.result: it does not speak the Prometheus query API")
    if not all(_is_series(series) for series in data["result"]):
        raise UnableToFetch(f"{place} answered with something that is no series: it does not speak the query API")
    return Answer(data["result"], tuple(_warnings(document)))


def _is_series(series: object) -> bool:
    return (
        isinstance(series, dict)
        and isinstance(series.get("metric"), dict)
        and (isinstance(series.get("value"), list) or isinstance(series.get("values"), list))
    )


def _document(reply: Reply, place: str) -> dict[str, Any]:
    if "html" in reply.content_type or reply.body.lstrip()[:1] == b"<":
        raise UnableToFetch(
            f"{place} answered with a web page instead of JSON: a log-in page or a wrong path; "
            "give the address whose /api/v1/query answers, and a token if it asks for one",
            permanent=True,
        )
    try:
        with paused_gc():
            document = json.loads(reply.body)
    except (ValueError, RecursionError) as error:
        raise UnableToFetch(
            f"{place} sent JSON that cannot be read to its end ({len(reply.body)} bytes): "
            "look for a proxy in between that cuts answers short"
        ) from error
    if not isinstance(document, dict):
        raise UnableToFetch(f"{place} answered JSON that is no query result: check the path of its address")
    return document


def _refused(status: int, place: str) -> UnableToFetch:
    what = "asks for a log-in (401)" if status == 401 else "refuses this log-in (403)"
    mend = "check bearer_token_env, username_env with password_env, sigv4_region or headers of the source"
    return UnableToFetch(f"{place} {what}: {mend}", permanent=True)


def _failed(reply: Reply, place: str) -> UnableToFetch:
    reason = _reason_of(reply)
    if reply.status == 400:
        return UnableToFetch(
            f"{place} does not understand the question (400): {reason}; check the names", permanent=True
        )
    if reply.status == 404:
        return UnableToFetch(f"{place} has no /api/v1/query (404): check the path of its address", permanent=True)
    if reply.status == 422:
        mend = "lower nodes_per_shard of the source, or raise the engine's limit (--query.max-samples)"
        return UnableToFetch(f"{place} will not evaluate the question (422): {reason}; {mend}", permanent=True)
    if reply.status == 503:
        mend = "lower nodes_per_shard of the source, or raise the engine's --query.timeout"
        return UnableToFetch(f"{place} gave up or is overloaded (503): {reason}; {mend}")
    return UnableToFetch(f"{place} failed with HTTP {reply.status}: {reason}")


def _reason_of(reply: Reply) -> str:
    try:
        document = json.loads(reply.body)
    except ValueError:
        document = None
    return _reason(document) if isinstance(document, dict) else "it gave no reason"


def _reason(document: dict[str, Any]) -> str:
    error = re.sub(r"\s+", " ", str(document.get("error") or document.get("message") or "it gave no reason"))
    return error if len(error) <= 300 else f"{error[:300]}…"


def _warnings(document: dict[str, Any]) -> Iterator[str]:
    yield from (str(text) for text in document.get("warnings") or ())
    yield from (str(text) for text in document.get("infos") or () if "partial" in str(text).lower())
    if document.get("isPartial"):
        yield "the engine calls its answer partial"
