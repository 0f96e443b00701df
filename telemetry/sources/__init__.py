"""One file per source, each with one ``fetch(question, *, session)``; a file here stands in this tuple."""

SOURCES: tuple[str, ...] = ("ec2", "prometheus", "synthetic", "trace")
