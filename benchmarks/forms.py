"""Choosing a file, and confirming what was read in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from benchmarks import mapping
from benchmarks.actions.upload import Said
from benchmarks.documents import Document
from benchmarks.mapping import Roles, Shape
from benchmarks.models import Run, State
from benchmarks.models.signer import CI_ISSUERS, REPOSITORY
from benchmarks.readers.content import PLAIN_LIMIT
from benchmarks.suites import PARAMETERS, ready_suites

RENAMED: Final = 20  # subjects that the form offers to name
SHAPES: Final = 4  # of names whose parts it asks for


def _roles() -> list[tuple[str, Any]]:
    named = [(name, _("parameter “%(name)s”") % {"name": name}) for name in PARAMETERS]
    return [
        (mapping.NOTHING, _("leave it")),
        (mapping.CONNECTOR, _("connector")),
        (mapping.VERSION, _("version")),
        (mapping.CASE, _("case")),
        *named,
    ]


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


def role_name(count: int, at: int) -> str:
    """Names of fields: the number of parts, and which one."""
    return f"role_{count}_{at}"


def roles_in(data: Mapping[str, str]) -> dict[int, list[str]]:
    """What a form says of the parts of names; a role that there is not counts as nothing."""
    found: dict[int, list[str]] = {}
    for count in range(2, mapping.MOST_PARTS + 1):
        said = [data.get(role_name(count, at), "") for at in range(count)]
        if any(said):
            found[count] = [word if word in mapping.ROLES else mapping.NOTHING for word in said]
    return found


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
    contact = forms.EmailField(
        label=_("Mail address for the answer"),
        required=False,
        help_text=_("We write once, when a maintainer has decided, and then forget it."),
    )
    cc0 = forms.BooleanField(
        label=_("The numbers may be used by anyone (CC0)"),
        error_messages={"required": _("Numbers that nobody may use cannot be published.")},
    )
    suite = forms.CharField(required=False, widget=forms.HiddenInput)
    packed = forms.CharField(widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        document: Document,
        shapes: Mapping[int, Shape],
        roles: Roles,
        has_account: bool,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.document = document
        self.shapes = dict(list(shapes.items())[:SHAPES])
        if has_account:
            del self.fields["contact"]
        self._add_roles(roles)
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

    def _add_roles(self, roles: Roles) -> None:
        """A choice for each part of the names of the file, as it was said before."""
        for count, shape in self.shapes.items():
            said = roles.get(count, ())
            for at, part in enumerate(shape.parts):
                self.fields[role_name(count, at)] = forms.ChoiceField(
                    label=part[:60],
                    required=False,
                    choices=_roles,
                    initial=said[at] if at < len(said) else mapping.NOTHING,
                )

    def role_fields(self) -> list[tuple[Shape, list[Any]]]:
        """Each shape of names with the choices for its parts."""
        return [
            (shape, [self[role_name(count, at)] for at in range(len(shape.parts))])
            for count, shape in self.shapes.items()
        ]

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
            roles=roles_in(self.data),
            contact=data.get("contact", ""),
        )

    def _environment(self) -> dict[str, Any] | None:
        data = self.cleaned_data
        cpu = {"model": data.get("cpu"), "cores": data.get("cores")}
        known: dict[str, Any] = {key: value for key, value in cpu.items() if value}
        found: dict[str, Any] = {"cpu": known} if known else {}
        if data.get("memory"):
            found["memory_bytes"] = data["memory"] * 10**9
        return found or None


class DecisionForm(forms.Form):
    """A maintainer's answer; a refusal says why, because the sender reads it."""

    decision = forms.ChoiceField(
        choices=[
            ("accept", _("Accept")),
            ("reject", _("Reject")),
            ("reopen", _("Let it wait again")),
        ]
    )
    reason = forms.CharField(label=_("Reason"), required=False, max_length=300)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("decision") == "reject" and not cleaned.get("reason"):
            self.add_error("reason", _("Say why: the sender reads it."))
        return cleaned


class SupersedeForm(forms.Form):
    """Which later run of the same uploader and suite takes the place of a run."""

    by = forms.ModelChoiceField(
        label=_("The run that takes its place"), queryset=Run.objects.none(), to_field_name="uid"
    )

    def __init__(self, *args: Any, run: Run, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        later = Run.objects.filter(
            suite=run.suite_id, uploader=run.uploader_id, state=State.PUBLISHED
        ).exclude(pk=run.pk)
        self.fields["by"].queryset = later.select_related("suite")  # type: ignore[attr-defined]

    def has_choices(self) -> bool:
        return bool(self.fields["by"].queryset.exists())  # type: ignore[attr-defined]


class KeyForm(forms.Form):
    name = forms.CharField(
        label=_("Name"), max_length=100, help_text=_("Where it is used, such as “bench machine”.")
    )
    key = forms.CharField(
        label=_("Public key"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
        help_text=_("Ed25519: as PEM, as a line of OpenSSH, or 32 bytes in base64."),
    )


class RepositoryForm(forms.Form):
    issuer = forms.ChoiceField(label=_("CI"), choices=list(CI_ISSUERS.items()))
    repository = forms.RegexField(
        rf"^{REPOSITORY.pattern}$",
        label=_("Repository"),
        max_length=200,
        help_text=_("As owner/name."),
    )
