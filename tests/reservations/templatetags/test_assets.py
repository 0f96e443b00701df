"""Addresses of static files: looked up once, and again where another storage gives them."""

from django.contrib.staticfiles import storage
from django.contrib.staticfiles.storage import StaticFilesStorage

from reservations.templatetags.assets import asset


class Elsewhere(StaticFilesStorage):
    def url(self, name: str) -> str:
        return f"https://static.example/{name}"


def test_a_file_has_the_address_of_the_storage_that_is_in_use(monkeypatch) -> None:
    assert asset("tokens.css") == asset("tokens.css") == "/static/tokens.css"
    monkeypatch.setattr(storage.staticfiles_storage, "_wrapped", Elsewhere())
    assert asset("tokens.css") == "https://static.example/tokens.css"
