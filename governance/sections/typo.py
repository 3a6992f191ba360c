"""Corrections of spelling in bylaws: each leads from one text to the next, by their hashes."""

from collections.abc import Iterator
from typing import Any, Final

from django.db.models import Count, OuterRef, Prefetch, Q, Subquery

from governance.bundle import typo as checked
from governance.models import Typo, Version
from governance.models.typo import TypoQuerySet
from governance.sections import bylaws
from governance.sections.asked import Asked
from governance.sections.motion import moment

NAME: Final = ("typos/", "version__bylaws__slug", "-", "version__number", "-", "place")


def documents(asked: Asked) -> Iterator[tuple[str, dict[str, Any]]]:
    """Of every version with a new correction all corrections, from the first on."""
    accepted = Typo.objects.filter(is_accepted=True, decided_at__lte=asked.at)
    wanted = asked.missing(_placed(accepted), *NAME)
    made = accepted.select_related("reported_by", "decided_by").order_by("decided_at", "pk")
    versions = Version.objects.filter(pk__in=wanted.values("version")).select_related("bylaws")
    for version in versions.prefetch_related(Prefetch("typos", made)).order_by("pk"):
        yield from _of_version(version)


def _placed(accepted: TypoQuerySet) -> TypoQuerySet:
    """Each with its place among those of its version."""
    decided_before = Q(decided_at__lt=OuterRef("decided_at"))
    same_moment = Q(decided_at=OuterRef("decided_at"), pk__lte=OuterRef("pk"))
    until = Typo.objects.filter(decided_before | same_moment, is_accepted=True)
    of_version = until.filter(version=OuterRef("version")).order_by().values("version")
    return accepted.annotate(place=Subquery(of_version.annotate(n=Count("pk")).values("n")))


def _of_version(version: Version) -> Iterator[tuple[str, dict[str, Any]]]:
    before, items = version.text_sha256, version.adopted_items
    for number, typo in enumerate(version.typos.all(), start=1):
        items = checked.corrected(items, typo.correction)
        after = checked.digest_of(items)
        yield (
            f"typos/{version.bylaws.slug}-{version.number}-{number}",
            _document(version, typo, number) | {"before_sha256": before, "after_sha256": after},
        )
        before = after


def _document(version: Version, typo: Typo, number: int) -> dict[str, Any]:
    return {
        "kind": "typo",
        "version": bylaws.name_of(version),
        "number": number,
        "clause": typo.clause,
        "wrong": typo.wrong,
        "right": typo.right,
        "reported_by": str(typo.reported_by),
        "reported": moment(typo.reported_at),
        "decided_by": str(typo.decided_by),
        "decided": moment(typo.decided_at),
    }
