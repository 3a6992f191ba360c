"""What who keeps the seats of a body has to do now about a vacant one, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from governance.bodies.vacancies import Filling, Vacancy
from governance.elections import counting_back
from governance.models import Body, Seat, SeatTerm
from governance.models.seat import Place
from governance.tally.rules import FilledBy, VacancyTerm


@dataclass(frozen=True, slots=True)
class Step:
    """A sentence, and where it is done."""

    text: str
    url: str = ""
    link: str = ""


@dataclass(frozen=True, slots=True)
class Duty:
    """A vacant seat, by when it is to be filled, and the way there."""

    vacancy: Vacancy
    due_on: date | None
    is_overdue: bool
    steps: tuple[Step, ...]


def duties(places: list[Place], found: list[Vacancy], how: Filling | None, on: date) -> list[Duty]:
    """Of the vacant seats among these places; the one that is due first is first."""
    told = [_duty(vacancy, places, how, on) for vacancy in found]
    return sorted(told, key=lambda duty: (duty.due_on or date.max, duty.vacancy.seat.number))


def usual_end(vacancy: Vacancy, how: Filling | None, on: date) -> date | None:
    """Until when the rules seat who fills it."""
    term = how.rule.term if how else VacancyTerm.REST_OF_TERM
    if term is VacancyTerm.NEXT_ELECTION:
        return next_election(vacancy.seat, on) or vacancy.rest_until(on)
    rest = vacancy.rest_until(on) if term is VacancyTerm.REST_OF_TERM else None
    return rest or vacancy.seat.full_term(on)


def next_election(seat: Seat, on: date) -> date | None:
    """When the next terms of the same constituency end."""
    alike = (
        SeatTerm.objects.seated_on(on)
        .voting()
        .filter(seat__body=seat.body_id, seat__constituency=seat.constituency, until__isnull=False)
    )
    return alike.order_by("until").values_list("until", flat=True).first()


def _duty(vacancy: Vacancy, places: list[Place], how: Filling | None, on: date) -> Duty:
    due = how.due_on(vacancy) if how and vacancy.seat.is_voting and not vacancy.next else None
    steps = tuple(_steps(vacancy, places, how, on))
    return Duty(vacancy, due, due is not None and due < on, steps)


def _steps(vacancy: Vacancy, places: list[Place], how: Filling | None, on: date) -> Iterator[Step]:
    if vacancy.next is not None:
        words = {"name": vacancy.next.user, "day": date_format(vacancy.next.since, "j M Y")}
        yield Step(_("Nothing: %(name)s takes it on %(day)s.") % words)
        return
    way = how.rule.filled_by if how and vacancy.seat.is_voting else FilledBy.BODY
    if way is FilledBy.SPECIAL_ELECTION:
        yield from _special_election(vacancy.seat)
    elif way is FilledBy.COUNTBACK:
        yield from _countback(vacancy)
    elif way is FilledBy.SAME_CLASS:
        yield from _same_class(vacancy.seat, places)
    elif way is FilledBy.NOBODY:
        yield from _nobody(vacancy.seat, on)
    elif not any(place.term and place.seat.is_voting for place in places):
        yield _first_members(vacancy.seat)
    elif how is None and vacancy.seat.is_voting:
        yield from _without_rules(vacancy.seat)
    else:
        yield Step(_("The members who remain appoint somebody by a motion."), *_motion())
        yield _fill(vacancy.seat, _("When it is carried, give the seat and name the resolution."))


def _first_members(seat: Seat) -> Step:
    return _fill(
        seat,
        _(
            "Nobody holds a voting seat who could appoint somebody: give the seat to who was named"
            " when the body was founded, or elected."
        ),
    )


def _without_rules(seat: Seat) -> Iterator[Step]:
    yield Step(
        _("No rules of this body are in force, so none say who fills it. Write them first."),
        f"{reverse('governance:rule_set_new')}?body={seat.body.slug}",
        _("Write rules"),
    )
    yield _fill(seat, _("Or give the seat to who was chosen, and name the resolution."))


def _special_election(seat: Seat) -> Iterator[Step]:
    yield Step(
        _("Call the election: tell those who elect this seat by when they name candidates."),
        *_electorate(seat),
    )
    yield Step(
        _("Is there one candidate, put the name to them as a motion: who votes is their class."),
        *_motion(),
    )
    yield _fill(
        seat, _("Give the seat to who is elected, and name the resolution if there is one.")
    )


def _countback(vacancy: Vacancy) -> Iterator[Step]:
    seat, elected = vacancy.seat, _last_elected(vacancy)
    if elected is None:
        yield Step(
            _("No election of this seat is on record, so nothing is counted again: call one."),
            *_electorate(seat),
        )
        yield _fill(seat, _("Give the seat to who is elected."))
        return
    words = {"day": date_format(elected.since, "j M Y"), "name": elected.user}
    contest = counting_back.of_seat(seat, elected.since)
    if contest is not None:
        yield Step(
            _("The papers of the election for the term of %(day)s say who is next.") % words,
            reverse(
                "governance:result_countback", args=[contest.election.name, contest.constituency]
            ),
            _("Count them again"),
        )
        yield Step(_("Ask who comes out whether they accept; the page counts without them too."))
        yield _fill(seat, _("Give the seat to who accepts, as next in the count."))
        return
    yield Step(
        _(
            "Have the ballots of the election for the term of %(day)s counted again without"
            " %(name)s, by those who counted it then."
        )
        % words,
        *_decision(elected),
    )
    yield Step(_("Ask who comes out whether they accept; if not, count again without them too."))
    yield _fill(seat, _("Give the seat to who accepts, as next in the count."))


def _same_class(seat: Seat, places: list[Place]) -> Iterator[Step]:
    names = [
        str(place.term.user)
        for place in places
        if place.term and place.seat.is_voting and place.seat.constituency == seat.constituency
    ]
    if not names:
        yield Step(
            _("Nobody is left of this constituency to appoint somebody: have its voters elect."),
            *_electorate(seat),
        )
    else:
        words = {"names": ", ".join(names)}
        yield Step(_("These appoint somebody together: %(names)s. Ask them whom.") % words)
    yield _fill(seat, _("Give the seat to the person, and name the resolution if there is one."))


def _nobody(seat: Seat, on: date) -> Iterator[Step]:
    election = next_election(seat, on)
    day = date_format(election, "j M Y") if election else ""
    yield Step(
        _("Nothing now: it stays vacant until the next election, for the terms from %(day)s on.")
        % {"day": day}
        if day
        else _("Nothing now: it stays vacant until the next election.")
    )


def _last_elected(vacancy: Vacancy) -> SeatTerm | None:
    elected = SeatTerm.objects.filter(seat=vacancy.seat, entry=SeatTerm.Entry.ELECTED)
    return elected.select_related("user", "decided_by").order_by("-since").first()


def _decision(term: SeatTerm) -> tuple[str, str]:
    if term.decided_by is None:
        return "", ""
    return term.decided_by.get_absolute_url(), _("Its resolution")


def _electorate(seat: Seat) -> tuple[str, str]:
    """The page of the class that elects the seat, if it is on record."""
    found = Body.objects.filter(kind=Body.Kind.MEMBERSHIP, constituency=seat.constituency).first()
    return (found.get_absolute_url(), str(found)) if found else ("", "")


def _motion() -> tuple[str, str]:
    return reverse("governance:motion_new"), _("Write the motion")


def _fill(seat: Seat, text: str) -> Step:
    url = reverse("governance:term_new", args=[seat.body.slug, seat.number])
    return Step(text, url, _("Fill the seat"))
