"""A body: what it is, and its end."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from governance.forms.fields import day_field
from governance.models import Body

RESERVED = {"new"}


class BodyForm(forms.ModelForm[Body]):
    """Founding a body, or changing how it is described. What it is stays as it was founded."""

    since = day_field(label=_("Exists since"))

    class Meta:
        model = Body
        fields = ("name", "slug", "kind", "constituency", "purpose", "parent", "since", "position")
        widgets = {"purpose": forms.Textarea(attrs={"rows": 2})}
        help_texts = {
            "slug": _("The last part of its web address: small letters, digits, hyphens."),
            "position": _("Bodies with small numbers stand first."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        parent = cast("forms.ModelChoiceField[Body]", self.fields["parent"])
        parent.empty_label = _("no other body")
        if self.instance.pk:
            for name in ("slug", "kind", "constituency", "since"):
                del self.fields[name]
            parent.queryset = Body.objects.exclude(pk=self.instance.pk)

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        if slug in RESERVED:
            raise forms.ValidationError(_("This address is taken by a page. Choose another."))
        return slug


class DissolveForm(forms.Form):
    on = day_field(
        label=_("Dissolved on"),
        help_text=_("The first day without it. Its terms end and its seats are abolished then."),
    )
