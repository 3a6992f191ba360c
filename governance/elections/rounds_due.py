"""Which letters to many are due in an election, and for which it is too late."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta

from governance.models import Election, ElectionRound

Kind = ElectionRound.Kind
SECONDS_BEFORE = timedelta(days=3)  # the close of nominations: who lacks seconds is told
# How long before the close, the last first: who comes late to both is reminded once.
REMINDERS = ((Kind.LAST_CALL, timedelta(hours=24)), (Kind.REMINDER, timedelta(days=3)))
WHILE_NOMINATING = {Kind.NOMINATIONS, Kind.SECONDS}
WHILE_VOTING = {Kind.OPENED, Kind.REMINDER, Kind.LAST_CALL, Kind.CLOSING}


def due(election: Election, begun: Collection[str], at: datetime) -> list[Kind]:
    """What is to begin now and has not begun."""
    if election.takes_nominations(at) and election.elects_people:
        found = list(_of_nominations(election, at))
    elif election.takes_votes(at):
        found = list(_of_votes(election, begun, at))
    else:
        found = []
    return [kind for kind in found if kind not in begun]


def asks_for_seconds(election: Election, at: datetime) -> bool:
    """Whether the end of nominations is so near that who lacks seconds is told."""
    return election.takes_nominations(at) and at >= election.nominations_close_at - SECONDS_BEFORE


def is_late(kind: Kind, election: Election, at: datetime) -> bool:
    """Nobody is asked any more for what is over."""
    if kind in WHILE_NOMINATING:
        return not election.takes_nominations(at)
    return kind in WHILE_VOTING and not election.takes_votes(at)


def goes_to_the_invited(kind: Kind, election: Election) -> bool:
    """Before there is a roll, that it is called off is told to who was asked to take part."""
    return kind == Kind.CANCELLED and election.roll_drawn_at is None


def _of_nominations(election: Election, at: datetime) -> Iterator[Kind]:
    yield Kind.NOMINATIONS
    if asks_for_seconds(election, at):
        yield Kind.SECONDS


def _of_votes(election: Election, begun: Collection[str], at: datetime) -> Iterator[Kind]:
    """That it is open; a sweep later the reminder whose time has come."""
    if Kind.OPENED not in begun:
        yield Kind.OPENED
        return
    for kind, before in REMINDERS:
        if at >= election.closes_at - before:
            if not _opened_just_now(election, before):
                yield kind
                if kind == Kind.LAST_CALL and election.is_sealed:
                    yield Kind.CLOSING
            return


def _opened_just_now(election: Election, before: timedelta) -> bool:
    """A vote that is shorter than the time of the reminder has told everybody by its opening."""
    return election.opens_at >= election.closes_at - before
