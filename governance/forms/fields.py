"""Fields that several forms share."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import User
from portal.lib.days import DayField


def day_field(**kwargs: Any) -> forms.DateField:
    """A day, chosen from the browser's calendar or typed as 2026-11-20."""
    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    return DayField(widget=widget, **kwargs)


class AccountField(forms.EmailField):
    """A person, named by the address of their account."""

    def clean(self, value: Any) -> Any:
        email = super().clean(value)
        if not email:
            return None
        user = User.objects.filter(email__iexact=email, is_active=True).first()
        if user is None:
            raise ValidationError(
                _("Nobody has an account with this address. Ask them to sign up first.")
            )
        return user
