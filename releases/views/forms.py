"""The forms of the release manager's pages."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import User
from portal.lib.days import MomentField
from releases import maturity as maturities
from releases.actions.product import PRODUCT, SERIES
from releases.maturity import Maturity
from releases.models import Product, Release, Series

COMMIT = r"^[0-9a-f]{7,64}$"
DAY = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})


class WordsForm(forms.Form):
    """What can be written about a release, and its maturity."""

    maturity = forms.ChoiceField(label=_("Maturity"), choices=Maturity.choices)
    summary = forms.CharField(
        label=_("Summary"),
        max_length=300,
        required=False,
        help_text=_("One sentence, shown under the title."),
    )
    notes = forms.CharField(
        label=_("What is new"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_("Markdown."),
    )
    changelog = forms.CharField(
        label=_("Changelog"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_("Markdown. Every change, one line each."),
    )
    commit = forms.RegexField(
        COMMIT,
        label=_("Built from commit"),
        required=False,
        help_text=_("7 to 64 hexadecimal digits."),
    )


class DraftForm(WordsForm):
    """What a draft needs; the choices are the manager's own series."""

    series = forms.ModelChoiceField(Series.objects.none(), label=_("Series"))
    version = forms.CharField(
        label=_("Version"),
        max_length=60,
        help_text=_("For example 12.3.0, or 12.3.0-rc1. It never changes."),
    )
    field_order = ("series", "version", "maturity")

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        managed = Product.objects.managed_by(user, timezone.now())
        series = Series.objects.filter(product__in=managed).select_related("product")
        self.fields["series"].queryset = series  # type: ignore[attr-defined]


class EditForm(WordsForm):
    """The words of a release that is there; only maturities that its product has."""

    def __init__(self, data: Any = None, *, release: Release) -> None:
        names = ("maturity", "summary", "notes", "changelog", "commit")
        super().__init__(data, initial={name: getattr(release, name) for name in names})
        scale = release.series.product.scale
        self.fields["maturity"].choices = [  # type: ignore[attr-defined]
            choice for choice in Maturity.choices if maturities.allowed(scale, choice[0])
        ]


class ScheduleForm(forms.Form):
    """When a draft is to be published by itself."""

    moment = MomentField(
        label=_("Publish at, UTC"),
        widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"}),
        help_text=_("You count as the one who publishes. Everything is checked again then."),
    )


class YankForm(forms.Form):
    """Why nobody should use a release, and what they should use."""

    reason = forms.CharField(
        label=_("Why nobody should use it"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Everybody reads this on its page."),
    )
    use_instead = forms.ModelChoiceField(
        Release.objects.none(),
        label=_("What to use instead"),
        required=False,
        empty_label=_("Nothing in particular"),
    )

    def __init__(self, *args: Any, release: Release, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        current = Release.objects.current(timezone.now()).exclude(pk=release.pk)
        others = current.filter(series__product=release.series.product).with_names()
        self.fields["use_instead"].queryset = others.newest_first()  # type: ignore[attr-defined]


class ReasonForm(forms.Form):
    """Why something is changed that clients see."""

    reason = forms.CharField(
        label=_("Why"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("For the audit log: whoever looks for it later reads this."),
    )


class ItemForm(forms.Form):
    """One more thing to do before a release."""

    text = forms.CharField(label=_("One more step"), max_length=200)
    is_required = forms.BooleanField(label=_("The release waits for it"), required=False)


class SeriesForm(forms.ModelForm[Series]):
    """A series: the name is given once, the dates may move."""

    class Meta:
        model = Series
        fields = ("name", *SERIES)
        widgets = {"released_on": DAY, "eol_on": DAY}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            del self.fields["name"]


class ProductForm(forms.ModelForm[Product]):
    """A product: its address is given once."""

    issues_url = forms.URLField(label=_("Issue tracker"), required=False, assume_scheme="https")
    field_order = ("name", "slug")

    class Meta:
        model = Product
        fields = ("slug", *PRODUCT)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            del self.fields["slug"]
