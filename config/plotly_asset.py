"""Publishes the one file of the plotly wheel that pages need, cut down to what our figures draw."""

import hashlib
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import plotly
import structlog
from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage, Storage

from config import plotly_cut

WHOLE = Path(plotly.__file__).parent / "package_data"
FILE = "plotly.min.js"
TRACES = ("bar", "heatmap")
"""What figures are made of, besides lines and points, which plotly always has."""

log = structlog.get_logger(__name__)


class PlotlyFinder(BaseFinder):
    """Finds ``plotly/plotly.min.js``."""

    def find(self, path: str, find_all: bool = False, **_: object) -> str | list[str]:
        if path != f"plotly/{FILE}":
            return []
        found = str(folder() / FILE)
        return [found] if find_all else found

    def list(self, ignore_patterns: object) -> Iterator[tuple[str, Storage]]:
        storage = FileSystemStorage(location=folder())
        storage.prefix = "plotly"
        yield FILE, storage


@lru_cache(maxsize=1)
def folder() -> Path:
    """Where the file is: cut once for each version and kept in the data folder; the wheel's own where it can't be."""
    script = (WHOLE / FILE).read_bytes()
    way = Path(plotly_cut.__file__).read_bytes()
    kept = (
        settings.DATA_DIR
        / "plotly"
        / hashlib.sha256(b"".join((script, way, *map(str.encode, TRACES)))).hexdigest()[:12]
    )
    if (kept / FILE).exists():
        return kept
    try:
        cut = plotly_cut.cut_script(script.decode(), TRACES)
    except plotly_cut.UnableToCut as unable:
        log.warning("plotly is published whole", why=str(unable))
        return WHOLE
    kept.mkdir(parents=True, exist_ok=True)
    draft = kept / f"{FILE}.{os.getpid()}"
    draft.write_text(cut)
    draft.replace(kept / FILE)  # another process may read it already
    return kept
