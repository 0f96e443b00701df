"""Chance that is a function of its name: the same words give the same number in every process, for ever."""

from functools import lru_cache
from hashlib import blake2b

NOISE_LENGTH = 64


def _digest(size: int, words: tuple[object, ...]) -> bytes:
    return blake2b("\x1f".join(map(str, words)).encode(), digest_size=size).digest()


@lru_cache(maxsize=65_536)
def chance(*words: object) -> float:
    """A number in 0 ≤ x < 1, even over the words it is asked with."""
    return int.from_bytes(_digest(7, words), "big") / (1 << 56)


def hex_name(length: int, *words: object) -> str:
    """``length`` hexadecimal digits, for ids and names."""
    return _digest((length + 1) // 2, words).hex()[:length]


@lru_cache(maxsize=16_384)
def noise(*words: object) -> bytes:
    """``NOISE_LENGTH`` bytes of noise: one digest pays for that many samples."""
    return _digest(NOISE_LENGTH, words)


@lru_cache(maxsize=16_384)
def wobble(*words: object) -> tuple[float, ...]:
    """``NOISE_LENGTH`` numbers between −0.08 and 0.08."""
    return tuple((byte - 128) / 1600 for byte in noise(*words))
