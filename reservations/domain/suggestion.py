"""How a sentence about an unknown name ends."""

from collections.abc import Collection
from difflib import get_close_matches


def nearest(word: str, known: Collection[str]) -> str:
    """The likely name as a question, else what there is; follows “there is no pool “x””."""
    names = sorted(known)
    if match := get_close_matches(word, names, n=1, cutoff=0.6):
        return f"; did you mean “{match[0]}”?"
    if not names:
        return ": none is configured yet"
    return f"; there is {', '.join(names[:8])}{' …' if len(names) > 8 else ''}"
