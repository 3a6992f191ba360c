"""What the lists of governance are asked by: words, body, year. A list adds its own."""

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from governance.models import Body


class BodyFilterForm(forms.Form):
    body = forms.ModelChoiceField(
        label=_("Body"),
        required=False,
        queryset=Body.objects.all(),
        to_field_name="slug",
        empty_label=_("Any body"),
    )


class ListFilterForm(BodyFilterForm):
    """`years` are those that the list has something of."""

    q = forms.CharField(label=_("Search"), required=False, max_length=80)
    year = forms.TypedChoiceField(label=_("Year"), required=False, coerce=int, empty_value=None)

    def __init__(self, *args: Any, years: list[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        year = cast(forms.ChoiceField, self.fields["year"])
        year.choices = [("", _("Any year")), *((year, str(year)) for year in years)]
