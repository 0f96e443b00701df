"""One file per rule, each with ``check(facts)``; a file here stands in this tuple."""

RULES: tuple[str, ...] = ()
