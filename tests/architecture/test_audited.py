"""Whatever writes is either written down in the audit trail, or stands here with the reason why it is not.

Not a list of what is recorded, which would be forgotten, but of what is not: a new service that writes, a new address
that takes a POST, a new call that changes something fails here until somebody decides.
"""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib import admin
from django.urls import URLPattern, URLResolver, get_resolver

from config.admin_audit import Audited
from reservations.domain.audit_chain import AuditAct
from tests.architecture.recording import writing, writing_services
from tests.architecture.tree import ROOT

OBSERVED = "a machine saw or worked it out: no person acted"
IN_PART = "a part of an act that whoever calls it records"
OWN = "somebody's own, which nobody's rights, money or numbers rest on"
USE = "when a secret was last used, to ten minutes"
SAID = "a remark kept with its author, which changes nothing"

UNRECORDED = {
    "reservations.services.audit": "the trail itself",
    "reservations.services.backing:back_pool_from": IN_PART,
    "reservations.services.backing:write_backings": IN_PART,
    "reservations.services.commitment_reports": OBSERVED,
    "reservations.services.configuration": IN_PART,
    "reservations.services.effective_dating": IN_PART,
    "reservations.services.exceptions:attach_file": "a file of a draft: submitting tells its hash",
    "reservations.services.exceptions:remove_file": "a file of a draft: submitting tells its hash",
    "reservations.services.exceptions.drafting:attach_file": "a file of a draft: submitting tells its hash",
    "reservations.services.exceptions.drafting:remove_file": "a file of a draft: submitting tells its hash",
    "reservations.services.exceptions.acting:keep_move": IN_PART,
    "reservations.services.exceptions.acting:note_writer": IN_PART,
    "reservations.services.exceptions.carrying": IN_PART,
    "reservations.services.instance_history": OBSERVED,
    "reservations.services.memberships": "what the pools' rules say, which are configuration and recorded as that",
    "reservations.services.preferences": OWN,
    "reservations.services.reservation_notes:add_note": SAID,
    "reservations.services.saved_views": OWN,
    "reservations.services.service_tokens:note_service_token_use": USE,
    "reservations.services.size_spans": OBSERVED,
    "reservations.services.sweeps": OBSERVED,
    "reservations.services.tokens:note_token_use": USE,
    "reservations.services.vanishing": OBSERVED,
    "telemetry.services.asked": OBSERVED,
    "telemetry.services.collection": OBSERVED,
    "telemetry.services.commitments": OBSERVED,
    "telemetry.services.configuration": IN_PART,
    "telemetry.services.days": OBSERVED,
    "telemetry.services.demand": OBSERVED,
    "telemetry.services.details": OBSERVED,
    "telemetry.services.ledger": OBSERVED,
    "telemetry.services.mending": OBSERVED,
    "telemetry.services.queue_days": OBSERVED,
    "telemetry.services.recollecting": "works off what somebody asked for, which is recorded",
    "telemetry.services.retention": OBSERVED,
    "telemetry.services.sync": OBSERVED,
    "scheduler.services.alerts:check_alerts": OBSERVED,
    "scheduler.services.alerts:comment_on_alert": SAID,
    "scheduler.services.alerts:forget_old_alerts": OBSERVED,
    "scheduler.services.alerts.checking": OBSERVED,
    "scheduler.services.alerts.moves:comment_on_alert": SAID,
    "scheduler.services.alerts.owing": OBSERVED,
    "scheduler.services.alerts.retention": OBSERVED,
    "scheduler.services.alerts.turning": OBSERVED,
    "scheduler.services.allocation": OWN,
    "scheduler.services.background_runs": OBSERVED,
    "scheduler.services.block_clock:watch_blocks": OBSERVED,
    "scheduler.services.block_clock.leases": OBSERVED,
    "scheduler.services.block_clock.passing": OBSERVED,
    "scheduler.services.block_clock.recording": OBSERVED,
    "scheduler.services.block_clock.registering:add_durations": "measured by the job",
    "scheduler.services.calendar:note_feed_read": USE,
    "scheduler.services.calendar:refresh_calendar": OBSERVED,
    "scheduler.services.calendar.feeds:note_feed_read": USE,
    "scheduler.services.calendar.refreshing": OBSERVED,
    "scheduler.services.configuration.growth": IN_PART,
    "scheduler.services.configuration.purchases": IN_PART,
    "scheduler.services.deliveries": OBSERVED,
    "scheduler.services.demo.slices": "days of the demo, measured by its own Prometheus",
    "scheduler.services.notification_routes:test_route": "one message to an address that is recorded",
    "scheduler.services.recommendations:recommend": OBSERVED,
    "scheduler.services.recommendations.making": OBSERVED,
    "scheduler.services.replay": OWN,
    "scheduler.services.scenarios": OWN,
}
"""A module, or a function of one, with the reason why what it writes is no event."""

WITHOUT_EVENT = {
    "reservations:me": OWN,
    "reservations:views": OWN,
    "reservations:view": OWN,
    "reservations:view-delete": OWN,
    "reservations:note": SAID,
    "scheduler:allocator-new": OWN,
    "scheduler:allocator-forget": OWN,
    "scheduler:allocator-full-ask": OWN,
    "scheduler:allocator-full-cancel": OWN,
    "scheduler:replay-ask": OWN,
    "scheduler:replay-cancel": OWN,
}
"""Addresses that take a POST and whose services stand above."""


def reason_of(service: str) -> str | None:
    """The entry that covers ``module:function``: its own, its module's, or a package's that its module is in."""
    module = service.partition(":")[0]
    packages = [module.rsplit(".", cut)[0] for cut in range(module.count("."))]
    return next((name for name in (service, module, *packages) if name in UNRECORDED), None)


def test_every_service_that_writes_leaves_an_event_or_says_why_not() -> None:
    services = writing_services()
    assert len(services) > 100, "the walk found next to nothing: it is broken"
    silent = [name for name, records in services.items() if not records and reason_of(name) is None]
    assert silent == []


def test_no_reason_is_left_behind() -> None:
    silent = {reason_of(name) for name, records in writing_services().items() if not records}
    assert set(UNRECORDED) - silent == set()


PLANTED = {
    "app.services.deep": "def store(row):\n    row.save()\n",
    "app.services": "from app.services.deep import store\n",
    "app.services.acts": (
        "from app.services import store\nfrom audit import record_event\n"
        "SQL = 'UPDATE things SET a = 1'\n"
        "def silent(row):\n    _inner(row)\n"
        "def told(row):\n    _inner(row)\n    record_event()\n"
        "def plain(cursor):\n    cursor.execute(SQL)\n"
        "def reads(found, cursor):\n    found.update({'a': 1})\n    cursor.execute('SELECT 1')\n"
        "def _inner(row):\n    store(row)\n"
    ),
}


def test_a_planted_service_that_writes_in_silence_is_seen() -> None:
    found = writing(PLANTED)
    assert found["app.services.acts:silent"] is False
    assert found["app.services.acts:plain"] is False
    assert found["app.services.acts:told"] is True
    assert "app.services.acts:reads" not in found


def test_every_admin_of_every_model_is_one_that_leaves_events() -> None:
    assert [model for model, one in admin.site._registry.items() if not isinstance(one, Audited)] == []


def posts() -> Iterator[tuple[str, object]]:
    """Every address of ours that takes a POST, with its view."""
    for name, view in _patterns(get_resolver(), ""):
        module = inspect.getmodule(view)
        ours = module is not None and module.__name__.split(".")[0] in ("reservations", "telemetry", "scheduler")
        if ours and "POST" in _methods(view):
            yield name, view


def _patterns(resolver: URLResolver, space: str) -> Iterator[tuple[str, object]]:
    for one in resolver.url_patterns:
        if isinstance(one, URLResolver):
            yield from _patterns(one, one.namespace or space)
        elif isinstance(one, URLPattern) and one.name:
            yield f"{space}:{one.name}", inspect.unwrap(one.callback)


def _methods(view: object) -> str:
    """The decorators of a view as they are written, with the names of the methods it takes."""
    source = Path(inspect.getsourcefile(view) or "").read_text()  # type: ignore[arg-type]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name == getattr(view, "__name__", ""):
            told = " ".join(ast.unparse(one) for one in node.decorator_list)
            return "" if "require_safe" in told else told.upper() or "POST"
    return ""


def _services(view: object) -> set[str]:
    """The functions of services that a view's module imports, or another view's that it imports something of."""
    own = _imports(Path(inspect.getsourcefile(view) or ""))  # type: ignore[arg-type]
    others = {ROOT / f"{module.replace('.', '/')}.py" for module, _ in own if ".views." in module}
    found = own.union(*(_imports(path) for path in others if path.exists()))
    return {f"{module}:{name}" for module, name in found if ".services" in module}


def _imports(path: Path) -> set[tuple[str, str]]:
    return {
        (node.module, alias.name)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }


def test_every_address_that_takes_a_post_leads_to_a_service_that_leaves_an_event() -> None:
    services = writing_services()
    found = dict(posts())
    assert len(found) > 25, "the walk found next to nothing: it is broken"
    silent = {name for name, view in found.items() if not any(services.get(service) for service in _services(view))}
    assert silent - set(WITHOUT_EVENT) == set()
    assert set(WITHOUT_EVENT) - set(found) == set()


def test_acts_are_words_for_the_column_and_none_is_called_twice() -> None:
    assert all(len(act) <= 64 and act.replace("_", "").isalpha() and act.islower() for act in AuditAct)
    assert len({act.value for act in AuditAct}) == len(AuditAct.__members__)


@pytest.mark.parametrize("table", [UNRECORDED, WITHOUT_EVENT])
def test_every_reason_is_one(table: dict[str, str]) -> None:
    assert all(len(reason) > 10 for reason in table.values())
