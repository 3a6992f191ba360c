from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import User


class SignupForm(forms.Form):
    """What sign-up asks beside address and password (allauth adds those)."""

    name = forms.CharField(
        label=_("Your name"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )

    def signup(self, request: HttpRequest, user: User) -> None:
        user.name = self.cleaned_data["name"]
        user.save(update_fields=["name"])
