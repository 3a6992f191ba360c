"""The sheet of a confidential election: a line for each ballot, without a name."""

from governance.models import ConfidentialBallot, Election, RollEntry
from governance.recount import bundle, files
from governance.recount.parts import Line


def of_ballots(election: Election) -> list[Line]:
    """As it is cast, before it is counted."""
    found = ConfidentialBallot.objects.of(election)
    return [
        Line(each.entry.contest.id_on_the_board, each.digest, bytes(each.paper))
        for each in found.select_related("entry__contest__election").order_by("digest")
    ]


def who_voted(election: Election) -> dict[str, list[int]]:
    """The roll numbers of those who took part, by contest."""
    found = {}
    for contest in election.contests.all():
        voted = RollEntry.objects.filter(contest=contest, confidential_ballot__isnull=False)
        numbers = voted.order_by("number").values_list("number", flat=True)
        found[contest.id_on_the_board] = [number for number in numbers if number]
    return found


def published(election: Election) -> list[Line]:
    """As it stands in the bundle of the count."""
    return files.read_sheet(bundle.unpack(bytes(election.count.bundle))[files.SHEET])


def find(election: Election, digest: str) -> Line | None:
    """The line of this name, once it is published."""
    return next((each for each in published(election) if each.digest == digest), None)
