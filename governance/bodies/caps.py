"""How many voting seats one employer may hold, by the rules of the body on a day."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from governance.bodies.affiliations import Employer, employers, names_of
from governance.models import Affiliation, Body, RuleSet


@dataclass(frozen=True, slots=True)
class Cap:
    """The limit, and the rules it comes from."""

    most: int
    rule_set: RuleSet

    def exceeded_by(self, employer: Employer) -> bool:
        return employer.seats > self.most


def cap_of(body: Body, voting_seats: int, on: date) -> Cap | None:
    """The strictest limit of the rules in force on that day; None if no rule has one."""
    return strictest(RuleSet.objects.in_force(on).filter(body=body), voting_seats)


def strictest(rule_sets: Iterable[RuleSet], voting_seats: int) -> Cap | None:
    found = []
    for rule_set in rule_sets:
        most = rule_set.affiliation_cap.most(voting_seats)
        if most is not None:
            found.append(Cap(most, rule_set))
    return min(found, key=lambda cap: cap.most, default=None)


def would_exceed(
    body: Body, *, user: int, affiliation: str, since: date
) -> tuple[Employer, Cap] | None:
    """The employer that would hold too many seats if this person took one on that day.

    What the person declared counts; else what is stated with the term.
    """
    places = body.seats.voting().places(since)
    cap = cap_of(body, len(places), since)
    if cap is None:
        return None
    declared = Affiliation.objects.of_each([user], since).get(user)
    others = [place for place in places if place.term is None or place.term.user_id != user]
    held = {employer.name.casefold(): employer for employer in employers(others, since)}
    for name in sorted(names_of(declared, affiliation)):
        before = held.get(name.casefold(), Employer(name, ()))
        employer = Employer(before.name, (*before.people, name))
        if cap.exceeded_by(employer):
            return employer, cap
    return None


def exceeding(body: Body, on: date) -> list[tuple[Employer, Cap]]:
    """Employers that hold more seats than they may: somebody changed their employer since."""
    places = body.seats.voting().places(on)
    cap = cap_of(body, len(places), on)
    if cap is None:
        return []
    return [(each, cap) for each in employers(places, on) if cap.exceeded_by(each)]
