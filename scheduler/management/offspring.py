"""Children that do not outlive their supervisor, whether it is ended, killed or loses its terminal."""

import ctypes
import os
import signal
import sys
from contextlib import suppress
from functools import partial
from multiprocessing import parent_process
from typing import Any

from honcho.manager import Manager
from honcho.printer import Message, Printer
from honcho.process import Popen, Process

PR_SET_PDEATHSIG = 1  # linux/prctl.h


class Offspring(Manager):
    """honcho's manager; between it and each child stands a fork of it that reads what the child says."""

    def __init__(self) -> None:
        super().__init__(_Terminal(sys.stdout))
        self._process_ctor = _Reader


class _Terminal(Printer):
    def write(self, message: Message) -> None:
        with suppress(OSError):  # it may have been closed
            super().write(message)


class _Reader(Process):
    """The fork; it dies with the supervisor, and so the child is asked to end."""

    def run(self, *words: Any, **options: Any) -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the supervisor ends the child, and this process reads its last
        supervisor = parent_process()
        if supervisor and supervisor.pid:
            end_with_parent(signal.SIGKILL, supervisor.pid)
        self._child_ctor = partial(Popen, preexec_fn=partial(_begin, os.getpid()))
        super().run(*words, **options)


def _begin(parent: int) -> None:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    end_with_parent(signal.SIGTERM, parent)


def end_with_parent(request: signal.Signals, parent: int) -> None:
    """Have Linux send this process the signal when its parent dies; elsewhere nothing is done."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(request))
    if os.getppid() != parent:  # it died before it could be said
        os.kill(os.getpid(), request)
