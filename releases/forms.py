"""The form of an advisory: the text, and which series are affected."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import forms
from django.core.validators import URLValidator
from django.utils.translation import gettext_lazy as _

from releases.actions.advisory import Span, Statement
from releases.models import Advisory, Product, Release, Series


class LinesField(forms.CharField):
    """A list, one thing a line."""

    widget = forms.Textarea(attrs={"rows": 3})

    def clean(self, value: Any) -> list[str]:
        text = super().clean(value)
        return [line.strip() for line in text.splitlines() if line.strip()]


class LinksField(LinesField):
    """Addresses, one a line."""

    def clean(self, value: Any) -> list[str]:
        links = super().clean(value)
        for link in links:
            URLValidator(schemes=["https", "http"])(link)
        return links


class AdvisoryForm(forms.Form):
    """`statement()` is what it says when it is valid."""

    summary = forms.CharField(
        label=_("Summary"),
        max_length=200,
        help_text=_("One sentence: what somebody can do who should not."),
    )
    details = forms.CharField(
        label=_("Details"),
        widget=forms.Textarea(attrs={"rows": 10}),
        help_text=_("Markdown: who is affected, what happens, how to protect oneself meanwhile."),
    )
    vector = forms.CharField(
        label=_("CVSS vector"),
        max_length=200,
        help_text=_(
            "For example CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:H. The score follows from it."
        ),
    )
    cve_ids = LinesField(
        label=_("CVE numbers"), required=False, help_text=_("One a line, if there is one yet.")
    )
    references = LinksField(
        label=_("References"), required=False, help_text=_("Addresses, one a line.")
    )
    credits = LinesField(
        label=_("Credits"), required=False, help_text=_("Who found it, one a line.")
    )

    def __init__(self, *args: Any, product: Product, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.series = list(Series.objects.filter(product=product).order_by("-ordering"))
        for series in self.series:
            self._add_series(series)

    def _add_series(self, series: Series) -> None:
        releases = Release.objects.filter(series=series).order_by("-ordering")
        self.fields[f"affected_{series.pk}"] = forms.BooleanField(
            label=_("%(series)s is affected") % {"series": series.name}, required=False
        )
        self.fields[f"introduced_{series.pk}"] = forms.CharField(
            label=_("From version"),
            max_length=60,
            required=False,
            help_text=_("Empty: from the first of the series."),
        )
        self.fields[f"fixed_{series.pk}"] = forms.ModelChoiceField(
            releases, label=_("Fixed in"), required=False, empty_label=_("not yet")
        )

    def rows(self) -> list[tuple[Series, forms.BoundField, forms.BoundField, forms.BoundField]]:
        """The fields of each series, newest first."""
        return [
            (
                series,
                self[f"affected_{series.pk}"],
                self[f"introduced_{series.pk}"],
                self[f"fixed_{series.pk}"],
            )
            for series in self.series
        ]

    def text_fields(self) -> list[forms.BoundField]:
        names = ("summary", "details", "vector", "cve_ids", "references", "credits")
        return [self[name] for name in names]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not any(cleaned.get(f"affected_{series.pk}") for series in self.series):
            self.add_error(None, _("Tick at least one affected series."))
        return cleaned

    def statement(self) -> Statement:
        said = self.cleaned_data
        return Statement(
            summary=said["summary"],
            details=said["details"],
            vector=said["vector"].strip(),
            cve_ids=said["cve_ids"],
            references=said["references"],
            credits=said["credits"],
            spans=[
                Span(
                    series,
                    said[f"introduced_{series.pk}"].strip(),
                    said[f"fixed_{series.pk}"],
                )
                for series in self.series
                if said[f"affected_{series.pk}"]
            ],
        )


def initial_of(advisory: Advisory) -> dict[str, Any]:
    """What the form shows of an advisory that exists."""
    initial: dict[str, Any] = {
        "summary": advisory.summary,
        "details": advisory.details,
        "vector": advisory.vector,
        "cve_ids": "\n".join(advisory.cve_ids),
        "references": "\n".join(advisory.references),
        "credits": "\n".join(advisory.credits),
    }
    for span in advisory.ranges.all():
        initial |= {
            f"affected_{span.series_id}": True,
            f"introduced_{span.series_id}": span.introduced,
            f"fixed_{span.series_id}": span.fixed_id,
        }
    return initial


class ReasonForm(forms.Form):
    """Why a public advisory changes; its history shows it."""

    reason = forms.CharField(
        label=_("What changed"),
        max_length=200,
        required=False,
        help_text=_("Shown in the history of the public advisory."),
    )


class EmbargoForm(forms.Form):
    """When an advisory becomes public."""

    public_from = forms.DateTimeField(
        label=_("Public from (UTC)"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=_("Empty: now. Otherwise it stays under embargo until then."),
    )

    def clean_public_from(self) -> dt.datetime | None:
        moment: dt.datetime | None = self.cleaned_data["public_from"]
        return moment
