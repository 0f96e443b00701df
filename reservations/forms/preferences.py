from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django import forms

from reservations.models.people import check_zone


@cache
def zone_names() -> tuple[str, ...]:
    """The IANA zones to choose from: places and UTC, not the clocks of old machines."""
    places = (name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return ("UTC", *sorted(places))


class PreferencesForm(forms.Form):
    """In which zone a person reads instants, and which saved view they want to see first."""

    zone = forms.CharField(
        required=False,
        max_length=64,
        label="Time zone",
        validators=[check_zone],
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off", "spellcheck": "false"}),
    )
    landing = forms.TypedChoiceField(required=False, label="Open after log-in", coerce=int, empty_value=None)

    def __init__(self, *args: Any, views: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["landing"].choices = [("", "the first page"), *views]
