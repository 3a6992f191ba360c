"""Who holds the keys of an election, and what their browsers send."""

from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from governance.actions.share import Dealt
from portal.accounts.models import User


class PeopleField(forms.CharField):
    """People by the addresses of their accounts, one in a line."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("widget", forms.Textarea(attrs={"rows": 3, "autocapitalize": "none"}))
        super().__init__(max_length=2000, **kwargs)

    def clean(self, value: Any) -> Any:
        lines = [line.strip() for line in (super().clean(value) or "").splitlines()]
        return [_person(line) for line in dict.fromkeys(filter(None, lines))]


def _person(email: str) -> User:
    validate_email(email)
    user = User.objects.filter(email__iexact=email, is_active=True).first()
    if user is None:
        raise ValidationError(
            _("Nobody has an account with the address %(email)s. Ask them to sign up first.")
            % {"email": email}
        )
    return user


class KeyHoldersForm(forms.Form):
    """Scrutineers, whom a sealed election needs, and officers."""

    scrutineers = PeopleField(
        label=gettext_lazy("Scrutineers"),
        required=False,
        help_text=gettext_lazy(
            "Each keeps a share of the key that opens the ballots. Addresses, one in a line. "
            "Choose people who do not depend on each other."
        ),
    )
    officers = PeopleField(
        label=gettext_lazy("Officers who sign"),
        help_text=gettext_lazy(
            "Two who sign what is fixed before voting opens. Addresses, one in a line."
        ),
    )

    def __init__(self, *args: Any, is_sealed: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["scrutineers"].required = is_sealed

    def clean_officers(self) -> list[User]:
        found: list[User] = self.cleaned_data["officers"]
        if len(found) != 2:
            raise ValidationError(_("Name two people."))
        return found


class KeyForm(forms.Form):
    key = forms.CharField(max_length=100)
    nonce_sha256 = forms.CharField(max_length=64, required=False)


class DealForm(forms.Form):
    """The election key, and for each scrutineer in their order a sealed share."""

    election_key = forms.CharField(max_length=100)

    @property
    def shares(self) -> list[Dealt]:
        data = cast(QueryDict, self.data)
        sealed, commitments = data.getlist("sealed_share"), data.getlist("commitment")
        return [Dealt(*pair) for pair in zip(sealed, commitments, strict=False)]


class ConfirmForm(forms.Form):
    commitment = forms.CharField(max_length=64)


class SignatureForm(forms.Form):
    signature = forms.CharField(max_length=100)


class ShareForm(forms.Form):
    share = forms.CharField(max_length=64)
    salt = forms.CharField(max_length=32)


class NonceForm(forms.Form):
    nonce = forms.CharField(max_length=64)
