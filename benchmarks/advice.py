"""What a sender should hear before a run is kept: that it is too small for a verdict, and the way
to a larger one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchmarks.documents import Document
from benchmarks.statistics.describe import FEWEST

# How a tool is asked for ten processes, by the slug of its format.
TEN: Final[Mapping[str, str]] = {
    "jmh": "-f 10",
    "hyperfine": "--runs 10",
    "pyperf": "--processes 10",
    "native": "--processes 10",
}


def on(document: Document) -> list[str]:
    """In sentences; none where every result can have a verdict."""
    measured = [one for one in document.results if not one.error]
    few = sum(len(one.samples) < FEWEST for one in measured)
    if not few:
        return []
    found = ngettext(
        "One result has fewer than %(fewest)s processes: no interval and no verdict.",
        "%(count)s results have fewer than %(fewest)s processes: no interval and no verdict.",
        few,
    ) % {"count": few, "fewest": FEWEST}
    option = TEN.get(document.format)
    return (
        [found, _("Measure again with %s, and they are compared.") % option] if option else [found]
    )
