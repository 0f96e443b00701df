import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from tests.fixtures.commands import Manage, clean_environment
from tests.fixtures.parts import ROOT

OIDC = {
    "OIDC_ISSUER": "https://id.example.com/realms/a",
    "OIDC_CLIENT_ID": "moorage",
    "OIDC_CLIENT_SECRET": "s3cr3t",
    "OIDC_NAME": "Example",
}


def settings_with(data_dir: Path, expression: str, **variables: str) -> Any:
    """The value of an expression over the settings of a process with these variables."""
    code = f"import json; from django.conf import settings; print(json.dumps({expression}))"
    environment = clean_environment(data_dir, **variables)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.django_db
def test_a_page_carries_the_headers_that_keep_others_out(client: Client) -> None:
    headers = client.get("/accounts/login/").headers
    policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["form-action"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.django_db
def test_nobody_makes_an_account_at_the_door(client: Client) -> None:
    form = {"username": "eve", "password1": "a long enough one 17", "password2": "a long enough one 17"}
    client.post("/accounts/signup/", form)
    assert not get_user_model().objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/admin/", "/admin/login/"])
def test_every_door_leads_to_the_one_log_in(client: Client, path: str) -> None:
    answer = client.get(path, follow=True)
    assert answer.redirect_chain[-1][0].startswith("/accounts/login/")


def test_the_provider_of_log_ins_comes_from_the_environment(data_dir: Path) -> None:
    expression = "[settings.SOCIALACCOUNT_PROVIDERS, settings.CONTENT_SECURITY_POLICY['DIRECTIVES']['form-action']]"
    providers, form_action = settings_with(data_dir, expression, **OIDC)
    (app,) = providers["openid_connect"]["APPS"]
    assert (app["name"], app["client_id"], app["secret"]) == ("Example", "moorage", "s3cr3t")
    assert app["settings"]["server_url"] == OIDC["OIDC_ISSUER"]
    assert form_action == ["'self'", "https://id.example.com"]


@pytest.mark.django_db
def test_the_log_in_page_offers_the_provider(client: Client, settings: Any) -> None:
    app = {"provider_id": "oidc", "name": "Example", "client_id": "moorage", "secret": "s3cr3t"}
    app["settings"] = {"server_url": OIDC["OIDC_ISSUER"]}
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [app]}}
    assert "/accounts/oidc/oidc/login/" in client.get("/accounts/login/").content.decode()
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": []}}
    assert "/accounts/oidc/" not in client.get("/accounts/login/").content.decode()


@pytest.mark.parametrize(
    ("variables", "finding"),
    [
        ({"ALLOWED_HOSTS": "moorage.example.com", "HTTPS": "0"}, "moorage.W001"),
        ({"ALLOWED_HOSTS": "moorage.example.com", "HTTPS": "1", "DEBUG": "1"}, "moorage.E001"),
        ({"DATABASE_URL": "sqlite:///moorage.db"}, "moorage.E002"),
        ({"REDIS_URL": "memcache://127.0.0.1"}, "moorage.E003"),
        ({"OIDC_ISSUER": "https://id.example.com"}, "moorage.E004"),
    ],
)
def test_a_combination_that_cannot_be_meant_is_told_at_start(
    manage: Manage, variables: dict[str, str], finding: str
) -> None:
    said = manage("check", "--fail-level", "WARNING", **variables)
    assert said.returncode == 1
    assert finding in said.stderr
    assert "HINT" in said.stderr


def test_production_settings_pass_every_deployment_check(manage: Manage) -> None:
    said = manage("check", "--deploy", "--fail-level", "WARNING", HTTPS="1", ALLOWED_HOSTS="moorage.example.com")
    assert said.returncode == 0, said.stderr


def test_mail_and_cookies_follow_the_environment(data_dir: Path) -> None:
    expression = (
        "[settings.EMAIL_HOST, settings.EMAIL_USE_TLS, settings.SESSION_COOKIE_SECURE, settings.SECURE_SSL_REDIRECT]"
    )
    smtp = "smtp+tls://u:p@mail.example.com:587"
    assert settings_with(data_dir, expression, EMAIL_URL=smtp) == ["mail.example.com", True, False, False]
    assert settings_with(data_dir, expression, EMAIL_URL=smtp, HTTPS="1")[2:] == [True, True]


@pytest.mark.parametrize(
    ("given", "broker"),
    [
        ("redis://:p@cache.example.com:6379/3", "redis://:p@cache.example.com:6379/3"),
        ("unix:///run/valkey.sock?db=5", "redis+socket:///run/valkey.sock?virtual_host=5"),
    ],
)
def test_cache_and_broker_take_one_address_each_in_its_spelling(data_dir: Path, given: str, broker: str) -> None:
    expression = "[settings.CACHES['default']['LOCATION'], settings.CELERY_BROKER_URL]"
    assert settings_with(data_dir, expression, REDIS_URL=given) == [given, broker]


@pytest.mark.parametrize("name", ["HTTPS", "DEBUG", "BEHIND_PROXY"])
@pytest.mark.parametrize("word", ["maybe", "enabled"])
def test_a_switch_that_is_neither_on_nor_off_is_refused_in_one_sentence(manage: Manage, name: str, word: str) -> None:
    result = manage("check", **{name: word})
    assert result.returncode == 1
    assert result.stderr.startswith(f"manage.py: {name}='{word}' is neither on nor off")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("days", ["0", "-3", "2.5", "many", "99999999"])
def test_a_number_of_days_that_is_none_is_refused_in_one_sentence(manage: Manage, days: str) -> None:
    result = manage("check", MOORAGE_HOUR_DETAILS_DAYS=days)
    assert result.returncode == 1
    assert result.stderr == f"manage.py: MOORAGE_HOUR_DETAILS_DAYS='{days}' must be a whole number of 1 or more\n"


def test_a_private_network_that_is_none_is_refused_in_one_sentence(manage: Manage) -> None:
    result = manage("check", MOORAGE_PRIVATE_NETWORKS="10.0.0.0/8,10.0.0.1/8")
    assert result.returncode == 1
    sentence = "MOORAGE_PRIVATE_NETWORKS: “10.0.0.1/8” is not a network: write it as 10.0.0.0/8."
    assert result.stderr == f"manage.py: {sentence}\n"


def test_only_a_site_on_this_machine_calls_it_without_being_told(data_dir: Path) -> None:
    expression = "[str(one) for one in settings.PRIVATE_NETWORKS]"
    own = {"SECRET_KEY": "x" * 50}
    assert settings_with(data_dir, expression, HTTPS="1", **own) == []
    assert settings_with(data_dir, expression, HTTPS="0", MOORAGE_PRIVATE_NETWORKS="", **own) == [
        "127.0.0.0/8",
        "::1/128",
    ]
    assert settings_with(data_dir, expression, MOORAGE_PRIVATE_NETWORKS="10.0.0.0/8", **own) == ["10.0.0.0/8"]


def test_an_empty_variable_counts_as_unset(data_dir: Path) -> None:
    expression = "[str(settings.DATA_DIR), settings.HTTPS, settings.DEBUG]"
    empty = {"MOORAGE_DATA_DIR": "", "HTTPS": "", "DEBUG": "", "SECRET_KEY": "x" * 50}
    assert settings_with(data_dir, expression, **empty) == [str(ROOT / ".data"), True, False]


def test_a_database_that_cannot_be_reached_is_told_in_one_sentence(manage: Manage) -> None:
    result = manage("migrate", DATABASE_URL="postgres://u:hush@127.0.0.1:1/m")
    assert result.returncode == 1
    assert result.stderr.startswith("manage.py: the database cannot be reached: ")
    assert result.stderr.count("\n") == 1
    assert "hush" not in result.stderr


def test_a_python_without_django_is_told_which_one_to_use_in_one_sentence(data_dir: Path) -> None:
    bare = [sys.executable, "-S", "manage.py", "usage"]  # -S: without what is installed
    result = subprocess.run(
        bare, cwd=ROOT, env=clean_environment(data_dir), capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode == 1
    told = "this Python has no Django: run make setup, then .venv/bin/python manage.py"
    assert result.stderr == f"manage.py: {told}\n"


@pytest.mark.django_db
def test_a_stranger_who_asks_for_a_new_password_gets_no_mail(client: Client, mailoutbox: list[Any]) -> None:
    assert client.post("/accounts/password/reset/", {"email": "eve@example.com"}).status_code == 302
    assert mailoutbox == []


def test_a_database_without_our_tables_asks_for_migrate_in_one_sentence(manage: Manage) -> None:
    result = manage("sync_reservations")
    assert result.returncode == 1
    assert result.stderr == "manage.py: the database lacks tables of this version: run manage.py migrate first\n"
    assert result.stdout == ""
