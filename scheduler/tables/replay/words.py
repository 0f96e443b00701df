"""A replay in sentences: what it comes to, what went in, and what rounding did."""

from collections.abc import Mapping
from typing import Any

from reservations.domain import notation
from scheduler.tables.sizing.words import nodes_text

Document = Mapping[str, Any]


def headline(document: Document) -> str:
    """What the replay says, in one sentence."""
    if document["reason"]:
        reason = str(document["reason"])
        return f"{reason[0].upper()}{reason[1:]}. The sizing rule alone decides."
    packed, current = document["packed_nodes"], document["current_nodes"]
    if packed == current:
        return f"Better placement frees no node: {nodes_text(current)} are needed to deliver what {current} do."
    if packed == 0:
        return f"No recorded work needs any of the {nodes_text(current)}."
    return f"{nodes_text(packed)} would have delivered what {current} do: within 1 % of the same value."


def sizes_words(document: Document) -> str:
    """What the table and the chart show, for who sees neither."""
    by_nodes = {size["nodes"]: size for size in document["sizes"]}
    first, last = min(by_nodes), max(by_nodes)
    told = [f"From {first} to {last} nodes the month is worth {_worth(by_nodes[first])} to {_worth(by_nodes[last])}"]
    for name, nodes in (("packed", document["packed_nodes"]), ("held now", document["current_nodes"])):
        size = by_nodes[nodes]
        told.append(
            f"on {nodes} ({name}) {_worth(size)}, {notation.grouped(size['unmet_gpu_hours'])} GPU-hours of serving"
            f" unmet and {notation.grouped(size['waiting_hours'])} job-hours of waiting"
        )
    return "; ".join(told) + "."


def inputs_words(document: Document) -> str:
    """What was put in."""
    share = notation.percent(document["coverage_share"])
    jobs = notation.grouped(document["jobs"])
    moved = document["jobs_moved_sooner"]
    waited = f", {notation.grouped(moved)} of them known to have waited before they began" if moved else ""
    peak = document["serving_peak_gpus"]
    serving = f"Serving needed up to {peak} GPUs" if peak else "No serving ran"
    return (
        f"The pods of {document['known_hours']} of {document['hours']} hours ({share}) are known: {jobs} jobs{waited}."
        f" {serving}."
    )


def rounding_words(document: Document) -> str:
    """What whole hours and blocks of powers of two made of what was recorded."""
    recorded, replayed, held = (document[f"{name}_gpu_hours"] for name in ("recorded", "replayed", "held"))
    if not replayed:
        return ""
    more = notation.percent(held / replayed - 1)
    return (
        f"Whole GPUs and hours make {notation.grouped(replayed)} of {notation.grouped(round(recorded))} recorded"
        f" GPU-hours; blocks of powers of two hold {notation.grouped(held)}, {more} more, which earns nothing."
    )


def policy_words(document: Document) -> str:
    """The settings that bind what is said."""
    told = document["policy"]
    worth = ", ".join(f"{name} {value:g}" for name, value in told["priorities"].items())
    return (
        f"A GPU-hour is worth, by workload: {worth}; one of serving that is not met costs"
        f" {told['realtime_penalty']:g} times its worth. Each arrival plans anew, without foresight."
    )


def _worth(size: Mapping[str, Any]) -> str:
    return notation.grouped(round(size["value"]))
