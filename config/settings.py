"""Everything is read from the environment; the defaults make a laptop work with nothing else installed."""

import os
import re
from pathlib import Path
from urllib.parse import urlsplit

import environ

from config import embedded, logs
from config.compiler_cache import compiler_cache
from config.variables import choice, count, private_networks, switch
from scheduler.domain.policy import ONLINE_LIMITS

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

DATA_DIR = Path(env("MOORAGE_DATA_DIR", default="") or BASE_DIR / ".data").resolve()
# Read when numba is imported: later is too late.
os.environ.setdefault("NUMBA_CACHE_DIR", str(compiler_cache(DATA_DIR, BASE_DIR / "scheduler/domain/allocation")))
DEBUG = switch("DEBUG", default=False)
SECRET_KEY = env("SECRET_KEY", default="") or embedded.secret_key(DATA_DIR)
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])  # former keys: they open, and sign nothing new
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

# Behind TLS unless said otherwise: `make demo` on a laptop says otherwise.
HTTPS = switch("HTTPS", default=True)
SECURE_SSL_REDIRECT = HTTPS
# What links in messages begin with: no request tells a worker where the site is.
PUBLIC_URL = env("PUBLIC_URL", default="") or (
    f"https://{ALLOWED_HOSTS[0].lstrip('.')}" if HTTPS and ALLOWED_HOSTS else "http://127.0.0.1:8000"
)
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
BEHIND_PROXY = switch("BEHIND_PROXY", default=False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
ALLAUTH_TRUSTED_PROXY_COUNT = int(BEHIND_PROXY)  # else everybody would share one limit on tries to log in
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SECURE_REFERRER_POLICY = "same-origin"
# A log-in ends so long after it began, and so long after its last request.
SESSION_LONGEST = 3600 * count("SESSION_LONGEST_HOURS", default=168)
SESSION_IDLE = 3600 * count("SESSION_IDLE_HOURS", default=12)
SESSION_COOKIE_AGE = SESSION_LONGEST
X_FRAME_OPTIONS = "DENY"

INSTALLED_APPS = [
    "reservations",
    "telemetry",
    "scheduler",
    "config.apps.OurAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "config.oidc",
    "allauth.mfa",
    "csp",
    "django_htmx",
    "simple_history",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "config.headers.PermissionsPolicy",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.sessions.SessionAges",
    "config.origins.Origins",
    "config.sign_in.SignInRequired",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.frame.PlainAnswers",
    "simple_history.middleware.HistoryRequestMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.frame.frame",
            ]
        },
    }
]

DATABASE_URL = env("DATABASE_URL", default="")
DATABASES = {"default": env.db_url_config(DATABASE_URL) if DATABASE_URL else embedded.database(DATA_DIR)}
DATABASES["default"] |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}

# redis://, rediss:// or unix:///path/to.sock?db=0
REDIS_URL = env("REDIS_URL", default="") or embedded.redis_url(DATA_DIR)
CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}}

# The servers of the data folder that this process may start: none where both addresses were given.
EMBEDDED = tuple(
    name for name, variable in (("postgres", "DATABASE_URL"), ("valkey", "REDIS_URL")) if not env(variable, default="")
)

AUTH_USER_MODEL = "reservations.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
    "config.admin_site.RoleBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "config.sign_in.AccountAdapter"
SOCIALACCOUNT_ADAPTER = "config.sign_in.SocialAccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # a stranger is not invited to a sign-up that is closed
ACCOUNT_SESSION_REMEMBER = None
ACCOUNT_EMAIL_NOTIFICATIONS = True  # a changed password, a new second factor: its person is told
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_TOTP_ISSUER = "Moorage"
MFA_ADAPTER = "config.sign_in.SecondFactorAdapter"
MFA_TOTP_TOLERANCE = 1  # clocks of telephones are off by some seconds
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS

# Approvers and admins act with a second factor alone; a site on 127.0.0.1 asks nobody for one, and says so.
SECOND_FACTOR = switch("SECOND_FACTOR", default=HTTPS)
# Whether the provider's second factor is one: never, amr (where it says it asked for several), or always.
OIDC_SECOND_FACTOR = choice("OIDC_SECOND_FACTOR", ("never", "amr", "always"))

# One OpenID Connect provider, at which an account of one's own is made by the first log-in.
OIDC = {name: env(f"OIDC_{name}", default="") for name in ("NAME", "ISSUER", "CLIENT_ID", "CLIENT_SECRET")}
OIDC_APP = {
    "provider_id": "oidc",
    "name": OIDC["NAME"] or "Single sign-on",
    "client_id": OIDC["CLIENT_ID"],
    "secret": OIDC["CLIENT_SECRET"],
    "settings": {"server_url": OIDC["ISSUER"], "oauth_pkce_enabled": True},
}
SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [OIDC_APP] if OIDC["ISSUER"] else []}}
OIDC_ORIGIN = "{0.scheme}://{0.netloc}".format(urlsplit(OIDC["ISSUER"])) if OIDC["ISSUER"] else ""

vars().update(env.email_url("EMAIL_URL", default="consolemail://"))
DEFAULT_FROM_EMAIL = env("DEFAULT_FROM_EMAIL", default="moorage@localhost")
SERVER_EMAIL = DEFAULT_FROM_EMAIL

DATA_UPLOAD_MAX_MEMORY_SIZE = ONLINE_LIMITS.scenario_bytes  # the largest body that is no file

# What hooks and webhooks may be called in besides the public network; a site on 127.0.0.1 calls its own machine.
PRIVATE_NETWORKS = private_networks("MOORAGE_PRIVATE_NETWORKS", default=() if HTTPS else ("127.0.0.0/8", "::1/128"))

# Of one person, through however many tokens.
API_CALLS_A_MINUTE = count("API_CALLS_A_MINUTE", default=600)

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "config.plotly_asset.PlotlyFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_IMMUTABLE_FILE_TEST = re.compile(r"^.+\.[0-9a-f]{12}\..+$")

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:", "blob:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'", *filter(None, [OIDC_ORIGIN])],  # the log-in form leads on to the provider
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}

# The same address as kombu spells it for a socket.
CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://").replace("?db=", "?virtual_host=")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_DEFAULT_QUEUE = "compute"
CELERY_TIMEZONE = "UTC"

HOUR_DETAILS_DAYS = count("MOORAGE_HOUR_DETAILS_DAYS", default=100)
INSTANCE_HISTORY_DAYS = count("MOORAGE_INSTANCE_HISTORY_DAYS", default=400)

LOGGING = logs.configuration(level=env("LOG_LEVEL", default="INFO"), form=env("LOG_FORMAT", default="console"))
