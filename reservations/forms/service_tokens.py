from collections.abc import Iterable
from datetime import timedelta

from django import forms

from reservations.domain.access import Role
from reservations.domain.tokens import SCOPE_MEANINGS, SERVICE_ROLES, SERVICE_SCOPES, Scope
from reservations.forms.tokens import LIVES


class ServiceTokenForm(forms.Form):
    """What a program is called, which team answers for it, and what it may do."""

    name = forms.CharField(
        max_length=80,
        help_text="What the program is, as the trail will name it",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    owner = forms.ChoiceField(label="Team that answers for it")
    role = forms.TypedChoiceField(coerce=Role, choices=[(role.value, role.value) for role in SERVICE_ROLES])
    whole_organisation = forms.BooleanField(
        label="Its role is for the whole organisation, and not for its team's objects alone", required=False
    )
    scopes = forms.TypedMultipleChoiceField(
        label="May be used for",
        coerce=Scope,
        choices=[(scope.value, SCOPE_MEANINGS[scope]) for scope in SERVICE_SCOPES],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose what it may be used for."},
    )
    life = forms.TypedChoiceField(
        label="Expires after", coerce=lambda days: timedelta(days=int(days)), choices=LIVES, initial=90
    )

    def __init__(self, *args: object, teams: Iterable[str], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["owner"].choices = [(team, team) for team in teams]
