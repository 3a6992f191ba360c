"""A body on a day: what several parts of its pages tell of is asked once."""

from datetime import date, timedelta
from functools import cached_property

from governance.bodies import affiliations, caps, vacancies
from governance.models import Affiliation, Body, RuleSet, SeatTerm
from governance.models.rule_set import everyday
from governance.models.seat import Place


class Day:
    """Asks for each thing when it is first needed, and keeps it."""

    def __init__(self, body: Body, on: date) -> None:
        self.body = body
        self.on = on

    @cached_property
    def terms(self) -> list[SeatTerm]:
        """Of everyone who ever held a seat of it, newest first."""
        return list(SeatTerm.objects.history(self.body))

    @cached_property
    def places(self) -> list[Place]:
        return self.body.seats.places(self.on, self.terms)

    @cached_property
    def voting(self) -> list[Place]:
        return [place for place in self.places if place.seat.is_voting]

    @cached_property
    def vacant(self) -> list[vacancies.Vacancy]:
        return vacancies.among(self.places, self.terms, self.on)

    @cached_property
    def vacancy_of(self) -> dict[int, vacancies.Vacancy]:
        """By the key of the seat."""
        return {vacancy.seat.pk: vacancy for vacancy in self.vacant}

    @cached_property
    def declared(self) -> dict[int, list[Affiliation]]:
        """By each person who sits in it."""
        holders = {place.term.user_id for place in self.places if place.term}
        return Affiliation.objects.of_each(holders, self.on)

    @cached_property
    def employers(self) -> list[affiliations.Employer]:
        return affiliations.employers_of(self.places, self.declared)

    @cached_property
    def rule_sets(self) -> list[RuleSet]:
        """In force, of every subject."""
        found = list(RuleSet.objects.in_force(self.on).filter(body=self.body))
        for rule_set in found:
            rule_set.body = self.body
        return found

    @cached_property
    def rules(self) -> RuleSet | None:
        """Those for everyday questions."""
        return everyday(self.rule_sets).get(self.body.pk)

    @cached_property
    def filling(self) -> vacancies.Filling | None:
        return vacancies.filling_by(self.rules, len(self.voting)) if self.rules else None

    @cached_property
    def cap(self) -> caps.Cap | None:
        return caps.strictest(self.rule_sets, len(self.voting))

    def ending(self, within: timedelta) -> list[SeatTerm]:
        """The terms that end in that time, the next first."""
        last = self.on + within
        soon = [term for term in self.terms if term.until and self.on < term.until <= last]
        return sorted(soon, key=lambda term: (term.until or last, term.seat.number))
