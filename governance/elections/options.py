"""What a voter chooses from in a contest: who stands, or the two answers to a question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from governance.models import Candidacy, Contest
from governance.tally import question


@dataclass(frozen=True, slots=True)
class Option:
    """A line of the ballot, with its place in the manifest."""

    number: int
    name: str
    affiliation: str = ""
    statement: str = ""
    note: str = ""  # how somebody left who stays on the ballot


def on_the_ballot(contest: Contest) -> list[Option]:
    """In the order of the manifest; nobody before candidates have their numbers."""
    return list(_answers(contest) if contest.is_question else _people(contest))


def _answers(contest: Contest) -> Iterator[Option]:
    yield Option(question.PROPOSAL, contest.proposal, statement=contest.proposal_text)
    yield Option(question.DEFAULT, contest.default_option)


def _people(contest: Contest) -> Iterator[Option]:
    for each in Candidacy.objects.filter(contest=contest).on_the_ballot():
        yield Option(
            each.number or 0,
            each.name,
            each.affiliation,
            each.statement,
            each.get_leaving_display() if each.left_at else "",
        )
