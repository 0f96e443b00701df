"""The demo's object storage: one trainer's last checkpoint, damaged on its way, as S3 would answer for it."""

import json
from collections.abc import Mapping
from uuid import NAMESPACE_URL, UUID, uuid5

BUCKET = "moorage-demo"
DAMAGED = f"s3://{BUCKET}/damaged"
"""Below it, every prefix holds a checkpoint of which one object is not what its manifest says."""

WEIGHTS = b"half of what was written"
MANIFEST = "moorage-checkpoint.json"


def demo_stop_request(location: str) -> UUID:
    """The one stop request that the checkpoint at a location answers."""
    return uuid5(NAMESPACE_URL, location)


def stored(path: str) -> bytes | None:
    """What stands at ``/bucket/key``; None: nothing."""
    location, _, name = f"s3:/{path.partition('?')[0]}".rpartition("/")
    if not location.startswith(f"{DAMAGED}/"):
        return None
    return _objects(location).get(name)


def _objects(location: str) -> Mapping[str, bytes]:
    told = {"stop_request": str(demo_stop_request(location)), "objects": {"weights.bin": "0" * 64}}
    return {MANIFEST: json.dumps(told).encode(), "weights.bin": WEIGHTS}
