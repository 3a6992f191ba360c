"""The bodies of the demonstration foundation and what they decided, by the actions of everybody."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import partial
from itertools import chain

from django.db import transaction

from governance.actions.body import save_body, save_seat
from governance.actions.closing import close_motion
from governance.actions.motion import draft_motion, open_motion, second_motion
from governance.actions.rule_set import write_rule_set
from governance.actions.seat import seat_person
from governance.actions.vote import cast_vote
from governance.demonstrations import bodies as other_bodies
from governance.demonstrations import bylaws as demonstration_bylaws
from governance.demonstrations import (
    confidential,
    consensus,
    consent,
    discussions,
    elections,
    meetings,
    sealed,
    speakers,
)
from governance.demonstrations import rule_set as demonstration_rule_set
from governance.demonstrations.acts import Act
from governance.demonstrations.texts import (
    BOARD_SEATS,
    BODIES,
    COUNCIL_SEATS,
    MOTIONS,
    OFFICES,
    RULES,
    Office,
    Question,
    Sitting,
)
from governance.models import Body, Motion, RuleSet, Seat, SeatTerm, Vote
from portal.accounts.demonstration import person, remembered
from portal.accounts.models import User

PARTS = (meetings, demonstration_bylaws, discussions, consent, consensus)
FOUNDED = date(2013, 2, 1)
DISCUSSED = timedelta(days=5)  # between the draft and the opening of its vote


@transaction.atomic
def load(*, actor: User | None, at: datetime) -> None:
    """Bodies, their rules, their motions; each part is loaded once."""
    with remembered():
        if not Body.objects.filter(slug__in=BODIES).exists():
            _board_and_council(actor, at)
        other_bodies.load(actor=actor, at=at)
        if actor is not None:
            speakers.load(actor=actor, at=at)
            elections.load(actor=actor, at=at)


def load_more(*, actor: User, at: datetime) -> Iterator[str]:
    """Elections with ballots: the cryptography of sealed ones takes its seconds."""
    with remembered():
        yield from sealed.load_more(actor=actor, at=at)
        yield from confidential.load_more(actor=actor, at=at)


def _board_and_council(actor: User | None, at: datetime) -> None:
    """A board of two halves, an engineering council, their rules, and their motions."""
    bodies = {
        slug: save_body(actor=actor, body=Body(slug=slug, since=FOUNDED, **fields))
        for slug, fields in BODIES.items()
    }
    for slug, fields in RULES:
        write_rule_set(actor=actor, rule_set=RuleSet(body=bodies[slug], **fields))
    demonstration_rule_set.load(actor=actor, board=bodies["board"], at=at)
    demonstration_bylaws.record(actor=actor, board=bodies["board"], founded=FOUNDED, at=at)
    for sitting in BOARD_SEATS:
        _seat(actor, bodies["board"], sitting, at)
    for sitting in COUNCIL_SEATS:
        _seat(actor, bodies["council"], sitting, at)
    decided = _decide(actor, bodies, at)
    for office in OFFICES:
        if office.office != Seat.Office.SECRETARY:
            _office(actor, bodies["board"], office, decided.get(office.decided_by), at)
    demonstration_bylaws.talk(at=at)
    discussions.load(at)
    consent.load(at)
    consensus.load(at)


def _decide(actor: User | None, bodies: dict[str, Body], at: datetime) -> dict[str, Motion]:
    """All that was decided in the order of its days, so that numbers of resolutions are too."""
    decided: dict[str, Motion] = {}

    def put(question: Question) -> None:
        motion = decided[question.title] = _motion(bodies[question.body], question, at)
        for office in OFFICES:
            if office.office == Seat.Office.SECRETARY and office.decided_by == question.title:
                _office(actor, bodies["board"], office, motion, at)  # who records what follows

    questions: list[Act] = [(_end(question, at), partial(put, question)) for question in MOTIONS]
    others = chain.from_iterable(part.acts(bodies, at) for part in PARTS)
    for _moment, act in sorted([*questions, *others], key=_first):
        act()
    return decided


def _end(question: Question, at: datetime) -> datetime:
    """When it was decided; drafts and open votes come last."""
    return min(at, at - timedelta(days=question.opened - question.days)) if question.opened else at


def _first(act: Act) -> datetime:
    return act[0]


def _seat(actor: User | None, body: Body, sitting: Sitting, at: datetime) -> None:
    """A seat with its last holder and the present one. Terms begin in the spring, for two years."""
    seat = save_seat(
        actor=actor,
        seat=Seat(
            body=body,
            number=sitting.number,
            constituency=sitting.constituency,
            cohort=sitting.cohort,
            term_months=24 if sitting.cohort else None,
            maximum_terms=3 if sitting.cohort else None,
            since=FOUNDED,
        ),
    )
    # The year of a demonstration begins in spring, so that every term has begun when it is loaded.
    begins = _spring(at, sitting.since if sitting.name else 0)
    if sitting.before:
        seat_person(
            actor=actor,
            seat=seat,
            user=person(sitting.before),
            since=begins.replace(year=begins.year - 2),
            until=begins,
            affiliation=sitting.affiliation if sitting.before == sitting.name else "Independent",
            entry=_entry(seat),
        )
    if sitting.name:
        seat_person(
            actor=actor,
            seat=seat,
            user=person(sitting.name),
            since=begins,
            until=begins.replace(year=begins.year + 2),
            affiliation=sitting.affiliation,
            entry=_entry(seat),
        )


def _entry(seat: Seat) -> SeatTerm.Entry:
    return SeatTerm.Entry.ELECTED if seat.is_elected else SeatTerm.Entry.APPOINTED


def _spring(at: datetime, years: int) -> date:
    """The first of March at least half a year before `at`, moved by `years`."""
    half_a_year_before = at.date() - timedelta(days=183)
    spring = date(half_a_year_before.year, 3, 1)
    if spring > half_a_year_before:
        spring = spring.replace(year=spring.year - 1)
    return spring.replace(year=spring.year + years)


def _office(
    actor: User | None, body: Body, office: Office, decided_by: Motion | None, at: datetime
) -> None:
    seat = save_seat(
        actor=actor,
        seat=Seat(
            body=body,
            number=office.number,
            is_voting=False,
            office=office.office,
            title=office.title,
            since=FOUNDED,
        ),
    )
    decided_on = decided_by.decided_at.date() if decided_by and decided_by.decided_at else None
    seat_person(
        actor=actor,
        seat=seat,
        user=person(office.name),
        since=decided_on or _spring(at, 0),
        affiliation=office.affiliation,
        decided_by=decided_by,
    )


def _draft(body: Body, question: Question, opened: datetime) -> Motion:
    """In time for what the rules want discussed before."""
    if question.bylaws:
        return demonstration_bylaws.discussed(question, at=opened)
    return draft_motion(
        actor=person(question.by),
        body=body,
        subject=question.subject,
        title=question.title,
        summary=question.summary,
        text=question.text,
        papers=question.papers,
        at=opened - DISCUSSED,
    )


def _motion(body: Body, question: Question, at: datetime) -> Motion:
    """Write, second, open, vote, and count what is over at `at`."""
    opened = (at - timedelta(days=question.opened)).replace(
        hour=14, minute=0, second=0, microsecond=0
    )
    motion = _draft(body, question, opened)
    if not question.opened:
        return motion
    if not question.bylaws:
        second_motion(actor=person(question.second), motion=motion, at=opened - DISCUSSED / 2)
    motion = open_motion(
        actor=person(question.by),
        motion=motion,
        deadline=opened + timedelta(days=question.days),
        at=opened,
    )
    for hours, (name, choice) in enumerate(question.votes, start=3):
        cast_vote(
            actor=person(name),
            motion=motion,
            choice=Vote.Choice(choice),
            reason=question.reasons.get(name, ""),
            at=opened + timedelta(hours=hours * 2, minutes=hours * 7),
        )
    close_motion(motion_id=motion.pk, at=at)
    motion.refresh_from_db()
    return motion
