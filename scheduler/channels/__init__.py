"""One file per way out, each with ``send(message)``; a file here stands in this tuple."""

CHANNELS: tuple[str, ...] = ()
