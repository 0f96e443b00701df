"""How much an alert presses."""

from enum import StrEnum


class Severity(StrEnum):
    """``notice``: worth knowing; ``warning``: costs money or will; ``critical``: work or money is lost within hours."""

    NOTICE = "notice"
    WARNING = "warning"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        """Its place in the order of pressing: 0, 1, 2."""
        return list(Severity).index(self)
