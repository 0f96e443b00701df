"""The product's settings on the tests' own data folder, so that a running demo is left alone."""

import os
import re
from pathlib import Path

os.environ.setdefault("MOORAGE_DATA_DIR", str(Path(__file__).resolve().parent.parent / ".data" / "test"))
os.environ.setdefault("HTTPS", "0")

from config.settings import *  # noqa: F403
from config.settings import CACHES, DATA_DIR, EMBEDDED, REDIS_URL, STATIC_ROOT

# Every parallel worker has a database of its own in Valkey too; number 0 is the product's.
_worker = os.environ.get("PYTEST_XDIST_WORKER", "")
_number = 1 + int(_worker.removeprefix("gw")) % 62 if _worker else 63
if "valkey" in EMBEDDED:
    from config import embedded

    REDIS_URL = embedded.redis_url(DATA_DIR, _number)
else:
    REDIS_URL = re.sub(r"(?<=[^/])(/\d*)?$", f"/{_number % 16}", REDIS_URL, count=1)
CACHES["default"]["LOCATION"] = REDIS_URL
CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://").replace("?db=", "?virtual_host=")

# What only costs time in a test: slow password hashes, and names of static files with their content's hash.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
