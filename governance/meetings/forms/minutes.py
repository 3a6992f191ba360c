"""The record as one text, and what a correction corrects."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from governance.meetings import words
from governance.meetings.document import Document
from governance.meetings.reading import ReadingError, read

LARGEST = 512 * 1024  # bytes of a file of minutes


class NoteForm(forms.Form):
    """What a correction of minutes corrects."""

    note = forms.CharField(
        label=_("What changed"),
        max_length=300,
        error_messages={"required": _("Tell what changed since the last version.")},
        help_text=_("A sentence for those who read the version before. It stands in public."),
    )

    def __init__(self, *args: Any, corrects: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["note"].required = corrects


class ImportForm(forms.Form):
    """The record as a text, typed or as a file."""

    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)
    file = forms.FileField(
        label=_("A file instead"),
        required=False,
        help_text=_("Markdown, UTF-8. It takes the place of the text above."),
    )
    text = forms.CharField(
        label=_("The record as Markdown"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 24, "spellcheck": "false"}),
    )
    document: Document

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        text = self._file_text() if cleaned.get("file") else cleaned.get("text", "")
        if self.errors:
            return cleaned
        try:
            self.document = read(text)
        except ReadingError as error:
            raise ValidationError([words.problem(one) for one in error.problems]) from error
        return cleaned

    def _file_text(self) -> str:
        file = self.cleaned_data["file"]
        if file.size > LARGEST:
            self.add_error("file", _("The file is larger than 512 kB."))
            return ""
        try:
            text: str = file.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            self.add_error("file", _("The file is no UTF-8 text. Save it as UTF-8."))
            return ""
        return text
