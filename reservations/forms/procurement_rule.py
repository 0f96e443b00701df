"""A version of the procurement rule as its form says it: texts by field, and the document they make."""

from collections.abc import Mapping

from reservations.domain.access import Role
from reservations.domain.procurement.exception_type import TYPES, ExceptionType
from reservations.domain.procurement.rule import NUMBERS, Check

STEPS = 6
"""So many approval steps the form has room for."""

DAYS = ("block_booking_lead_days", "procurement_lead_days", *NUMBERS, "longest_term_days")
LONGEST = 200
REFUSED = "no"
"""Stands for a type of exception that may not be asked for."""


def document_of(said: Mapping[str, str], before: Mapping[str, object]) -> dict[str, object]:
    """The document that a form says, over the one it began from; what cannot be read stays, for the rule to refuse."""
    document = dict(before)
    document["reserved_share_of_base_load"] = said.get("reserved_share_of_base_load", "").strip()
    document["spot_workloads"] = [one.strip() for one in said.get("spot_workloads", "").split(",") if one.strip()]
    for key in ("price_move_limit_share", "currency", *DAYS):
        text = said.get(key, "").strip()
        if text:
            document[key] = _whole(text) if key in DAYS else text
        else:
            document.pop(key, None)
    document["steps"] = _steps(said)
    document["checks"] = _checks(said)
    if said.get("types") == "some":
        document["exception_types"] = _types(said)
    else:
        document.pop("exception_types", None)
    return document


def texts_of(document: Mapping[str, object]) -> dict[str, str]:
    """The texts of a form that says this document."""
    texts = {key: str(document[key]) for key in ("price_move_limit_share", "currency", *DAYS) if key in document}
    texts["reserved_share_of_base_load"] = str(document.get("reserved_share_of_base_load", ""))
    texts["spot_workloads"] = ", ".join(str(one) for one in _rows(document.get("spot_workloads")))
    for number, step in enumerate(_mappings(document.get("steps")), 1):
        texts |= {f"step_{number}_{key}": str(step.get(key) or "") for key in ("up_to", "role", "quorum")}
    for check in _mappings(document.get("checks")):
        texts |= {f"check_{check.get('check')}_{key}": str(check.get(key) or "") for key in ("role", "above")}
    if document.get("exception_types") is not None:
        texts["types"] = "some"
        texts |= {f"type_{kind.value}": REFUSED for kind in ExceptionType}
        for one in _mappings(document["exception_types"]):
            texts[f"type_{one.get('type')}"] = ",".join(str(role) for role in _rows(one.get("roles")))
    return texts


def form_rows(texts: Mapping[str, str]) -> dict[str, object]:
    """The repeated parts of the form: steps, checks and types, each with its texts."""
    roles = [role.value for role in Role if role not in (Role.VIEWER, Role.AUDITOR)]
    keys = ("up_to", "role", "quorum")
    return {
        "roles": roles,
        "steps": [(number, *(texts.get(f"step_{number}_{key}", "") for key in keys)) for number in range(1, STEPS + 1)],
        "checks": [
            (one.value, texts.get(f"check_{one.value}_role", ""), texts.get(f"check_{one.value}_above", ""))
            for one in Check
        ],
        "kinds": [_kind(kind, texts, roles) for kind in ExceptionType],
    }


def _kind(kind: ExceptionType, texts: Mapping[str, str], roles: list[str]) -> tuple[str, str, str, list[str]]:
    """Value, label, what is chosen, and the sets of roles to choose from: those it has now stay among them."""
    chosen = texts.get(f"type_{kind.value}", "")
    more = [chosen] if "," in chosen else []
    return kind.value, TYPES[kind].label, chosen, [*roles, *more]


def _steps(said: Mapping[str, str]) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for number in range(1, STEPS + 1):
        up_to, role, quorum = (said.get(f"step_{number}_{key}", "").strip() for key in ("up_to", "role", "quorum"))
        if up_to or role:
            found.append({"up_to": up_to, "role": role, **({"quorum": _whole(quorum)} if quorum else {})})
    return found


def _checks(said: Mapping[str, str]) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for check in Check:
        role, above = (said.get(f"check_{check.value}_{key}", "").strip() for key in ("role", "above"))
        if role:
            found.append({"check": check.value, "role": role, "above": above or "0"})
    return found


def _types(said: Mapping[str, str]) -> list[dict[str, object]]:
    chosen = ((kind, said.get(f"type_{kind.value}", REFUSED)) for kind in ExceptionType)
    return [
        {"type": kind.value, "roles": [role for role in text.split(",") if role]}
        for kind, text in chosen
        if text != REFUSED
    ]


def _whole(text: str) -> object:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else text[:LONGEST]


def _rows(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _mappings(value: object) -> list[Mapping[str, object]]:
    return [one for one in _rows(value) if isinstance(one, Mapping)]
