"""Who sits where on a day, grouped as a page shows it."""

from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from governance.models import Body, RuleSet, Seat, SeatTerm
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

    @property
    def vacant(self) -> int:
        return self.seats - self.filled


def summary(body: Body, on: date, places: list[Place] | None = None) -> Summary:
    known = body.seats.places(on) if places is None else places
    voting = [place for place in known if place.seat.is_voting]
    filled = sum(place.term is not None for place in voting)
    chair = next((p for p in known if p.seat.office == Seat.Office.CHAIR), None)
    rule_set = RuleSet.objects.in_force(on).filter(body=body).order_by("pk").first()
    return Summary(
        body=body,
        seats=len(voting),
        filled=filled,
        chair=str(chair.term.user) if chair and chair.term else "",
        rule_set=rule_set,
        quorum=_quorum(rule_set, len(voting), filled),
    )


def _quorum(rule_set: RuleSet | None, seats: int, filled: int) -> int:
    if rule_set is None:
        return 0
    rules = rule_set.rules
    base = seats if rules.quorum_base is QuorumBase.FIXED else filled
    return quorum_needed(rules.quorum, base)


def groups(places: list[Place], on: date) -> list[Group]:
    """The voting seats on that day by who fills them, in the order of the constituencies."""
    offices = _offices(places)
    found = []
    for constituency in Seat.Constituency:
        mine = [p for p in places if p.seat.is_voting and p.seat.constituency == constituency]
        if mine:
            cards = [_card(place, offices, on) for place in mine]
            found.append(Group(str(constituency.label), _group_note(mine), cards))
    return found


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


def _card(place: Place, offices: dict[int, str], on: date) -> Card:
    seat, term = place.seat, place.term
    colour = "corporate" if seat.constituency == Seat.Constituency.MEMBERS else ""
    if term is None:
        return Card(
            seat.number, seat.cohort, _("Vacant"), _vacant_since(seat, on), f"{colour} vacant", ""
        )
    return Card(
        number=seat.number,
        term=years(term),
        name=str(term.user),
        organisation=term.affiliation or _("Independent"),
        kind=colour,
        role=offices.get(term.user_id, ""),
    )


def _vacant_since(seat: Seat, on: date) -> str:
    last = seat.terms.filter(until__lte=on).order_by("-until").first()
    if last is None or last.until is None:
        return _("since it was made")
    return _("since %(day)s") % {"day": date_format(last.until, "j M Y")}


def years(term: SeatTerm) -> str:
    """2025 – 2027, or 2025 – where no end is set."""
    return f"{term.since.year} – {term.until.year if term.until else ''}".strip()
