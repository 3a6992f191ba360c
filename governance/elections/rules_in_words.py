"""The rules of an election in sentences, as the manifest fixes them and pages show them."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from governance.models import Contest, Election

Method = Contest.Method
METHODS = {
    Method.SCOTTISH_STV: lazy(
        "Voters rank candidates. Who reaches the quota is elected and passes on what is beyond it; "
        "who has fewest leaves and passes everything on. Counted by the rules of Scotland's local "
        "elections (weighted inclusive Gregory method, five decimals)."
    ),
    Method.MEEK_STV: lazy(
        "Voters rank candidates. Who reaches the quota keeps just as much of every vote as they "
        "need, who has fewest leaves, and the quota falls with the votes that nobody gets. Counted "
        "by the Reference Meek Rule."
    ),
    Method.IRV: lazy(
        "Voters rank candidates. Who has fewest votes leaves and passes them on, until somebody "
        "has more than half."
    ),
    Method.SCHULZE: lazy(
        "Voters rank candidates, also equally. Each pair is compared; elected is who beats "
        "everybody by the strongest chain of majorities (winning votes)."
    ),
    Method.APPROVAL: lazy(
        "Voters mark everybody whom they approve of. Those with most marks are elected."
    ),
    Method.PLURALITY: lazy(
        "Voters mark as many candidates as there are seats, or fewer. Those with most marks are "
        "elected."
    ),
    Method.QUESTION: lazy(
        "Voters say yes or no, or abstain with a blank vote, which takes part and counts for "
        "neither side. Nobody takes a seat by it."
    ),
}


def of_election(election: Election) -> list[str]:
    """All of them, those of each contest first."""
    contests = list(election.contests.all())
    found = [f"{contest}: {sentence}" for contest in contests for sentence in of_contest(contest)]
    return [*found, *_of_all(sum(not contest.is_question for contest in contests))]


def of_contest(contest: Contest) -> Iterator[str]:
    yield from _of_question(contest) if contest.is_question else _of_seats(contest)
    if contest.quorum_percent:
        yield _("It counts if %(percent)s percent of the roll take part.") % {
            "percent": contest.quorum_percent
        }


def _of_question(contest: Contest) -> Iterator[str]:
    words = {"yes": contest.ratio_yes, "no": contest.ratio_no, "default": contest.default_option}
    yield _("Asked is: %(proposal)s") % {"proposal": contest.proposal}
    yield str(METHODS[Method.QUESTION])
    if contest.ratio_yes <= contest.ratio_no:
        yield _("It is carried if more say yes than no.") % words
    else:
        yield _("It is carried if at least %(yes)s say yes for every %(no)s who say no.") % words
    yield _("If it is not carried: %(default)s") % words


def _of_seats(contest: Contest) -> Iterator[str]:
    yield ngettext("%(count)s seat is filled.", "%(count)s seats are filled.", contest.places) % {
        "count": contest.places
    }
    yield str(METHODS[Method(contest.method)])
    if contest.most_of_one_affiliation is not None:
        yield ngettext(
            "One employer wins at most %(count)s seat: of more people who are elected, the one "
            "elected last leaves, and everything is counted again without them.",
            "One employer wins at most %(count)s seats: of more people who are elected, the one "
            "elected last leaves, and everything is counted again without them.",
            contest.most_of_one_affiliation,
        ) % {"count": contest.most_of_one_affiliation}


def _of_all(filling_seats: int) -> Iterator[str]:
    """A question that ends in a tie is not carried, so that nothing is drawn there."""
    if not filling_seats:
        return
    if filling_seats > 1:
        yield _(
            "Contests are counted in this order. Who is elected in one does not stand in the next: "
            "one person takes one seat."
        )
    yield _(
        "Where a rule has to choose between equals and the stages before do not tell them apart, "
        "a lot does. Its seed is made of the last block of the board and of hidden numbers of two "
        "officers, which are fixed before and told after the vote."
    )
