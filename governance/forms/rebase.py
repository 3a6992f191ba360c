"""What somebody writes where a proposal and a newer version change the same clauses."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext_lazy as _

from governance.bylaws.rebase import Clash


class RebaseForm(forms.Form):
    """A field for each clash, in their order; `version` is the one that the writer has seen."""

    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, clashes: Sequence[Clash], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.clashes = clashes
        for number, clash in enumerate(clashes):
            self.fields[f"clash-{number}"] = forms.CharField(
                label=_("What it is to read"),
                required=False,
                initial=clash.own,
                max_length=100_000,
                widget=forms.Textarea(attrs={"rows": 6, "class": "mono"}),
                help_text=_("With its number in front. Left empty: it is taken out."),
            )

    @property
    def pairs(self) -> list[tuple[Clash, BoundField]]:
        return [(clash, self[f"clash-{n}"]) for n, clash in enumerate(self.clashes)]

    @property
    def written(self) -> list[str]:
        return [self.cleaned_data[f"clash-{n}"] for n in range(len(self.clashes))]
