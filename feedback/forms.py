"""Forms of people: a report sent by hand, its deletion, the name of a server of one's own, and
what staff look for.
"""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext_lazy as _

from feedback.facts import read
from feedback.models import KnownKey, KnownKeyQuerySet
from feedback.parser import NO_IDENTITY, Clean, clean, parse

SIZE_LIMIT: Final = 256 * 1024


class ReportForm(forms.Form):
    """The file that the command line client wrote."""

    report = forms.FileField(
        label=_("Report"), help_text=_("The file report.txt that the database client wrote.")
    )

    def __init__(self, *args: object, pepper: bytes, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self._pepper = pepper

    def clean_report(self) -> Clean:
        """The report as it would be kept."""
        file: UploadedFile[Any] = self.cleaned_data["report"]
        if (file.size or 0) > SIZE_LIMIT:
            limit = filesizeformat(SIZE_LIMIT)
            raise forms.ValidationError(
                _("The file is larger than %(limit)s. A report of a server has about 25 kB."),
                params={"limit": limit},
            )
        report = clean(file.read(), self._pepper)
        if read(parse(report.body)).facts is None:
            raise forms.ValidationError(
                _("No version of a server is in it. Write the file with the command on this page.")
            )
        if report.server_key == NO_IDENTITY:
            raise forms.ValidationError(
                _("The server does not say who it is: the line FEEDBACK_SERVER_UID is missing.")
            )
        return report


class WithdrawForm(forms.Form):
    """A deletion code."""

    code = forms.CharField(
        label=_("Deletion code"),
        max_length=60,
        help_text=_("Four groups of six letters and digits, shown when the report was sent."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


class NameForm(forms.Form):
    """What its owner calls a server."""

    name = forms.CharField(label=_("Name"), max_length=80, required=False)


class KeyFilter(forms.Form):
    """Which names of variables, in which order."""

    ORDERS: Final = {
        "reports": ("-reports", "name"),
        "newest": ("-first_seen", "name"),
        "latest": ("-last_seen", "name"),
        "name": ("name",),
    }

    text = forms.CharField(label=_("Part of the name"), max_length=128, required=False)
    state = forms.ChoiceField(
        label=_("State"), choices=[("", _("all")), *KnownKey.State.choices], required=False
    )
    order = forms.ChoiceField(
        label=_("Order"),
        choices=[
            ("reports", _("most reports first")),
            ("newest", _("newest name first")),
            ("latest", _("seen last first")),
            ("name", _("by name")),
        ],
        required=False,
    )

    def narrowed(self, names: KnownKeyQuerySet) -> KnownKeyQuerySet:
        """What is asked for; a field that makes no sense asks for nothing."""
        self.is_valid()
        asked: dict[str, str] = getattr(self, "cleaned_data", {})
        found = names.matching(text=asked.get("text", ""), state=asked.get("state", ""))
        return found.order_by(*self.ORDERS[asked.get("order") or "reports"])
