"""The register of interests on a day: who held a seat, and what they had declared."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from django.contrib.auth.models import AnonymousUser

from governance.models import Affiliation, Interest, SeatTerm
from portal.accounts.models import User

COLUMNS = ("person", "seats", "declared", "kind", "what", "since", "until")


@dataclass(frozen=True, slots=True)
class Entry:
    """A person who held seats on that day. Nothing declared is told apart from no interests."""

    person: User
    terms: tuple[SeatTerm, ...]
    affiliations: tuple[Affiliation, ...]
    interests: tuple[Interest, ...]


def entries(viewer: User | AnonymousUser, on: date, today: date) -> list[Entry]:
    """In the order of names; what is for a body alone is shown to who sits in it today."""
    seats: dict[int, list[SeatTerm]] = defaultdict(list)
    for term in SeatTerm.objects.seated_on(on).select_related("seat__body", "user"):
        seats[term.user_id].append(term)
    employers = Affiliation.objects.of_each(seats, on)
    declared = _declared(viewer, seats, on, today)
    found = [
        Entry(
            person=terms[0].user,
            terms=tuple(sorted(terms, key=_place)),
            affiliations=tuple(employers.get(user, ())),
            interests=tuple(declared.get(user, ())),
        )
        for user, terms in seats.items()
    ]
    return sorted(found, key=lambda entry: str(entry.person).casefold())


def _declared(
    viewer: User | AnonymousUser, users: dict[int, list[SeatTerm]], on: date, today: date
) -> dict[int, list[Interest]]:
    visible = Interest.objects.visible_to(viewer, today).on(on).filter(user__in=list(users))
    found: dict[int, list[Interest]] = defaultdict(list)
    for interest in visible.order_by("since", "pk"):
        found[interest.user_id].append(interest)
    return found


def _place(term: SeatTerm) -> tuple[int, int]:
    return (term.seat.body.position, term.seat.number)


def table(on: date, today: date) -> Iterator[tuple[object, ...]]:
    """A head, then a row for everything that was declared and is public."""
    yield COLUMNS
    for entry in entries(AnonymousUser(), on, today):
        who = (str(entry.person), "; ".join(str(term.seat) for term in entry.terms))
        for affiliation in entry.affiliations:
            yield (
                *who,
                "affiliation",
                affiliation.relation,
                affiliation.employer,
                affiliation.since,
                affiliation.until or "",
            )
        for interest in entry.interests:
            yield (
                *who,
                "interest",
                interest.kind,
                interest.what,
                interest.since,
                interest.until or "",
            )
