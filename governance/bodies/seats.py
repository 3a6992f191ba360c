"""Each seat of a body on a day, held or vacant, and how its terms are staggered."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date

from governance.bodies.affiliations import stated_by
from governance.bodies.day import Day
from governance.bodies.vacancies import Vacancy
from governance.models import Body, Seat, SeatTerm
from governance.models.seat import Place


@dataclass(frozen=True, slots=True)
class Row:
    """A seat: its holder, or its vacancy; and who comes next."""

    seat: Seat
    term: SeatTerm | None
    affiliation: str
    vacancy: Vacancy | None
    rest_until: date | None


@dataclass(frozen=True, slots=True)
class Cohort:
    """Seats that are meant to be filled together; `ends` are the days on which their terms end."""

    name: str
    seats: tuple[int, ...]
    ends: tuple[date, ...]

    @property
    def is_together(self) -> bool:
        return len(self.ends) < 2


def rows(day: Day) -> list[Row]:
    works_for = stated_by([place.term for place in day.places if place.term], day.declared)
    return [
        _row(place, works_for, day.vacancy_of.get(place.seat.pk), day.on) for place in day.places
    ]


def _row(place: Place, works_for: dict[int, str], vacancy: Vacancy | None, on: date) -> Row:
    return Row(
        seat=place.seat,
        term=place.term,
        affiliation=works_for[place.term.user_id] if place.term else "",
        vacancy=vacancy,
        rest_until=vacancy.rest_until(on) if vacancy else None,
    )


def as_data(body: Body, on: date) -> dict[str, object]:
    """The body on that day, for programs."""
    seats = [_seat_as_data(row) for row in rows(Day(body, on))]
    return {
        "body": body.slug,
        "name": body.name,
        "kind": body.kind,
        "since": body.since,
        "until": body.until,
        "on": on,
        "seats": seats,
    }


def _seat_as_data(row: Row) -> dict[str, object]:
    seat, term = row.seat, row.term
    return {
        "number": seat.number,
        "has_vote": seat.is_voting,
        "constituency": seat.constituency,
        "office": seat.office or None,
        "cohort": seat.cohort or None,
        "holder": str(term.user) if term else None,
        "affiliation": row.affiliation if term else None,
        "since": term.since if term else None,
        "until": term.until if term else None,
        "filled": term.entry if term else None,
        "exception": term.exception or None if term else None,
        "vacant_since": row.vacancy.since if row.vacancy else None,
    }


def cohorts(body: Body, on: date) -> list[Cohort]:
    """The cohorts of the body with the days on which the terms of that day end."""
    seats: dict[str, list[int]] = defaultdict(list)
    ends: dict[str, set[date]] = defaultdict(set)
    for place in body.seats.voting().places(on):
        if place.seat.cohort:
            seats[place.seat.cohort].append(place.seat.number)
            if place.term and place.term.until:
                ends[place.seat.cohort].add(place.term.until)
    found = [Cohort(name, tuple(seats[name]), tuple(sorted(ends[name]))) for name in seats]
    return sorted(found, key=lambda cohort: (cohort.ends[:1] or (date.max,), cohort.name))
