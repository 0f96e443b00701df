"""What the single settings allow and their combination does not: told at start, with a number and a hint."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

LOCAL_HOSTS = {"localhost", "127.0.0.1", "[::1]", "testserver"}


@register()
def settings_fit_together(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Every finding about the settings as a whole."""
    return [*_exposure(), *_servers(), *_single_sign_on()]


def _exposure() -> list[CheckMessage]:
    public = sorted(set(settings.ALLOWED_HOSTS) - LOCAL_HOSTS)
    if not public:
        return []
    found: list[CheckMessage] = []
    if settings.DEBUG:
        hint = "Unset DEBUG: its error pages show settings and code to whoever can reach the site."
        found.append(Error(f"DEBUG is on while the site answers as {', '.join(public)}.", hint=hint, id="moorage.E001"))
    if not settings.HTTPS:
        hint = "Unset HTTPS=0 and let a proxy speak TLS (with BEHIND_PROXY=1), or serve 127.0.0.1 only."
        text = f"HTTPS is off while the site answers as {', '.join(public)}: passwords would travel in the clear."
        found.append(Warning(text, hint=hint, id="moorage.W001"))
    return found


def _servers() -> list[CheckMessage]:
    found: list[CheckMessage] = []
    engine = settings.DATABASES["default"]["ENGINE"]
    if engine not in ("config.embedded_postgres", "django.db.backends.postgresql"):
        hint = "Write it as postgres://user:password@host:5432/name, or unset it to use the embedded server."
        found.append(Error("DATABASE_URL does not name a PostgreSQL server.", hint=hint, id="moorage.E002"))
    if not settings.REDIS_URL.startswith(("redis://", "rediss://", "unix://")):
        hint = "Write it as redis://host:6379/0, rediss://… or unix:///path?db=0, or unset it."
        found.append(Error("REDIS_URL does not name a Redis or Valkey server.", hint=hint, id="moorage.E003"))
    return found


def _single_sign_on() -> list[CheckMessage]:
    given = {name for name in ("ISSUER", "CLIENT_ID", "CLIENT_SECRET") if settings.OIDC[name]}
    missing = sorted({"ISSUER", "CLIENT_ID", "CLIENT_SECRET"} - given)
    if not given or not missing:
        return []
    names = ", ".join(f"OIDC_{name}" for name in missing)
    hint = f"Set {names} too, or none of the OIDC variables."
    return [Error("Single sign-on is configured by half.", hint=hint, id="moorage.E004")]
