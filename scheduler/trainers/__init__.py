"""One file per way to reach a trainer or its checkpoints; a file here stands in this tuple."""

TRAINERS: tuple[str, ...] = ("checkpoint_store", "stop_hook")
