"""Raw samples of one hour → one ledger row, exact to the millisecond."""

from telemetry.domain.accounting.hour import Threshold, ledger_hour

__all__ = ["Threshold", "ledger_hour"]
