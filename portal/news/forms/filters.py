"""What to show of the announcements: to readers, and to editors."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from portal.news.models import Announcement, Kind
from portal.news.models.announcement import AnnouncementQuerySet


class ReaderForm(forms.Form):
    """A wrong choice narrows nothing."""

    q = forms.CharField(label=_("Search"), required=False, max_length=100)
    kind = forms.ChoiceField(label=_("Kind"), required=False)
    year = forms.ChoiceField(label=_("Year"), required=False)

    def __init__(self, *args: Any, at: dt.datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.published = Announcement.objects.published(at)
        kinds = set(self.published.order_by().values_list("kind", flat=True).distinct())
        years = self.published.order_by().datetimes("published_at", "year", order="DESC")
        _offer(self.fields["kind"], [choice for choice in Kind.choices if choice[0] in kinds])
        _offer(self.fields["year"], [(str(day.year), str(day.year)) for day in years])

    def narrowed(self) -> AnnouncementQuerySet:
        self.is_valid()
        asked = getattr(self, "cleaned_data", {})
        found = self.published.matching(asked.get("q") or "")
        if asked.get("kind"):
            found = found.filter(kind=asked["kind"])
        if asked.get("year"):
            found = found.filter(published_at__year=asked["year"])
        return found


class DeskForm(forms.Form):
    """The state is chosen by links beside it."""

    q = forms.CharField(
        label=_("Search"),
        required=False,
        max_length=100,
        help_text=_("Words of the title, the summary or the text."),
    )
    kind = forms.ChoiceField(label=_("Kind"), required=False)
    state = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _offer(self.fields["kind"], Kind.choices)

    def narrowed(self) -> AnnouncementQuerySet:
        """Of every state; the newest change first."""
        self.is_valid()
        asked = getattr(self, "cleaned_data", {})
        found = Announcement.objects.newest_change_first().matching(asked.get("q") or "")
        return found.filter(kind=asked["kind"]) if asked.get("kind") else found


def _offer(field: forms.Field, choices: list[tuple[str, Any]]) -> None:
    field.choices = [("", _("any")), *choices]  # type: ignore[attr-defined]
