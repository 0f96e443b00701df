"""One file or folder per source, each with one ``fetch(question, *, session)``; each stands in this registry.

A usage source has ``open_session()`` too: what it shares over many hours, to be closed when they are done.
"""

USAGE_SOURCES: tuple[str, ...] = ("prometheus", "synthetic")
SOURCES: tuple[str, ...] = (*USAGE_SOURCES, "cost_explorer", "ec2", "price_list", "trace")
