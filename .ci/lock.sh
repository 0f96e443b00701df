#!/bin/sh
# Makes requirements.lock anew: pinned, with the hashes of every platform, naming no index.
set -eu
cd "$(dirname "$0")/.."

uv=$(command -v uv || echo .data/uv/bin/uv)
if [ ! -x "$uv" ]; then
    python3 -m venv .data/uv
    .data/uv/bin/python -m pip install --quiet --disable-pip-version-check uv
fi
"$uv" pip compile pyproject.toml --extra test --universal --python-version 3.11 \
    --generate-hashes --no-annotate --no-header --quiet -o requirements.lock >/dev/null
