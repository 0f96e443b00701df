"""The compiler of the allocator's kernels, where there is one; without it the same functions run as they are."""

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

try:
    import numba

    IS_COMPILING = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
except ImportError:
    IS_COMPILING = False

BARE: dict[str, Any] = {"error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
"""Divides as the machine does, and keeps no count of who refers to an array: kernels make none. No C calls them."""
LINKED: dict[str, Any] = BARE | {"no_cpython_wrapper": True}


def compiled(function: Function) -> Function:
    """``function`` in machine code, kept in the compiler's cache; ``function`` itself where nothing compiles.

    It may read and write arrays, not make any. Each such function is optimized again in every one that calls it: have
    few, in few storeys. Other threads run beside it: a page of the same process, or the solver that full mode started.
    """
    if not IS_COMPILING:
        return function
    machine_code: Function = numba.njit(cache=True, nogil=True, **BARE)(function)
    return machine_code


def linked(function: Function) -> Function:
    """The same, for other compiled functions alone to call: without what it takes to be called from Python."""
    if not IS_COMPILING:
        return function
    machine_code: Function = numba.njit(cache=True, **LINKED)(function)
    return machine_code


def inlined(function: Function) -> Function:
    """The same, copied into each compiled function that calls it, and never compiled on its own."""
    if not IS_COMPILING:
        return function
    copied: Function = numba.njit(inline="always", **BARE)(function)
    return copied
