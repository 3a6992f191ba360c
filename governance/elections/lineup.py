"""Who stands in the contests of an election, who is still asked, and who left, for pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from governance.elections import history, nominating, outcomes, rules_in_words
from governance.elections.report import report
from governance.elections.running import Visitor
from governance.models import Candidacy, Contest, Election
from governance.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Person:
    """A candidacy, and how many seconds it still lacks."""

    candidacy: Candidacy
    missing_seconds: int

    @property
    def state(self) -> str:
        """`standing`, `unanswered`, `unseconded` or `left`."""
        if self.candidacy.left_at is not None:
            return "left"
        if self.candidacy.accepted_at is None:
            return "unanswered"
        return "unseconded" if self.missing_seconds else "standing"

    @property
    def left(self) -> str:
        """How they left, in a sentence."""
        return history.left(self.candidacy)


@dataclass(frozen=True, slots=True)
class Lineup:
    """A contest: candidates by name, then those who are not candidates yet, then who left."""

    contest: Contest
    rules: list[str]
    not_to_nominate: Refusal | None
    voters: int
    people: list[Person] = field(default_factory=list)
    takes_nominations: bool = False
    answer: str = ""  # of the count, in a sentence
    elected: frozenset[int] = frozenset()  # candidacies

    def _of(self, *states: str) -> list[Person]:
        return [each for each in self.people if each.state in states]

    @property
    def standing(self) -> list[Person]:
        return self._of("standing")

    @property
    def coming(self) -> list[Person]:
        return self._of("unanswered", "unseconded")

    @property
    def gone(self) -> list[Person]:
        return self._of("left")


def of_election(election: Election, visitor: Visitor, at: datetime) -> Iterator[Lineup]:
    """Of one that `whole.read_people` has read."""
    counted = outcomes.counted(election) if election.counted_at else []
    for place, contest in enumerate(election.contests.all()):
        people = people_of(contest)
        elected = counted[place].elected if counted else ()
        yield Lineup(
            contest,
            list(rules_in_words.of_contest(contest)),
            nominating.not_to_nominate(visitor, contest, at),
            contest.on_the_roll if election.roll_drawn_at else 0,
            people,
            takes_nominations=election.takes_nominations(at),
            answer=report(counted[place]).answer if counted else "",
            elected=frozenset(
                each.candidacy.pk for each in people if each.candidacy.number in elected
            ),
        )


def people_of(contest: Contest) -> list[Person]:
    """Everybody who was nominated, by name, of a contest that `whole.read_people` has read."""
    return [_person(each, len(each.supports.all())) for each in contest.candidacies.all()]


def of_candidacy(candidacy: Candidacy) -> Person:
    return _person(candidacy, candidacy.supports.count())


def _person(candidacy: Candidacy, seconds: int) -> Person:
    return Person(candidacy, max(0, candidacy.contest.election.seconds_needed - seconds))
