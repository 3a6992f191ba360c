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
    return _vacancies(vacant, _before(vacant, on), _after(vacant, on))


def among(places: list[Place], terms: list[SeatTerm], on: date) -> list[Vacancy]:
    """The same where all terms of these seats are known, the newest first."""
    vacant = [place.seat for place in places if place.term is None]
    following = {term.seat_id: term for term in terms if term.since > on}
    over = [term for term in terms if term.until is not None and term.until <= on]
    return _vacancies(vacant, {term.seat_id: term for term in reversed(over)}, following)


def _vacancies(
    vacant: list[Seat], last: dict[int, SeatTerm], following: dict[int, SeatTerm]
) -> list[Vacancy]:
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
    return filling_by(rules, body.seats.voting().existing(on).count()) if rules else None


def filling_by(rules: RuleSet, voting_seats: int) -> Filling:
    example = Example(seats=voting_seats, filled=0)
    sentences = tuple(composition.vacancy(rules, example))
    return Filling(sentences, rules.vacancy_clause, rules.vacancy)


@dataclass(frozen=True, slots=True)
class Vacant:
    """A vacant seat as a page shows it."""

    vacancy: Vacancy
    rest_until: date | None
    due_on: date | None


def shown(vacancies: list[Vacancy], how: Filling | None, on: date) -> list[Vacant]:
    """Those of voting seats."""
    voting = [each for each in vacancies if each.seat.is_voting]
    return [Vacant(each, each.rest_until(on), how.due_on(each) if how else None) for each in voting]


def _before(seats: list[Seat], on: date) -> dict[int, SeatTerm]:
    terms = SeatTerm.objects.filter(seat__in=seats, until__lte=on).select_related("user")
    return {term.seat_id: term for term in terms.order_by("seat_id", "-until").distinct("seat_id")}


def _after(seats: list[Seat], on: date) -> dict[int, SeatTerm]:
    terms = SeatTerm.objects.filter(seat__in=seats, since__gt=on).select_related("user")
    return {term.seat_id: term for term in terms.order_by("seat_id", "since").distinct("seat_id")}
