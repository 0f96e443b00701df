"""Bits of one 64-bit word of a bit set."""

from collections.abc import Callable
from typing import Any

import numpy as np

from scheduler.domain.allocation.fast.compiling import IS_COMPILING

ONE = np.uint64(1)
NONE = np.uint64(0)
ALL = ~np.uint64(0)
WORD = 64

Counted = Callable[[Any], int]


def _plainly_lowest(word: Any) -> int:
    bits = int(word)
    return (bits & -bits).bit_length() - 1


def _plainly_leading(word: Any) -> int:
    return WORD - int(word).bit_length()


def _plainly_counted(word: Any) -> int:
    return int(word).bit_count()


def _instruction(name: str, plainly: Counted) -> Counted:
    """The machine's own instruction for ``plainly``, by its name in the compiler's builder, where there is one."""
    if not IS_COMPILING:
        return plainly
    from numba.core import types
    from numba.extending import intrinsic

    def signed(context: Any, word: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, words: Any) -> Any:
            of_zero = () if name == "ctpop" else (context.get_constant(types.boolean, 0),)
            return getattr(builder, name)(words[0], *of_zero)

        return types.int64(types.uint64), build

    instruction: Any = intrinsic(signed)
    return instruction


lowest = _instruction("cttz", _plainly_lowest)
"""The place of the lowest bit set in a word that has one."""
leading_zeros = _instruction("ctlz", _plainly_leading)
"""Bits above the highest bit set in a word that has one."""
count = _instruction("ctpop", _plainly_counted)
"""How many bits are set in a word."""
