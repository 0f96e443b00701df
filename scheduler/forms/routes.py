"""Where messages go, as a form: what is secret is written into it and never read back."""

from collections.abc import Mapping
from typing import Any

from django import forms

from scheduler.domain.alert.delivery import ChannelName
from scheduler.domain.alert.route import LONGEST_NAME, RouteValues
from scheduler.domain.alert.severity import Severity
from scheduler.selectors.notification_routes import RouteRow

CHANNELS = (
    (ChannelName.EMAIL.value, "e-mail"),
    (ChannelName.APPRISE.value, "chat or pager (an apprise address)"),
    (ChannelName.WEBHOOK.value, "webhook, signed"),
)
LEAST = (
    (Severity.NOTICE.value, "everything"),
    (Severity.WARNING.value, "warnings and what is critical"),
    (Severity.CRITICAL.value, "only what is critical"),
)
AT_ONCE = (
    (Severity.CRITICAL.value, "what is critical"),
    (Severity.WARNING.value, "warnings too"),
    (Severity.NOTICE.value, "everything"),
)
HOURS = tuple((hour, f"{hour:02d}:00") for hour in range(24))
_SECRET = {"autocomplete": "off", "spellcheck": "false"}


def _hour_input() -> forms.TimeInput:
    return forms.TimeInput(attrs={"type": "time"}, format="%H:%M")


class RouteForm(forms.Form):
    """One address and how it wants to be told; ``rules`` are names and titles to choose from."""

    name = forms.CharField(max_length=LONGEST_NAME, label="Name", widget=forms.TextInput(attrs={"autocomplete": "off"}))
    channel = forms.TypedChoiceField(label="By", choices=CHANNELS, coerce=ChannelName)
    address = forms.CharField(required=False, max_length=2000, label="Address", widget=forms.TextInput(attrs=_SECRET))
    secret = forms.CharField(
        required=False,
        max_length=200,
        label="Signing secret",
        help_text="of a webhook; blank: one is made and shown once",
        widget=forms.PasswordInput(attrs={**_SECRET, "autocomplete": "new-password"}),
    )
    least = forms.TypedChoiceField(label="Told of", choices=LEAST, coerce=Severity)
    at_once_from = forms.TypedChoiceField(
        label="At once", choices=AT_ONCE, coerce=Severity, help_text="the rest comes in the day's digest"
    )
    digest_hour = forms.TypedChoiceField(label="Digest at", choices=HOURS, coerce=int, initial=8)
    zone = forms.CharField(
        max_length=64,
        label="Time zone",
        initial="UTC",
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off", "spellcheck": "false"}),
    )
    quiet_from = forms.TimeField(required=False, label="Quiet from", widget=_hour_input())
    quiet_until = forms.TimeField(
        required=False,
        label="Quiet until",
        help_text="what is critical comes nevertheless",
        widget=_hour_input(),
    )
    rules = forms.MultipleChoiceField(
        required=False, label="Only of these rules", widget=forms.CheckboxSelectMultiple, help_text="none: every rule"
    )
    enabled = forms.BooleanField(required=False, initial=True, label="In use")

    def __init__(self, *args: Any, rules: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["rules"].choices = rules

    def values(self) -> RouteValues:
        """What was said, of a form that is valid."""
        said = self.cleaned_data
        return RouteValues(**{**said, "rules": frozenset(said["rules"]), "address": said["address"].strip()})

    def refuse(self, said: Mapping[str, str]) -> None:
        """Put the sentences of a service beside their fields."""
        for name, sentence in said.items():
            self.add_error(name if name in self.fields else None, sentence)


def initial_of(row: RouteRow) -> dict[str, object]:
    """What a form for a route that stands begins with: all but what is secret."""
    plain = ("name", "digest_hour", "zone", "quiet_from", "quiet_until", "enabled")
    return {
        **{name: getattr(row, name) for name in plain},
        "channel": row.channel.value,
        "least": row.least.value,
        "at_once_from": row.at_once_from.value,
        "rules": sorted(row.rules),
    }
