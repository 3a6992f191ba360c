"""What looks wrong with a release and does not stop it: a person looks, and decides."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from releases import version
from releases.models import Alias, Package, Release

NAMED: Final = 5  # packages in one sentence


def doubts_before_publishing(release: Release, *, at: dt.datetime) -> list[str]:
    """What to look at once more; empty when nothing is odd."""
    doubts = list(_unticked(release))
    packages = Package.objects.filter(file__release=release).order_by("name", "version")
    numbers = packages.values_list("name", "version").distinct()
    if odd := list(dict.fromkeys(_other_numbers(release.version, numbers))):
        doubts.append(_words_of_numbers(release, odd))
    begins = release.series.released_on
    if release.is_stable and begins is not None and begins > at.date():
        doubts.append(
            _("The series says that its first stable release is on %(day)s: pages call it planned.")
            % {"day": begins.isoformat()}
        )
    return doubts


def _unticked(release: Release) -> Iterable[str]:
    """Steps that the release does not wait for: whoever forgot them can still turn to them."""
    steps = release.checklist.filter(is_required=False, ticked_at=None)
    if count := len(steps):
        words = ngettext(
            "%(count)s step of the checklist is not ticked. The release does not wait for it, and"
            " the list is closed once the release is out:",
            "%(count)s steps of the checklist are not ticked. The release does not wait for them,"
            " and the list is closed once the release is out:",
            count,
        )
        yield "\n– ".join([words % {"count": count}, *(str(step.words) for step in steps)])


def doubts_before_withdrawing(release: Release, *, at: dt.datetime) -> list[str]:
    """What people see once the only stable release of a series is withdrawn."""
    others = Release.objects.current(at).filter(series=release.series).exclude(pk=release.pk)
    if not release.is_stable or others.stable().exists():
        return []
    names = {"release": release.version, "series": release.series}
    newest = others.newest_first().first()
    doubts = [
        _("%(release)s is the only stable release of %(series)s that is offered.") % names,
        _no_release_left(names) if newest is None else _test_release_left(names, newest),
    ]
    if aliases := Alias.objects.leading_to(release.series).values_list("name", flat=True):
        doubts.append(
            _("Machines that follow %(aliases)s get their packages from this series too.")
            % {"aliases": ", ".join(aliases)}
        )
    return doubts


def _no_release_left(names: dict[str, object]) -> str:
    words = _(
        "Its repositories will be empty: apt and dnf find nothing to install, machines that have it"
        " keep it without updates. The configuration generator no longer offers %(series)s."
    )
    return words % names


def _test_release_left(names: dict[str, object], newest: Release) -> str:
    words = _(
        "Pages, programs and the configuration generator will then name %(newest)s (%(maturity)s),"
        " which is not for production."
    )
    maturity = newest.get_maturity_display()
    return words % {**names, "newest": newest.version, "maturity": maturity}


def _other_numbers(wanted: str, packages: Iterable[tuple[str, str]]) -> Iterable[str]:
    """Packages that say another version than the release does."""
    own = version.parse(wanted)
    for name, text in packages:
        if version.of_package(text) != own:
            yield f"{name} {text}"


def _words_of_numbers(release: Release, odd: list[str]) -> str:
    words = ngettext(
        "A package has another version than %(version)s: %(packages)s",
        "%(count)s packages have another version than %(version)s: %(packages)s",
        len(odd),
    )
    shown = ", ".join(odd[:NAMED]) + (", …" if len(odd) > NAMED else "")
    return words % {"count": len(odd), "version": release.version, "packages": shown}
