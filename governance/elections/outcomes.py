"""What a count says, with the people behind its numbers."""

from collections.abc import Iterator
from datetime import datetime

from django.utils.translation import gettext as _

from governance.bundle import chain
from governance.clock import in_words
from governance.elections.counted import Absence, Counted, Turnout
from governance.models import Candidacy, Contest, Election
from governance.recount import outcome as counting
from governance.recount import result
from governance.recount.outcome import ContestOutcome, Count, Outcome
from governance.refusals import Refusal
from governance.sealed import manifest
from governance.tally.formats.sheet import Sheet, as_ranks, sheet


def of(election: Election) -> Outcome:
    """The outcome as it was counted."""
    return result.read(chain.canonical(election.count.result))


def of_contest(contest: Contest) -> ContestOutcome:
    return of(contest.election).contest(contest.id_on_the_board)


def elected(contest: Contest) -> list[Candidacy]:
    """In the order of the count; nobody where the quorum was missed."""
    by_number = {each.number: each for each in contest.candidacies.on_the_ballot()}
    return [by_number[number] for number in of_contest(contest).elected]


def counted(election: Election) -> Iterator[Counted]:
    """Each contest as its tables and its report tell of it, by the count that stands."""
    fixed = manifest.read(election.manifest.encode())
    for found in of(election).contests:
        yield told(fixed.contest(found.contest), found, found.stands, of(election).seed)


def told(contest: manifest.Contest, found: ContestOutcome, count: Count, seed: str) -> Counted:
    """One of the counts of a contest: with everybody, or without who left."""
    absent = dict.fromkeys(count.seated, Absence.SEATED)
    if found.without is not None and count == found.without:
        absent |= dict.fromkeys(found.left, Absence.WITHDREW)
    return Counted(
        turnout=Turnout(
            contest.title,
            on_roll=found.roll,
            took_part=found.took_part,
            blank=found.blank,
            spoilt=len(found.spoilt),
            quorum=found.quorum,
        ),
        contest=counting.rule(contest),
        names=tuple(candidate.name for candidate in contest.candidates),
        rounds=count.rounds,
        seed=seed,
        absent=absent,
    )


def papers(contest: Contest) -> Sheet:
    """The papers as files of other counting programs have them."""
    names = [each.name for each in contest.candidacies.on_the_ballot()]
    found = contest.election.count.papers_of(contest.id_on_the_board)
    schulze = contest.method == Contest.Method.SCHULZE
    ranks = ((1, paper if schulze else as_ranks(paper, len(names))) for paper in found if paper)
    gone = [each.number for each in contest.candidacies.on_the_ballot() if each.left_at]
    title = f"{contest.election}: {contest}"
    return sheet(title, names, contest.places, ranks, (one for one in gone if one is not None))


def not_to_declare(election: Election, at: datetime) -> Refusal | None:
    """The result stands when complaints are over and all are ruled on."""
    if election.state == Election.State.DECLARED:
        return Refusal(_("The result is declared already."))
    if election.state != Election.State.COUNTED:
        return Refusal(_("The votes are not counted yet."))
    if at < election.complaints_close_at:
        return Refusal(
            _("Complaints can be made until %(when)s.")
            % {"when": in_words(election.complaints_close_at)}
        )
    if election.complaints.filter(answer="").exists():
        return Refusal(_("Some complaints wait for their ruling."))
    return None
