"""Which public functions of services write to the database, and which of them leave an event of the audit trail.

Calls are followed by name through every module of every services folder, from functions to those they name.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tests.architecture.tree import ROOT, python_files

APPS = ("reservations", "telemetry", "scheduler")
ROW_WRITES = frozenset(
    {"create", "bulk_create", "bulk_update", "update_or_create", "get_or_create", "save", "delete", "set_password"}
)
SQL_WRITES = ("INSERT ", "UPDATE ", "DELETE ", "TRUNCATE ", "COPY ")
RECORDS = frozenset({"record_event", "record_changes", "record_export"})

Key = tuple[str, str]


@dataclass
class Function:
    """What one function does by itself, and which others it names."""

    writes: bool = False
    records: bool = False
    names: set[Key] = field(default_factory=set)


def writing_services() -> dict[str, bool]:
    """``module:function`` of every public function that writes, itself or by others: whether an event is left."""
    sources = {}
    for app in APPS:
        for path in python_files(f"{app}/services"):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            sources[module] = path.read_text()
    return writing(sources)


def writing(sources: Mapping[str, str]) -> dict[str, bool]:
    """The same of modules by their names."""
    functions: dict[Key, Function] = {}
    for module, source in sources.items():
        functions |= {(module, name): function for name, function in _functions(module, source)}
    found = {}
    for module, name in functions:
        reached = [functions[key] for key in _reached((module, name), functions)]
        if not name.startswith("_") and any(one.writes for one in reached):
            found[f"{module}:{name}"] = any(one.records for one in reached)
    return found


def _reached(start: Key, functions: Mapping[Key, Function]) -> set[Key]:
    reached: set[Key] = set()
    waiting = [start]
    while waiting:
        key = waiting.pop()
        if key in functions and key not in reached:
            reached.add(key)
            waiting += functions[key].names
    return reached


def _functions(module: str, source: str) -> Iterator[tuple[str, Function]]:
    tree = ast.parse(source)
    imported = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
    texts = {
        target.id: ast.unparse(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    local = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    if module.endswith("__init__") or not local:  # a package that only hands its parts on
        yield from ((name, Function(names={place})) for name, place in imported.items())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, _function(module, node, local, imported, texts)


def _function(
    module: str, node: ast.FunctionDef, local: set[str], imported: Mapping[str, Key], texts: Mapping[str, str]
) -> Function:
    found = Function()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            found.names |= {(module, inner.id)} if inner.id in local else {imported.get(inner.id, ("", ""))}
        elif isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name) and inner.value.id in imported:
            package, name = imported[inner.value.id]
            found.names.add((f"{package}.{name}", inner.attr))
        if isinstance(inner, ast.Call):
            found.writes |= _writes(inner, texts)
            found.records |= _name(inner) in RECORDS
    return found


def _writes(call: ast.Call, texts: Mapping[str, str]) -> bool:
    name = _name(call)
    if not isinstance(call.func, ast.Attribute):
        return name == "bulk_create_with_history"
    if name == "update":  # of rows by names; of a dictionary or a digest by position
        return bool(call.keywords) and not call.args
    if name in ("execute", "executemany", "copy") and call.args:
        first = call.args[0]
        text = texts.get(first.id, "") if isinstance(first, ast.Name) else ast.unparse(first)
        return any(word in f"{text.upper()} " for word in SQL_WRITES)
    return name in ROW_WRITES


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
