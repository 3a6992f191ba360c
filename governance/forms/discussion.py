"""What is sent while a motion is discussed: comments, amendments, reasons."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from governance.discussion import amending
from governance.models import Amendment


class CommentForm(forms.Form):
    """What somebody says, perhaps in answer to another comment."""

    text = forms.CharField(
        label=_("Your comment"),
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Everybody reads it, with your name. Markdown."),
    )


class ReasonForm(forms.Form):
    """Why something is done that others will want to understand."""

    because = forms.CharField(
        label=_("Reason"), max_length=300, help_text=_("Readers see it with your name.")
    )


class AmendmentForm(forms.ModelForm[Amendment]):
    """Another text: of one passage, or of the whole where no passage is named."""

    class Meta:
        model = Amendment
        fields = ["passage", "replacement", "reason"]
        widgets = {
            "passage": forms.Textarea(attrs={"rows": 5}),
            "replacement": forms.Textarea(attrs={"rows": 7}),
            "reason": forms.Textarea(attrs={"rows": 2}),
        }
        help_texts = {
            "passage": _(
                "Copy it from the text exactly, as much as stands there once. Left empty: the new"
                " text replaces the whole."
            ),
            "replacement": _("Left empty: the passage is struck out. Markdown."),
            "reason": _("Why the text should change; shown with the amendment."),
        }

    def clean_passage(self) -> str:
        """The preview looks for it as the action will."""
        return amending.tidy(self.cleaned_data["passage"])

    def clean_replacement(self) -> str:
        return amending.tidy(self.cleaned_data["replacement"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not cleaned.get("passage") and not cleaned.get("replacement") and not self.errors:
            self.add_error("replacement", _("Write the new text, or name a passage to strike out."))
        return cleaned


class RedactionForm(forms.Form):
    """A passage that the public is not to read, and why."""

    passage = forms.CharField(
        label=_("Passage to take out"),
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Copy it exactly. It disappears wherever the public reads this motion."),
    )
    because = forms.CharField(
        label=_("Reason"),
        max_length=300,
        help_text=_("Shown in its place, with your name, for example “names a private person”."),
    )
