"""One hour of one pool from a Prometheus-compatible engine, as raw samples."""

from collections.abc import Iterator

import requests

from telemetry.domain.sample import HourUsage, NodeUsage, UsageQuestion
from telemetry.sources.prometheus.client import PrometheusEngine
from telemetry.sources.prometheus.liveness import dark_spans, wordless_spans
from telemetry.sources.prometheus.names import Access, Limits, SeriesNames, checked_options
from telemetry.sources.prometheus.nodes import NodeReader
from telemetry.sources.prometheus.pending import pending_series
from telemetry.sources.prometheus.presence import Inventory, inventory
from telemetry.sources.prometheus.questions import Questions, questions_of
from telemetry.sources.prometheus.queues import pod_queues, queue_series
from telemetry.sources.prometheus.series import Series


def fetch(question: UsageQuestion, *, session: object | None = None) -> HourUsage:
    """Samples of the pool's nodes, pods and queues from T0 − 1.5Δ to T1 + 1.5Δ, nodes shard by shard.

    ``session`` is a ``requests.Session`` to share over many hours; without one each hour connects anew.
    UnableToFetch when the engine gives no answer to rely on, or a name or option is not usable.
    """
    if session is not None and not isinstance(session, requests.Session):
        raise TypeError("a Prometheus source talks through a requests.Session")
    options = checked_options(question.options)
    limits, names = Limits.from_options(options), SeriesNames.from_options(options)
    connection = session or requests.Session()
    try:
        engine = PrometheusEngine(
            question.source, question.url, session=connection, limits=limits, access=Access.from_options(options)
        )
        return _hour(question, questions_of(question, names, limits), engine, own=session is None)
    except BaseException:
        if session is None:
            connection.close()
        raise


def open_session() -> requests.Session:
    """A session to hand to ``fetch`` for many hours, so that they share their connections; close it afterwards."""
    return requests.Session()


def _hour(question: UsageQuestion, questions: Questions, engine: PrometheusEngine, *, own: bool) -> HourUsage:
    def ask(query: str) -> list[Series]:
        return engine.ask(query, questions.at_ms)

    hour = (question.period.start_ms, question.period.end_ms)
    found = inventory(ask, questions, engine.warnings)
    queues, queue_metrics = queue_series(ask, questions)
    pending = pending_series(ask, questions)
    pods, queue_labels = pod_queues(ask, questions, engine.limits, found)
    reader = NodeReader(ask, questions, found, engine.limits)
    return HourUsage(
        period=question.period,
        step_ms=questions.step_ms,
        state_step_ms=questions.state_step_ms,
        nodes=_closing(reader, found, engine) if own else reader.nodes(),
        sm_exported=found.sm_exported,
        pod_labels_exported=found.pod_labels is not None,
        node_data=found.node_data,
        allocation_data=found.allocation_data,
        queue_labels=queue_labels or found.exists("pod_queue"),
        queue_metrics=queue_metrics,
        queues=queues,
        pod_queues=pods,
        pending=pending,
        warnings=engine.warnings,
        suspects=reader.suspects,
        dark_spans=lambda: dark_spans(ask, questions, hour),
        wordless_spans=lambda: wordless_spans(ask, questions, hour),
        node_match=_match(question),
    )


def _match(question: UsageQuestion) -> str:
    """What tells the pool's nodes, the first three values of it."""
    values = ", ".join(question.node_values[:3]) + (", …" if len(question.node_values) > 3 else "")
    return f"{question.node_label} = {values}" if values else f"{question.node_label} (the pool names no value of it)"


def _closing(reader: NodeReader, found: Inventory, engine: PrometheusEngine) -> Iterator[NodeUsage]:
    try:
        yield from reader.nodes()
    finally:
        engine.close()
