"""Who sits where on a day, grouped as a page shows it."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from governance.bodies.affiliations import stated_by
from governance.bodies.day import Day
from governance.bodies.vacancies import Vacancy
from governance.models import Body, RuleSet, Seat, SeatTerm
from governance.models.rule_set import COUNTING
from governance.models.seat import Place
from governance.tally.rules import QuorumBase, quorum_needed


@dataclass(frozen=True, slots=True)
class Card:
    """What `components/seat.html` asks of a voting seat."""

    number: int
    term: str
    name: str
    organisation: str
    kind: str
    role: str
    url: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """The seats of one constituency."""

    title: str
    note: str
    cards: list[Card]


@dataclass(frozen=True, slots=True)
class Summary:
    """A body in numbers on a day."""

    body: Body
    seats: int
    filled: int
    chair: str
    rule_set: RuleSet | None
    quorum: int
    quorum_of: int  # seats, or the members of a class, that it is a part of

    @property
    def vacant(self) -> int:
        return self.seats - self.filled


def summary(body: Body, on: date) -> Summary:
    places = _holders(body.seats.places(on))
    return _summary(body, places, RuleSet.objects.of_body(body, on), None)


def summary_of(day: Day, voters: int | None) -> Summary:
    """`voters` are those of a class of members, which has no seats."""
    return _summary(day.body, _holders(day.places), day.rules, voters)


def summaries(bodies: Iterable[Body], on: date) -> list[Summary]:
    """The same of many bodies, in three queries."""
    found = list(bodies)
    seats = defaultdict(list)
    held: Any = Seat.objects.filter(body__in=found).holders(on)
    for seat in held:
        seats[seat.body_id].append(_Held(seat, seat.holder_name or ""))
    rules = RuleSet.objects.only("body", "subject", *COUNTING).of_bodies(found, on)
    return [_summary(body, seats[body.pk], rules.get(body.pk), None) for body in found]


class _Held(NamedTuple):
    seat: Seat
    holder: str  # nobody: it is vacant


def _holders(places: Iterable[Place]) -> list[_Held]:
    return [_Held(place.seat, str(place.term.user) if place.term else "") for place in places]


def _summary(
    body: Body, known: list[_Held], rule_set: RuleSet | None, voters: int | None
) -> Summary:
    voting = [held for held in known if held.seat.is_voting]
    filled = sum(bool(held.holder) for held in voting)
    chair = next((held for held in known if held.seat.office == Seat.Office.CHAIR), None)
    whole, in_office = (len(voting), filled) if voters is None else (voters, voters)
    return Summary(
        body=body,
        seats=len(voting),
        filled=filled,
        chair=chair.holder if chair else "",
        rule_set=rule_set,
        quorum=_quorum(rule_set, whole, in_office),
        quorum_of=whole,
    )


def _quorum(rule_set: RuleSet | None, seats: int, filled: int) -> int:
    if rule_set is None:
        return 0
    rules = rule_set.rules
    base = seats if rules.quorum_base is QuorumBase.FIXED else filled
    return quorum_needed(rules.quorum, base)


def groups(day: Day) -> list[Group]:
    """The voting seats on that day by who fills them, in the order of the constituencies."""
    cards = _cards(day)
    found = []
    for constituency in Seat.Constituency:
        mine = [place for place in day.voting if place.seat.constituency == constituency]
        if mine:
            shown = [cards[place.seat.pk] for place in mine]
            found.append(Group(str(constituency.label), _group_note(mine), shown))
    return found


def _cards(day: Day) -> dict[int, Card]:
    offices = _offices(day.places)
    works_for = stated_by([place.term for place in day.voting if place.term], day.declared)
    cards = {vacancy.seat.pk: _vacant(vacancy) for vacancy in day.vacant}
    for place in day.voting:
        if place.term is not None:
            cards[place.seat.pk] = _held(place.seat, place.term, works_for, offices)
    return cards


def _group_note(places: list[Place]) -> str:
    seats = ngettext("%(count)s seat", "%(count)s seats", len(places)) % {"count": len(places)}
    vacant = sum(place.term is None for place in places)
    if not vacant:
        return _("%(seats)s, all filled.") % {"seats": seats}
    words = ngettext("%(count)s of them vacant", "%(count)s of them vacant", vacant)
    return f"{seats}, {words % {'count': vacant}}."


def _offices(places: list[Place]) -> dict[int, str]:
    """What else a person is, beside their voting seat."""
    held: dict[int, list[str]] = {}
    for place in places:
        if place.term is not None and not place.seat.is_voting:
            held.setdefault(place.term.user_id, []).append(place.seat.label)
    return {user: ", ".join(labels) for user, labels in held.items()}


def _held(seat: Seat, term: SeatTerm, works_for: dict[int, str], offices: dict[int, str]) -> Card:
    return Card(
        number=seat.number,
        term=years(term),
        name=str(term.user),
        organisation=works_for[term.user_id] or _("Independent"),
        kind=_colour(seat),
        role=offices.get(term.user_id, ""),
        url=term.holder_url,
        note=_note(term),
    )


def _note(term: SeatTerm) -> str:
    """What is unusual about a term."""
    if term.entry in {SeatTerm.Entry.INTERIM, SeatTerm.Entry.REST}:
        return str(term.get_entry_display())
    return ""


def _vacant(vacancy: Vacancy) -> Card:
    seat = vacancy.seat
    if vacancy.next is not None:
        words = {"name": vacancy.next.user, "day": date_format(vacancy.next.since, "j M Y")}
        note = _("%(name)s from %(day)s") % words
    else:
        note = str(vacancy.last.get_ending_display()) if vacancy.last else ""
    return Card(
        number=seat.number,
        term=seat.cohort,
        name=_("Vacant"),
        organisation=_vacant_since(vacancy),
        kind=f"{_colour(seat)} vacant",
        role="",
        note=note,
    )


def _colour(seat: Seat) -> str:
    return "corporate" if seat.constituency == Seat.Constituency.MEMBERS else ""


def _vacant_since(vacancy: Vacancy) -> str:
    if vacancy.last is None:
        return _("since it was made")
    return _("since %(day)s") % {"day": date_format(vacancy.since, "j M Y")}


def years(term: SeatTerm) -> str:
    """2025 – 2027, or 2025 – where no end is set."""
    return f"{term.since.year} – {term.until.year if term.until else ''}".strip()
