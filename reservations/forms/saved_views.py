from django import forms
from django.urls import Resolver404, resolve

from reservations.domain.site_path import LONGEST, UnableToKeepPath, site_path


class ViewForm(forms.Form):
    """What a saved view is called, and whether others see it in their list."""

    name = forms.CharField(
        max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": "Give it a name."},
    )
    shared = forms.BooleanField(required=False, label="Share it with everybody")


class SaveViewForm(ViewForm):
    """A view to be kept: its name and the address of a page of this site."""

    path = forms.CharField(max_length=LONGEST, widget=forms.HiddenInput, strip=False)

    def clean_path(self) -> str:
        """The address without its fragment, when a page stands there."""
        try:
            path = site_path(self.cleaned_data["path"])
            resolve(path.partition("?")[0])
        except UnableToKeepPath as unable:
            sentence = str(unable)
            raise forms.ValidationError(f"{sentence[0].upper()}{sentence[1:]}.") from unable
        except Resolver404 as nowhere:
            raise forms.ValidationError("No page of this site stands at that address.") from nowhere
        return path
