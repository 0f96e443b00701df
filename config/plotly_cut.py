"""Cuts plotly's script down to the traces that our figures have, which is a quarter of it: the rest need not be read.

The script is a row of modules, ``var a1=W((e,t)=>{…});``, each run when it is first called as ``a1()``. The last one
registers every trace. It is left with ours, and modules that nothing left calls are taken out. A name that means
something else somewhere only keeps a module more, never one less.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

MODULE = re.compile(r"var [\w$]+=W\(")
DECLARED = re.compile(r"(?:var |,)([\w$]+)=(?:W|Ea)\(")
SHARED = re.compile(r"(?:var |,)([\w$]+)=\{\};Fp\(")
CALLED = re.compile(r"([A-Za-z_$][\w$]*)\(\)")
WORD = re.compile(r"[A-Za-z_$][\w$]*")
REGISTERED = re.compile(r"\.register\(\[((?:[\w$]+\(\),?)+)\]\)")
PASSED_ON = re.compile(r"exports=([\w$]+)\(\)\}\);$")
TRACE = re.compile(r'name:"([a-z0-9]+)"')


class UnableToCut(ValueError):
    """The script is not built as it was; the message says what was missing."""


@dataclass(frozen=True, slots=True)
class _Script:
    head: str
    modules: Sequence[str]
    last: str
    called: dict[str, int]
    shared: dict[str, int]

    def needs(self, text: str) -> set[int]:
        """The modules that a piece of the script asks for."""
        found = {self.called[name] for name in set(CALLED.findall(text)) if name in self.called}
        return found | {self.shared[name] for name in set(WORD.findall(text)) if name in self.shared}

    def trace(self, name: str) -> str:
        """What the module of a name registers, blank where that is no trace."""
        module = self.modules[self.called[name]] if name in self.called else ""
        if passed := PASSED_ON.search(module):
            return self.trace(passed[1])
        told = TRACE.search(module)
        return told[1] if told and 'moduleType:"trace"' in module else ""


def cut_script(script: str, traces: Iterable[str]) -> str:
    """The script with some traces and what they need alone; UnableToCut where it cannot be told what that is."""
    told = _read(script)
    registered = REGISTERED.search(told.last)
    if registered is None:
        raise UnableToCut("plotly's script registers its traces in another way than it did.")
    ours = {told.trace(call.removesuffix("()")): call for call in registered[1].split(",")}
    if missing := sorted(set(traces) - set(ours)):
        raise UnableToCut(f"plotly's script has no trace {', '.join(missing)}.")
    last = told.last.replace(registered[1], ",".join(ours[name] for name in sorted(traces)), 1)
    kept, asked = set(), told.needs(told.head) | told.needs(last)
    while asked - kept:
        new = asked - kept
        kept |= new
        asked = set().union(*(told.needs(told.modules[place]) for place in new))
    return told.head + "".join(text for place, text in enumerate(told.modules) if place in kept) + last


def _read(script: str) -> _Script:
    starts = [match.start() for match in MODULE.finditer(script)]
    if len(starts) < 2:
        raise UnableToCut("plotly's script holds no modules as it did.")
    modules = [script[start:end] for start, end in pairwise(starts)]
    called, shared = {}, {}
    for place, text in enumerate(modules):
        called |= dict.fromkeys(DECLARED.findall(text), place)
        shared |= dict.fromkeys(SHARED.findall(text), place)
    return _Script(script[: starts[0]], modules, script[starts[-1] :], called, shared)
