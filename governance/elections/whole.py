"""An election with everybody who has a part in it, in as many queries for many as for few."""

from typing import Any

from django.db.models import Count, Prefetch, Q, QuerySet, Value, prefetch_related_objects

from governance.models import Candidacy, Complaint, Contest, Election, Objection, Support


def read_people(election: Election) -> None:
    """Its contests with their rolls counted, who was nominated in them, by whom, and seconded."""
    prefetch_related_objects(
        [election],
        Prefetch("contests", _contests()),
        Prefetch("contests__candidacies", Candidacy.objects.select_related("nominated_by")),
        Prefetch("contests__candidacies__supports", Support.objects.select_related("user")),
    )


def read_rulings(election: Election) -> None:
    """What was said against it, and who ruled on that; after `read_people`."""
    prefetch_related_objects(
        [election],
        Prefetch("contests__objections", Objection.objects.select_related("answered_by")),
        Prefetch("complaints", Complaint.objects.select_related("answered_by")),
    )


def _contests() -> QuerySet[Contest]:
    counted: dict[str, Any] = {
        "on_the_roll": Count("roll", filter=Q(roll__removed_at__isnull=True)),
        "drawn": Count("roll", filter=Q(roll__added_by_objection=False)),
    }
    return Contest.objects.annotate(**counted).order_by("number")


def key_holders(election: Election) -> tuple[list[str], list[str]]:
    """The names of its scrutineers, and of the officers who sign what is fixed."""
    opening, signing = _places(election.scrutineers.all(), 0), _places(election.officers.all(), 1)
    found = list(opening.union(signing, all=True).order_by("kind", "place"))
    names = [[name for of, _place, name in found if of == kind] for kind in (0, 1)]
    return names[0], names[1]


def _places(held: QuerySet[Any], kind: int) -> QuerySet[Any]:
    placed: QuerySet[Any] = held.order_by().annotate(kind=Value(kind))
    return placed.values_list("kind", "place", "name")
