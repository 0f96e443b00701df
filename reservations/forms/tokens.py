from datetime import timedelta

from django import forms

from reservations.domain.tokens import SCOPE_MEANINGS, Scope

LIVES = ((7, "7 days"), (30, "30 days"), (90, "90 days"), (366, "a year"))


class TokenForm(forms.Form):
    """What a new access token is called, what it may be used for and how long it lives."""

    name = forms.CharField(
        max_length=80,
        help_text="What will use it, so that you know later",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.TypedMultipleChoiceField(
        label="May be used for",
        coerce=Scope,
        choices=[(scope.value, meaning) for scope, meaning in SCOPE_MEANINGS.items()],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose what it may be used for."},
    )
    life = forms.TypedChoiceField(
        label="Expires after", coerce=lambda days: timedelta(days=int(days)), choices=LIVES, initial=90
    )
