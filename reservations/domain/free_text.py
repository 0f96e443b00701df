"""What people write in their own words, as it can be kept."""

import unicodedata

NOT_KEPT = "A text can't hold control characters other than tabs and line breaks."
_KEPT = frozenset("\t\n\r")


def why_not_kept(*texts: str) -> str:
    """Why texts can't be kept, in one sentence; blank where all can: controls (the database takes no NUL) and halves
    of surrogate pairs are not."""
    for text in texts:
        if any(unicodedata.category(one) in ("Cc", "Cs") and one not in _KEPT for one in text):
            return NOT_KEPT
    return ""
