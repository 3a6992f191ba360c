"""Elections of the demonstration on the way to their vote: dates, candidates, roll."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from governance.actions.candidacy import accept_nomination, nominate, second_nomination
from governance.actions.election import ContestPlan, announce_election, draft_election
from governance.actions.roll import draw_roll
from governance.elections.enfranchised import askable
from governance.models import Body, Contest, Election
from portal.accounts.demonstration import person
from portal.accounts.models import User

DAY = timedelta(days=1)
People = Mapping[str, Mapping[str, str]]  # by constituency, with their employers
STATEMENT = (
    "I have looked after a part of this project for some years. On the {body} I would publish what "
    "things cost, answer within a week, and leave after two terms."
)


def announced(
    actor: User,
    closes: datetime,
    *,
    body: str,
    contests: list[ContestPlan],
    people: People,
    **said: Any,
) -> Election:
    """With its candidates and its roll; voting was open for two weeks when it closes."""
    opens = closes.replace(hour=12, minute=0, second=0, microsecond=0) - 14 * DAY
    election = draft_election(
        actor=actor,
        election=Election(
            body=Body.objects.get(slug=body),
            nominations_open_at=opens - 24 * DAY,
            nominations_close_at=opens - 2 * DAY,
            record_at=opens - 12 * DAY,
            objections_close_at=opens - 2 * DAY,
            opens_at=opens,
            closes_at=opens + 14 * DAY,
            complaints_close_at=opens + 21 * DAY,
            **said,
        ),
        contests=contests,
        at=opens - 26 * DAY,
    )
    announce_election(actor=actor, election=election, at=opens - 25 * DAY)
    for contest in election.contests.all():
        if not contest.is_question:
            _nominate(contest, people[contest.constituency], opens - 20 * DAY)
    draw_roll(election_id=election.pk, at=opens - 12 * DAY)
    election.refresh_from_db()
    return election


def _nominate(contest: Contest, people: Mapping[str, str], at: datetime) -> None:
    """Each is put forward by one voter, seconded by another, and accepts."""
    voters = _voters(contest, at)
    for name, employer in people.items():
        others = [user for user in voters if user.name != name]
        asked = nominate(actor=others[0], contest=contest, nominee=person(name), at=at)
        second_nomination(actor=others[1], candidacy=asked, at=at + DAY)
        accept_nomination(
            actor=asked.user,
            candidacy=asked,
            affiliation=employer,
            statement=STATEMENT.format(body=str(contest.election.body).lower()),
            at=at + DAY,
        )


def _voters(contest: Contest, at: datetime) -> list[User]:
    """Who may vote in the constituency, by name."""
    found = [each.answer.voter for each in askable(contest, at) if each.answer.may_vote]
    return list(User.objects.filter(pk__in=[one for one in found if one]).order_by("name"))
