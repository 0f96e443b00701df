"""One file per rule, each with its ``RULE``; a file here stands in this tuple."""

RULES: tuple[str, ...] = ("reserved_unused",)
