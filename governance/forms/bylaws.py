"""What people send about bylaws: a proposal, a comment, a reason, a typo."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from governance.bylaws import words as bylaws_words
from governance.bylaws.text import UnreadableError, read
from governance.models import Version
from portal.lib.days import DayField

LONGEST = 300_000


class WordsForm(forms.Form):
    """What is said of a proposal beside its text."""

    field_order = ["title", "summary", "text"]
    title = forms.CharField(
        label=_("Title"),
        max_length=160,
        help_text=_("What is decided, so that it can stand as the heading of the result."),
    )
    summary = forms.CharField(
        label=_("Summary"),
        max_length=300,
        help_text=_("What would change and why, in one or two sentences."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    effective_on = DayField(
        label=_("In force from"),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        help_text=_("Left empty: from the day it is carried."),
    )


class ProposalForm(WordsForm):
    """The whole new text; what differs from the version it changes is worked out."""

    by = "text"
    text = forms.CharField(
        label=_("Text with your changes"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 28, "class": "mono"}),
        help_text=_(
            "The text as it is: change what you want to change. An article begins with a line such"
            " as “## 4. The board”, a clause with its number after an empty line."
        ),
    )

    def clean_text(self) -> str:
        text = str(self.cleaned_data["text"]).replace("\r\n", "\n").strip() + "\n"
        try:
            read(text)
        except UnreadableError as error:
            raise forms.ValidationError(bylaws_words.fault(error)) from error
        return text


class ClauseCommentForm(forms.Form):
    """Where it stands is checked by the view, which knows the clauses."""

    clause = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)
    reply_to = forms.IntegerField(required=False, widget=forms.HiddenInput)
    text = forms.CharField(
        label=_("Your comment"),
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Public, under your name."),
    )


class TypoForm(forms.Form):
    """A slip of spelling in one clause."""

    clause = forms.ChoiceField(label=_("Where"))
    wrong = forms.CharField(
        label=_("It reads"),
        max_length=120,
        help_text=_("Some words around the slip, exactly as they stand in the clause."),
    )
    right = forms.CharField(label=_("It should read"), max_length=120, required=False)

    def __init__(self, *args: Any, version: Version, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["clause"].choices = [  # type: ignore[attr-defined]
            (item.anchor, _place(item.anchor, item.text)) for item in version.items()
        ]


def _place(anchor: str, text: str) -> str:
    words = " ".join(text.split())
    return f"{bylaws_words.place(anchor)}: {words[:60]}{'…' if len(words) > 60 else ''}"
