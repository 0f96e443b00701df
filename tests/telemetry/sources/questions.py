"""Questions as tests ask them: the worked hour's pool, with whatever a test changes."""

import dataclasses
from datetime import datetime, timedelta

from reservations.domain.period import Period
from telemetry.domain.sample import UsageQuestion
from tests.telemetry.worked_hour import LABEL, RESERVATION, START


def question(url: str, *, start: datetime = START, hours: int = 1, **changes: object) -> UsageQuestion:
    asked = UsageQuestion(
        source="main",
        url=url,
        period=Period(start, start + timedelta(hours=hours)),
        pool="reserved-h100",
        gpus_per_node=4,
        node_label=LABEL,
        node_values=(RESERVATION,),
        scrape_interval_seconds=30,
        busy_metric="DCGM_FI_PROF_SM_ACTIVE",
        busy_metric_scale=1.0,
        cluster="",
        hostname_label="Hostname",
    )
    return dataclasses.replace(asked, **changes)
