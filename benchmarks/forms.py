"""Choosing a file, and confirming what was read in it."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from benchmarks.actions.upload import Said
from benchmarks.documents import Document
from benchmarks.readers.content import PLAIN_LIMIT
from benchmarks.suites import ready_suites

RENAMED: Final = 20  # subjects that the form offers to name


def _suites() -> list[tuple[str, Any]]:
    named = [(slug, suite.name) for slug, suite in ready_suites().items()]
    return [("", _("Find out from the file")), *named]


class FileForm(forms.Form):
    file = forms.FileField(
        label=_("Result file"),
        help_text=_("As your tool wrote it; gzip is fine. Up to 20 MB."),
        error_messages={"required": _("Choose the file that your benchmark tool wrote.")},
        widget=forms.FileInput(attrs={"accept": ".json,.txt,.csv,.gz"}),
    )
    suite = forms.ChoiceField(
        label=_("Suite"),
        required=False,
        choices=_suites,
        help_text=_("Runs of one suite are listed and compared together."),
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > PLAIN_LIMIT:
            raise forms.ValidationError(_("The file is larger than 20 MB. Pack it with gzip."))
        return file


class ConfirmForm(forms.Form):
    """What was read, with names for its subjects; `document` says which there are."""

    title = forms.CharField(label=_("Title"), required=False, max_length=200)
    cpu = forms.CharField(
        label=_("Processor"),
        required=False,
        max_length=200,
        help_text=_("As the machine calls it. Runs are compared within one machine."),
    )
    cores = forms.IntegerField(label=_("Cores"), required=False, min_value=1, max_value=4096)
    memory = forms.IntegerField(label=_("Memory, GB"), required=False, min_value=1)
    cc0 = forms.BooleanField(
        label=_("The numbers may be used by anyone (CC0)"),
        error_messages={"required": _("Numbers that nobody may use cannot be published.")},
    )
    suite = forms.CharField(required=False, widget=forms.HiddenInput)
    packed = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, document: Document, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.document = document
        self.subjects = list(dict.fromkeys(one.subject for one in document.results))[:RENAMED]
        if document.environment:
            for name in ("cpu", "cores", "memory"):
                del self.fields[name]
        for at, subject in enumerate(self.subjects):
            self.fields[f"name_{at}"] = forms.CharField(
                label=_("Connector or command"), initial=subject.name, max_length=300
            )
            self.fields[f"version_{at}"] = forms.CharField(
                label=_("Version"), initial=subject.version, max_length=60, required=False
            )

    def subject_fields(self) -> list[tuple[Any, Any]]:
        """Pairs of name and version for the template."""
        return [(self[f"name_{at}"], self[f"version_{at}"]) for at in range(len(self.subjects))]

    def environment_fields(self) -> list[Any]:
        return [self[name] for name in ("cpu", "cores", "memory") if name in self.fields]

    def said(self) -> Said:
        data = self.cleaned_data
        subjects = {
            subject.name: (data[f"name_{at}"], data[f"version_{at}"])
            for at, subject in enumerate(self.subjects)
        }
        return Said(
            suite=data["suite"],
            title=data["title"],
            environment=self._environment(),
            subjects=subjects,
        )

    def _environment(self) -> dict[str, Any] | None:
        data = self.cleaned_data
        cpu = {"model": data.get("cpu"), "cores": data.get("cores")}
        known: dict[str, Any] = {key: value for key, value in cpu.items() if value}
        found: dict[str, Any] = {"cpu": known} if known else {}
        if data.get("memory"):
            found["memory_bytes"] = data["memory"] * 10**9
        return found or None
