"""The form that defines a suite: its name, and a case at a time; or the whole as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from benchmarks.documents import DIRECTIONS, UNITS
from benchmarks.models import Case, Suite
from benchmarks.suites import PARAMETERS

LARGEST: Final = 200_000  # bytes of a definition
BETTER: Final = {"higher": _("higher is better"), "lower": _("lower is better")}
NUMBERS: Final = ("rows", "repetitions")
CHOSEN: Final = ("transport", "prepare")
WORDS: Final[Mapping[str, Any]] = {name: PARAMETERS[name] or () for name in CHOSEN}


class SuiteForm(forms.Form):
    slug = forms.SlugField(
        label=_("Address"), max_length=60, help_text=_("Small letters, digits and “_”; it stays.")
    )
    name = forms.CharField(label=_("Name"), max_length=120)
    summary = forms.CharField(label=_("What it measures"), max_length=300)
    source = forms.CharField(label=_("Where it comes from"), max_length=300, required=False)
    is_open = forms.BooleanField(label=_("Takes cases that nobody has defined"), required=False)


class CaseForm(forms.Form):
    slug = forms.CharField(
        label=_("Address"),
        max_length=80,
        help_text=_("As the connectors' own suites call it: do_1."),
    )
    name = forms.CharField(label=_("Name"), max_length=120)
    unit = forms.ChoiceField(label=_("Unit"), choices=[(unit, unit) for unit in UNITS])
    direction = forms.ChoiceField(label=_("Better"), choices=[(x, BETTER[x]) for x in DIRECTIONS])
    query = forms.CharField(
        label=_("What is done"), max_length=2000, help_text=_("The query, or the work in words.")
    )
    rows = forms.IntegerField(label=_("Rows"), min_value=0, required=False)
    repetitions = forms.IntegerField(label=_("Repetitions"), min_value=1, required=False)
    transport = forms.MultipleChoiceField(
        label=_("Transports"),
        choices=[(x, x) for x in WORDS["transport"]],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    prepare = forms.MultipleChoiceField(
        label=_("Prepared"),
        choices=[(x, x) for x in WORDS["prepare"]],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    more = forms.CharField(
        label=_("Further facts, as JSON"),
        required=False,
        max_length=8000,
        widget=forms.Textarea({"rows": 3, "spellcheck": "false"}),
        help_text=_('For example {"threads": 1}. They are part of the definition.'),
    )

    @property
    def is_given(self) -> bool:
        """Whether anything was typed: the lists always send what stands first in them."""
        return any(
            self.data.get(self.add_prefix(name)) for name in ("slug", "name", "query", "more")
        )

    def clean_more(self) -> dict[str, Any]:
        text = self.cleaned_data["more"].strip()
        try:
            found = json.loads(text) if text else {}
        except (ValueError, RecursionError):
            raise forms.ValidationError(_("This is not JSON.")) from None
        if not isinstance(found, dict):
            raise forms.ValidationError(_("A JSON object is expected here, in braces."))
        if not isinstance(found.get("parameters", {}), dict):
            raise forms.ValidationError(_("“parameters” is a JSON object too, in braces."))
        return found

    def as_data(self) -> dict[str, Any]:
        """One entry of `cases`, as `suites.read_suite` reads it."""
        given = self.cleaned_data
        definition = dict(given["more"])
        parameters = dict(definition.pop("parameters", {}))
        parameters |= {name: given[name] for name in CHOSEN if given[name]}
        definition |= {"query": given["query"], "unit": given["unit"]}
        definition |= {name: given[name] for name in NUMBERS if given[name] is not None}
        if parameters:
            definition["parameters"] = parameters
        kept = ("slug", "name", "unit", "direction")
        return {**{name: given[name] for name in kept}, "definition": definition}


def further_case(data: Any = None) -> CaseForm:
    """One more case, or a changed one; left empty it is none."""
    first = {"unit": UNITS[0], "direction": DIRECTIONS[0]}
    return CaseForm(
        data, prefix="case", initial=first, empty_permitted=True, use_required_attribute=False
    )


class ImportForm(forms.Form):
    file = forms.FileField(label=_("A file"), required=False)
    text = forms.CharField(
        label=_("or the JSON itself"),
        required=False,
        max_length=LARGEST,
        widget=forms.Textarea({"rows": 12, "spellcheck": "false"}),
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        file = given.get("file")
        if file and file.size > LARGEST:
            raise forms.ValidationError(_("The file is larger than 200 kB."))
        raw = file.read() if file else given.get("text", "").encode()
        if not raw.strip():
            raise forms.ValidationError(_("Choose a file, or paste the JSON."))
        try:
            given["data"] = json.loads(raw)
        except (ValueError, RecursionError):
            raise forms.ValidationError(_("This is not JSON.")) from None
        return given


def as_data(suite: Suite, cases: Iterable[Case]) -> dict[str, Any]:
    """A suite with the newest version of each case, as `suites.json` has it."""
    named = ("slug", "name", "summary", "source", "is_open")
    kept = ("slug", "name", "unit", "direction", "definition")
    return {
        **{name: getattr(suite, name) for name in named},
        "cases": [{name: getattr(case, name) for name in kept} for case in cases],
    }
