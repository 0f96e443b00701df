"""A provider's tags as texts, whatever was stored in their place."""

import json
from collections.abc import Mapping


def told_tags(said: object) -> dict[str, str]:
    """Each tag as a text, what is no text as JSON writes it; none where it is no mapping."""
    if not isinstance(said, Mapping):
        return {}
    return {str(key): value if isinstance(value, str) else json.dumps(value) for key, value in said.items()}
