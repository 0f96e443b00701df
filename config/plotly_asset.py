"""Publishes the one file of the plotly wheel that pages need, and nothing else of it."""

from collections.abc import Iterator
from pathlib import Path

import plotly
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage, Storage

FOLDER = Path(plotly.__file__).parent / "package_data"
FILE = "plotly.min.js"


class PlotlyFinder(BaseFinder):
    """Finds ``plotly/plotly.min.js``."""

    def find(self, path: str, find_all: bool = False, **_: object) -> str | list[str]:
        found = path == f"plotly/{FILE}"
        if find_all:
            return [str(FOLDER / FILE)] if found else []
        return str(FOLDER / FILE) if found else []

    def list(self, ignore_patterns: object) -> Iterator[tuple[str, Storage]]:
        storage = FileSystemStorage(location=FOLDER)
        storage.prefix = "plotly"
        yield FILE, storage
