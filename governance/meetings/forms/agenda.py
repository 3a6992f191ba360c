"""A point of the agenda."""

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from governance.models import AgendaItem, Meeting, Motion


class AgendaItemForm(forms.ModelForm[AgendaItem]):
    """A point of the agenda."""

    class Meta:
        model = AgendaItem
        fields = ["title", "about", "motion", "presenter", "minutes", "is_closed"]

    def __init__(self, *args: Any, meeting: Meeting, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        motion = cast("forms.ModelChoiceField[Motion]", self.fields["motion"])
        motion.queryset = Motion.objects.filter(body=meeting.body).newest_first()
        motion.empty_label = str(_("No motion"))
