"""Which packages came and went between two serials of a repository."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from releases.models import Package, Repository


@dataclass(frozen=True)
class Difference:
    """Both sides as questions, so that a page may count all and show some."""

    came: QuerySet[Package]
    went: QuerySet[Package]

    def __bool__(self) -> bool:
        return self.came.exists() or self.went.exists()


def between(repository: Repository, before: int, after: int) -> Difference:
    """What a client that read `before` gets and loses with `after`, which may be the older one."""
    members = repository.memberships
    then = members.in_publication(before).values("package")
    now = members.in_publication(after).values("package")
    packages = Package.objects.select_related("file__release__series__product")
    return Difference(
        came=packages.filter(pk__in=now).exclude(pk__in=then),
        went=packages.filter(pk__in=then).exclude(pk__in=now),
    )
