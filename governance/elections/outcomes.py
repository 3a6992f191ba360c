"""What a count says, with the people behind its numbers."""

from dataclasses import replace
from datetime import datetime

from django.utils.translation import gettext as _

from governance.clock import in_words
from governance.elections import of_outcome, signed
from governance.elections.counted import Counted
from governance.models import Candidacy, Contest, Election
from governance.recount import exports
from governance.recount.outcome import ContestOutcome, Outcome, Votes
from governance.refusals import Refusal
from governance.tally.formats.sheet import Sheet


def of(election: Election) -> Outcome:
    """The outcome as it was counted."""
    return election.count.outcome


def of_contest(contest: Contest) -> ContestOutcome:
    return of(contest.election).contest(contest.id_on_the_board)


def elected(contest: Contest) -> list[Candidacy]:
    """In the order of the count; nobody by a question, nor where the quorum was missed."""
    if contest.is_question:
        return []
    by_number = {each.number: each for each in contest.candidacies.on_the_ballot()}
    return [by_number[number] for number in of_contest(contest).elected]


def counted(election: Election) -> list[Counted]:
    """Each contest as its tables and its report tell of it, by the count that stands."""
    return list(of_outcome.all_counted(signed.manifest_of(election), of(election)))


def counted_contest(contest: Contest) -> Counted:
    """One of them alone."""
    return of_outcome.counted(signed.contest_of(contest), of(contest.election))


def papers(contest: Contest) -> Sheet:
    """The papers as files of other counting programs have them, as the recount writes them."""
    fixed = signed.contest_of(contest)
    votes = Votes(tuple(contest.election.count.papers_of(fixed.id)))
    found = exports.of_contest(fixed, votes, of_contest(contest).left)
    return replace(found, title=f"{contest.election}: {contest}")


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
