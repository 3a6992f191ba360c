"""What has to be done before a release of each kind goes out, as data.

To add a step: a row here. A draft gets its steps when it is made or when its maturity changes.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from releases.maturity import Maturity

EVERY: Final = frozenset(Maturity)
FINAL: Final = frozenset({Maturity.STABLE, Maturity.OLD_STABLE})
LATE: Final = FINAL | {Maturity.GAMMA, Maturity.RC}
COMPLETE: Final = LATE | {Maturity.BETA}


@dataclass(frozen=True, slots=True)
class Step:
    """A thing to do: for which kinds it is listed, and which kinds do not go out without it."""

    slug: str
    text: Promise
    listed: AbstractSet[Maturity] = EVERY
    required: AbstractSet[Maturity] = field(default_factory=frozenset)


STEPS: Final = {
    step.slug: step
    for step in (
        Step("notes", _("The notes say what is new and what is known to be broken."), EVERY, LATE),
        Step(
            "changelog", _("The changelog lists every change since the release before."), COMPLETE
        ),
        Step(
            "commit", _("All files were built from the commit that the release names."), EVERY, LATE
        ),
        Step("tests", _("The test suite passed on every platform."), COMPLETE, LATE),
        Step("install", _("A package was installed on a fresh machine."), EVERY, FINAL),
        Step("upgrade", _("An upgrade from the release before kept the data."), COMPLETE, FINAL),
        Step("blockers", _("No blocking error is open in the issue tracker."), LATE, LATE),
        Step("security", _("Every weakness that was fixed has its advisory."), LATE, FINAL),
        Step("manual", _("The documentation describes this version."), LATE, FINAL),
        Step("dates", _("The first stable day and the end of support are set."), FINAL, FINAL),
        Step("announcement", _("The announcement is written.")),
    )
}


# What is said of the files: it has to be said again when a file comes or goes.
ABOUT_FILES: Final = ("commit", "tests", "install", "upgrade")


def steps_of(maturity: str) -> list[tuple[Step, bool]]:
    """The steps of this kind of release, each with whether the release waits for it."""
    kind = Maturity(maturity)
    return [(step, kind in step.required) for step in STEPS.values() if kind in step.listed]
