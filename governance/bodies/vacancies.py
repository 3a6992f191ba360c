"""Seats that nobody holds on a day: since when, why, and until when the term would have run."""

from dataclasses import dataclass
from datetime import date

from governance.models import Body, RuleSet, Seat, SeatTerm
from governance.models.seat import Place
from governance.rules.explained import Example, composition
from governance.tally.rules import Vacancy as Rule


@dataclass(frozen=True, slots=True)
class Vacancy:
    """A vacant seat; `last` is the term before it, if there was one."""

    seat: Seat
    last: SeatTerm | None
    next: SeatTerm | None = None

    @property
    def since(self) -> date:
        if self.last is not None and self.last.until is not None:
            return self.last.until
        return self.seat.since

    def rest_until(self, on: date) -> date | None:
        """Where the term that was ended early would have ended, if that is still to come."""
        meant = self.last.meant_until if self.last else None
        return meant if meant is not None and meant > on else None


def vacancies(places: list[Place], on: date) -> list[Vacancy]:
    """Of the places that are vacant, in two queries."""
    vacant = [place.seat for place in places if place.term is None]
    last, following = _before(vacant, on), _after(vacant, on)
    return [Vacancy(seat, last.get(seat.pk), following.get(seat.pk)) for seat in vacant]


@dataclass(frozen=True, slots=True)
class Filling:
    """How the rules in force say that a vacant voting seat is filled."""

    sentences: tuple[str, ...]
    clause: str
    rule: Rule

    def due_on(self, vacancy: Vacancy) -> date | None:
        """The day by which it is to be filled; a seat that is new has none."""
        return self.rule.due_on(vacancy.since) if vacancy.last else None


def filling(body: Body, on: date) -> Filling | None:
    """By the first of the rules in force, those for ordinary questions."""
    rules = RuleSet.objects.of_body(body, on)
    if rules is None:
        return None
    example = Example(seats=body.seats.voting().existing(on).count(), filled=0)
    sentences = tuple(composition.vacancy(rules, example))
    return Filling(sentences, rules.vacancy_clause, rules.vacancy)


@dataclass(frozen=True, slots=True)
class Vacant:
    """A vacant seat as a page shows it."""

    vacancy: Vacancy
    rest_until: date | None
    due_on: date | None


def shown(places: list[Place], how: Filling | None, on: date) -> list[Vacant]:
    """The vacant voting seats among these places."""
    found = vacancies([place for place in places if place.seat.is_voting], on)
    return [Vacant(each, each.rest_until(on), how.due_on(each) if how else None) for each in found]


def _before(seats: list[Seat], on: date) -> dict[int, SeatTerm]:
    terms = SeatTerm.objects.filter(seat__in=seats, until__lte=on).select_related("user")
    return {term.seat_id: term for term in terms.order_by("seat_id", "-until").distinct("seat_id")}


def _after(seats: list[Seat], on: date) -> dict[int, SeatTerm]:
    terms = SeatTerm.objects.filter(seat__in=seats, since__gt=on).select_related("user")
    return {term.seat_id: term for term in terms.order_by("seat_id", "since").distinct("seat_id")}
