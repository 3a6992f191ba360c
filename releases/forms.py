"""The form of an advisory: the text, and which series are affected."""

from __future__ import annotations

import datetime as dt
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.translation import gettext_lazy as _

from portal.lib.days import MomentField
from releases.actions.advisory import Span, Statement
from releases.advisories import severity
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


class Row(NamedTuple):
    """What is asked of one series."""

    series: Series
    affected: forms.BoundField
    introduced: forms.BoundField
    fixed: forms.BoundField


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
            "For example CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:H; also 3.0 or 4.0. The score"
            " and its word (low, medium, high, critical) follow from it."
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

    def __init__(self, *args: Any, product: Product, today: dt.date, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.today = today
        self.series = list(Series.objects.filter(product=product).order_by("-ordering"))
        drafts = Release.objects.filter(series__in=self.series, published_at=None)
        newest = {draft.series_id: draft.pk for draft in drafts.order_by("ordering")}
        for series in self.series:
            self._add_series(series, newest.get(series.pk))

    def _add_series(self, series: Series, draft: int | None) -> None:
        releases = Release.objects.filter(series=series).order_by("-ordering")
        self.fields[f"affected_{series.pk}"] = forms.BooleanField(
            label=_("%(series)s is affected") % {"series": series.name},
            required=False,
            initial=len(self.series) == 1,
        )
        self.fields[f"introduced_{series.pk}"] = forms.CharField(
            label=_("From version"),
            max_length=60,
            required=False,
            help_text=_("Empty: from the first of the series."),
        )
        self.fields[f"fixed_{series.pk}"] = forms.ModelChoiceField(
            releases,
            label=_("Fixed in"),
            required=False,
            empty_label=_("not yet"),
            initial=draft,
        )

    def supported_rows(self) -> list[Row]:
        """The fields of each series that still gets fixes, newest first."""
        return [self._row(series) for series in self.series if not series.is_ended(self.today)]

    def ended_rows(self) -> list[Row]:
        return [self._row(series) for series in self.series if series.is_ended(self.today)]

    def _row(self, series: Series) -> Row:
        names = ("affected", "introduced", "fixed")
        affected, introduced, fixed = (self[f"{name}_{series.pk}"] for name in names)
        return Row(series, affected, introduced, fixed)

    def names_ended(self) -> bool:
        """Whether something is said of a series that ended, so that it is not folded away."""
        rows = self.ended_rows()
        return any(row.affected.value() or row.affected.errors or row.fixed.errors for row in rows)

    def names_sources(self) -> bool:
        """Whether one of the optional lists has something, or something wrong."""
        fields = [self["cve_ids"], self["references"], self["credits"]]
        return any(field.value() or field.errors for field in fields)

    def clean_vector(self) -> str:
        vector = str(self.cleaned_data["vector"]).strip()
        try:
            severity.score(vector)
        except ValueError as error:
            words = _("The CVSS vector is not valid: %(why)s")
            raise ValidationError(words, params={"why": error}) from None
        return vector

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
            vector=said["vector"],
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

    public_from = MomentField(
        label=_("Public from (UTC)"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=_("Empty: now. Otherwise it stays under embargo until then."),
    )

    def clean_public_from(self) -> dt.datetime | None:
        moment: dt.datetime | None = self.cleaned_data["public_from"]
        return moment
