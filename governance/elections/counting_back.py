"""Who takes a seat of an election that became free: the same papers, without those who are gone.

What is asked of the database is who holds which seat on a day; the count is `recount.countback`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date

from django.utils import timezone
from django.utils.translation import gettext as _

from governance.elections import outcomes, signed, what_if
from governance.elections.shown import Shown, shown
from governance.models import Candidacy, Contest, Election, Seat, SeatTerm
from governance.recount.countback import Countback, countback


@dataclass(frozen=True, slots=True)
class Standing:
    """A candidate of the election on that day."""

    candidacy: Candidacy
    place: int  # in the manifest
    seat: Seat | None  # that they hold by this contest
    gone: str = ""  # why they cannot take a seat
    is_asked: bool = False  # who takes the free seat
    declines: bool = False
    is_passed_over: bool = False  # their employer has all the seats it may have


@dataclass(frozen=True, slots=True)
class CountedBack:
    free: tuple[Seat, ...]
    people: tuple[Standing, ...]  # in the order of the ballot
    shown: Shown | None = None  # the count that says who is asked
    is_too_much: bool = False  # to be counted while somebody waits

    @property
    def asked(self) -> Standing | None:
        return next((one for one in self.people if one.is_asked), None)


def of_seat(seat: Seat, since: date) -> Contest | None:
    """The contest whose count gave the seat to whom it was given on that day."""
    filled = Contest.objects.filter(seats=seat, election__state=Election.State.DECLARED)
    for contest in filled.select_related("election").order_by("-election__declared_at"):
        if is_filled_by(contest) and begins(contest.election) <= since:
            return contest
    return None


def is_filled_by(contest: Contest) -> bool:
    """Whether its count elected people to seats that are named."""
    election = contest.election
    if election.state != Election.State.DECLARED or election.is_rehearsal or contest.is_question:
        return False
    return contest.seats.exists() and bool(outcomes.of_contest(contest).elected)


def begins(election: Election) -> date:
    """The first day of the terms that it gave."""
    declared = timezone.localdate(election.declared_at or election.counted_at)
    return election.term_begins_on or declared


def counted_back(contest: Contest, *, declined: Collection[int], on: date) -> CountedBack:
    """For the first seat that is free on that day, or on the first of the terms if that is later;
    `declined` are places of who will not take it.
    """
    on = max(on, begins(contest.election))
    seats = tuple(sorted(contest.seats.all(), key=lambda seat: seat.number))
    people = tuple(_people(contest, seats, declined, on))
    held = {one.seat for one in people if one.seat}
    taken = SeatTerm.objects.seated_on(on).filter(seat__in=seats).values_list("seat_id", flat=True)
    free = tuple(seat for seat in seats if seat.pk not in set(taken))
    counted = outcomes.counted_contest(contest)
    if not free or len(held) >= len(counted.elected):
        return CountedBack(free, people)
    fixed = signed.contest_of(contest)
    papers = contest.election.count.papers_of(fixed.id)
    if what_if.work(len(papers), counted.contest) > what_if.MOST_WORK:
        return CountedBack(free, people, is_too_much=True)
    found = countback(
        fixed,
        papers,
        holding=[one.place for one in people if one.seat],
        gone=[one.place for one in people if one.gone],
        seed=counted.seed,
    )
    last = shown(replace(counted, rounds=found.rounds)) if found.rounds else None
    return CountedBack(free, tuple(_marked(people, found)), last)


def _people(
    contest: Contest, seats: tuple[Seat, ...], declined: Collection[int], on: date
) -> list[Standing]:
    """Everybody on the ballot, with what they hold and why they are gone."""
    since = begins(contest.election)
    terms = SeatTerm.objects.filter(since__gte=since, since__lte=on, seat__in=seats)
    own = {term.user_id: term for term in terms.select_related("seat").order_by("since")}
    sitting = SeatTerm.objects.seated_on(on).voting().filter(seat__body=contest.election.body_id)
    others = {term.user_id: term for term in sitting.select_related("seat")}
    found = []
    for candidacy in contest.candidacies.on_the_ballot():
        place, term = candidacy.number or 0, own.get(candidacy.user_id)
        holds = term.seat if term and (term.until is None or term.until > on) else None
        gone = "" if holds else _gone(candidacy, term, others.get(candidacy.user_id))
        declines = not holds and not gone and place in declined
        why = _("will not take it") if declines else gone
        found.append(Standing(candidacy, place, holds, why, declines=declines))
    return found


def _gone(candidacy: Candidacy, left: SeatTerm | None, other: SeatTerm | None) -> str:
    """`left` was their term in a seat of the contest, `other` is one in another of the body."""
    if candidacy.left_at:
        return str(candidacy.get_leaving_display())
    if left is not None:
        return _("left %(seat)s") % {"seat": left.seat.label}
    return _("holds %(seat)s") % {"seat": other.seat.label} if other else ""


def _marked(people: tuple[Standing, ...], found: Countback) -> list[Standing]:
    return [
        replace(
            one,
            is_asked=one.place == found.filled_by,
            is_passed_over=one.place in found.passed_over,
        )
        for one in people
    ]
