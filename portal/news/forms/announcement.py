"""What an editor writes, and when it is to be public."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.lib.days import MomentField
from portal.news.actions.announcement import Text
from portal.news.models import RESERVED_SLUGS, Announcement
from portal.news.models.version import TEXT_FIELDS


class AnnouncementForm(forms.ModelForm[Announcement]):
    """The text of an announcement; its address can be chosen until it is public."""

    slug = forms.SlugField(
        label=_("Address"),
        required=False,
        max_length=80,
        help_text=_("The last part of its address. Left empty it is made from the title."),
    )

    class Meta:
        model = Announcement
        fields = ("kind", "title", "slug", "byline", "summary", "body")
        widgets = {
            "summary": forms.Textarea(attrs={"rows": 2}),
            "body": forms.Textarea(attrs={"rows": 18, "class": "mono"}),
        }
        help_texts = {
            "body": _(
                "Markdown: a blank line between paragraphs, ## before a heading, - before a point,"
                " [words](address) for a link, | between the cells of a table."
            ),
            "byline": _("A name or a body, such as The board. Left empty nobody signs."),
        }

    def __init__(self, *args: Any, frozen: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if frozen:
            field = self.fields["slug"]
            field.disabled = True
            field.help_text = _("Public already: it stays as it is.")

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        if slug in RESERVED_SLUGS:
            raise forms.ValidationError(_("Another page stands at this address. Choose another."))
        return slug

    def text(self) -> Text:
        return Text(**{name: self.cleaned_data[name] for name in TEXT_FIELDS})

    def _get_validation_exclusions(self) -> set[str]:
        """An empty address is filled in by the action, which looks for a free one."""
        excluded: set[str] = super()._get_validation_exclusions()  # type: ignore[misc]
        return excluded if self.cleaned_data.get("slug") else {*excluded, "slug"}


class PublishForm(forms.Form):
    """Now, or at a moment that is said with its zone."""

    NOW, LATER = "now", "later"

    how = forms.ChoiceField(
        label=_("When"),
        choices=[(NOW, _("Now")), (LATER, _("At a moment to come"))],
        widget=forms.RadioSelect,
        initial=NOW,
    )
    moment = MomentField(
        label=_("Day and time, UTC"),
        required=False,
        widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        now = timezone.localtime()
        self.fields["moment"].help_text = _("Only for a moment to come. It is %(now)s now.") % {
            "now": f"{now:%Y-%m-%d %H:%M} UTC"
        }

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        if given.get("how") == self.LATER and not given.get("moment") and not self.errors:
            self.add_error("moment", _("Give the day and the time."))
        return given


class WithdrawForm(forms.Form):
    """Readers who come by a link see the reason."""

    reason = forms.CharField(
        label=_("Why it is withdrawn"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Everybody reads this at its address."),
    )
