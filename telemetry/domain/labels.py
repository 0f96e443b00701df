"""What pages and charts call the steps of the waterfall; the glossary says what they mean."""

STEP_LABELS: dict[str, str] = {
    "ec2_unused": "not launched",
    "not_joined": "not joined",
    "not_observed": "not observed",
    "unknown": "no telemetry",
    "idle_free": "idle, free",
    "idle_held": "idle, held",
    "idle_unsplit": "idle, not split",
    "owner_busy": "busy, owner",
    "borrower_busy": "busy, borrower",
    "unmanaged_busy": "busy, unmanaged",
    "unattributed_busy": "busy, unattributed",
    "busy_unsplit": "busy, not split",
    "not_accounted": "not accounted",
}
