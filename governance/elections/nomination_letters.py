"""Letters to who may nominate, to who lacks seconds, and to who is elected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from django.utils.translation import ngettext

from governance.elections import letters, outcomes
from governance.elections.readers import link, of, reader
from governance.models import Candidacy, Contest, Election, Seat
from portal.accounts.models import User
from portal.lib import languages
from portal.lib.outbox import Letter


def opened(election: Election, people: Iterable[User]) -> Iterator[Letter]:
    """Nominations are open."""
    contests = [each for each in election.contests.all() if not each.is_question]
    for user in people:
        with languages.of_reader(user.language):
            named = [_with_seats(each) for each in contests]
        yield letters.nominations_open(
            reader(user),
            of(election),
            contests=named,
            until=election.nominations_close_at,
            link=link(election),
        )


def _with_seats(contest: Contest) -> str:
    seats = ngettext("%(places)s seat", "%(places)s seats", contest.places)
    return f"{contest}, {seats % {'places': contest.places}}"


def seconds(election: Election, candidacies: Iterable[Candidacy]) -> Iterator[Letter]:
    """Seconds are missing, and the end of nominations is near."""
    for each in candidacies:
        yield letters.seconds_needed(
            reader(each.user),
            of(election),
            contest=str(each.contest),
            got=each.supports.count(),
            needed=election.seconds_needed,
            until=election.nominations_close_at,
            link=link(election, f"candidates/{each.pk}/"),
        )


def elected(election: Election) -> Iterator[Letter]:
    """Congratulations, with the seat as it will be given: the first elected takes the first."""
    for contest in election.contests.all():
        seats = contest.seats.order_by("number")
        for candidacy, seat in zip_longest(outcomes.elected(contest), seats):
            if candidacy is not None:
                yield _elected(candidacy, contest, seat)


def _elected(candidacy: Candidacy, contest: Contest, seat: Seat | None) -> Letter:
    election = contest.election
    since = election.term_begins_on
    return letters.elected(
        reader(candidacy.user),
        of(election),
        contest=str(contest),
        since=since,
        until=seat.full_term(since) if seat and since else None,
        complaints_until=election.complaints_close_at,
        link=link(election, "result/"),
    )
