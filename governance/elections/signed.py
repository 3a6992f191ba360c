"""What the officers of an election signed, as its manifest has it."""

from governance.models import Contest, Election
from governance.sealed import manifest
from governance.sealed.manifest import Manifest


def manifest_of(election: Election) -> Manifest:
    return manifest.read(election.manifest.encode())


def contest_of(contest: Contest) -> manifest.Contest:
    return manifest_of(contest.election).contest(contest.id_on_the_board)
