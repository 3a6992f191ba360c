"""The letters of a round; of those to entries of rolls one for each voter, for all their votes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from functools import cache, partial
from typing import Any

from django.utils import timezone

from governance.elections import dispute_letters, letters, nomination_letters, outcomes, rounds_due
from governance.elections.letter import Reader
from governance.elections.readers import link, of, reader
from governance.elections.report import report
from governance.models import Election, ElectionRound, RollEntry
from portal.lib import languages
from portal.lib.outbox import Letter

Kind = ElectionRound.Kind
Write = Callable[[Reader, list[str]], Letter]  # to whom, for which votes
FIRST_REMINDER = timedelta(days=3)  # before the close; the last is told by the day of the close


def of_kind(kind: Kind, election: Election, rows: Sequence[Any]) -> Iterator[Letter]:
    """To accounts, candidacies or entries of rolls, as the kind has them."""
    if kind in NOMINATIONS:
        return NOMINATIONS[kind](election, rows)
    if rounds_due.goes_to_the_invited(kind, election):
        write = _called_off(election)
        return (write(reader(user), []) for user in rows)
    return _to_voters(kind, election, rows)


def _to_voters(kind: Kind, election: Election, entries: Sequence[RollEntry]) -> Iterator[Letter]:
    """What a letter needs besides its reader is asked once."""
    write = WRITERS[kind](election)
    people = {entry.voter_id: entry.voter for entry in entries}
    votes = _votes(election, list(people))
    for pk, voter in people.items():
        yield write(reader(voter), votes[pk])


def _votes(election: Election, voters: list[int]) -> dict[int, list[str]]:
    """All votes that these people cast in it: a voter may have one of their own and a member's."""
    found: dict[int, list[str]] = defaultdict(list)
    entries = RollEntry.objects.standing().filter(contest__election=election)
    for entry in entries.filter(voter__in=voters):
        found[entry.voter_id].append(f"{entry.contest}: {entry.name}")
    return found


def _roll_shown(election: Election) -> Write:
    return lambda to, votes: letters.roll_shown(
        to,
        of(election),
        votes=votes,
        until=election.objections_close_at,
        link=link(election, "roll/mine/"),
    )


def _opened(election: Election) -> Write:
    return lambda to, votes: letters.voting_open(
        to,
        of(election),
        votes=votes,
        closes=election.closes_at,
        is_sealed=election.is_sealed,
        link=link(election, "vote/"),
    )


def _reminder(election: Election, *, before: timedelta) -> Write:
    day = timezone.localdate(election.closes_at - before)
    return lambda to, _votes: letters.reminder(
        to,
        of(election),
        closes=election.closes_at,
        is_sealed=election.is_sealed,
        link=link(election, "vote/"),
        day=day,
    )


def _closing(election: Election) -> Write:
    return lambda to, _votes: letters.closing_soon(
        to, of(election), closes=election.closes_at, link=link(election, "vote/")
    )


def _result(election: Election) -> Write:
    contests = election.contests.all()
    counted = outcomes.counted(election)

    @cache
    def answers(language: str) -> list[tuple[str, str]]:
        with languages.of_reader(language):
            pairs = zip(contests, counted, strict=True)
            return [(str(contest), report(each).answer) for contest, each in pairs]

    return lambda to, _votes: letters.result(
        to,
        of(election),
        answers=answers(to.language),
        complaints_until=election.complaints_close_at,
        link=link(election, "result/"),
    )


def _called_off(election: Election) -> Write:
    return lambda to, _votes: dispute_letters.called_off(
        to, of(election), because=election.cancelled_because, link=link(election)
    )


NOMINATIONS: dict[Kind, Callable[[Election, Sequence[Any]], Iterator[Letter]]] = {
    Kind.NOMINATIONS: nomination_letters.opened,
    Kind.SECONDS: nomination_letters.seconds,
}
WRITERS: dict[Kind, Callable[[Election], Write]] = {
    Kind.ROLL_SHOWN: _roll_shown,
    Kind.OPENED: _opened,
    Kind.REMINDER: partial(_reminder, before=FIRST_REMINDER),
    Kind.LAST_CALL: partial(_reminder, before=timedelta()),
    Kind.CLOSING: _closing,
    Kind.RESULT: _result,
    Kind.CANCELLED: _called_off,
}
