"""What people write in their own words, as it can be kept."""

import unicodedata

NOT_KEPT = "A text can't hold control characters other than tabs and line breaks."
_KEPT = frozenset("\t\n\r")


def why_no_reason(reason: str, *, longest: int, needed: bool = True) -> str:
    """Why a text is no reason that can be kept, in one sentence; blank where it is one, or where none is needed."""
    if needed and not reason.strip():
        return "Say why: a reason is needed."
    if len(reason) > longest:
        return f"The reason is longer than {longest} characters."
    return why_not_kept(reason)


def why_not_kept(*texts: str) -> str:
    """Why texts can't be kept, in one sentence; blank where all can: controls (the database takes no NUL) and halves
    of surrogate pairs are not."""
    for text in texts:
        if any(unicodedata.category(one) in ("Cc", "Cs") and one not in _KEPT for one in text):
            return NOT_KEPT
    return ""
