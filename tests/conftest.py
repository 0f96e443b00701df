"""Where tests keep their servers: a data folder of their own, so that a running demo is left alone."""

import os
from pathlib import Path

os.environ.setdefault("MOORAGE_DATA_DIR", str(Path(__file__).resolve().parent.parent / ".data" / "test"))
os.environ.setdefault("HTTPS", "0")
