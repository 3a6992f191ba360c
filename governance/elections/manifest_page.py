"""The manifest of an election as a page tells of it: what it says, and whether it is signed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.utils.translation import gettext as _

from governance.elections import signed
from governance.elections.report import method_name
from governance.models import Candidacy, Contest, Election
from governance.sealed import manifest
from governance.sealed.manifest import Candidate, Manifest, Officer, Voter
from governance.sealed.wire import to_bytes
from governance.tally import question


@dataclass(frozen=True, slots=True)
class Standing:
    """A name on the ballot. `is_as_signed` says whether the statement is still the one whose hash
    was signed; None where nobody stands.
    """

    candidate: Candidate
    candidacy: Candidacy | None = None
    is_as_signed: bool | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """A contest of the manifest."""

    fixed: manifest.Contest
    contest: Contest
    method: str
    people: list[Standing]

    @property
    def is_question(self) -> bool:
        return self.fixed.method == question.METHOD


@dataclass(frozen=True, slots=True)
class Signed:
    """An officer, when they signed, and whether that is a signature of this text by their key."""

    officer: Officer
    at: datetime | None
    is_sound: bool


@dataclass(frozen=True, slots=True)
class ManifestPage:
    manifest: Manifest
    contests: list[Held]
    signatures: list[Signed]
    roll: list[tuple[str, Voter]]  # with the title of the contest
    keys: list[tuple[str, str]]  # whose, and the public half


def of(election: Election) -> ManifestPage:
    found = signed.manifest_of(election)
    contests = {each.id_on_the_board: each for each in election.contests.all()}
    return ManifestPage(
        found,
        [_held(each, contests[each.id]) for each in found.contests],
        list(_signatures(election, found)),
        [(each.title, voter) for each in found.contests for voter in each.roll],
        _keys(found),
    )


def _held(fixed: manifest.Contest, contest: Contest) -> Held:
    known = {each.number: each for each in contest.candidacies.on_the_ballot()}
    people = [_standing(each, known.get(place)) for place, each in enumerate(fixed.candidates)]
    return Held(fixed, contest, method_name(fixed.method), people)


def _standing(candidate: Candidate, candidacy: Candidacy | None) -> Standing:
    if candidacy is None:
        return Standing(candidate)
    digest = sha256(candidacy.statement.encode()).hexdigest()
    return Standing(candidate, candidacy, digest == candidate.statement_sha256)


def _signatures(election: Election, found: Manifest) -> Iterator[Signed]:
    text, holders = (
        election.manifest.encode(),
        {each.place: each for each in election.officers.all()},
    )
    for place, officer in enumerate(found.officers, start=1):
        holder = holders.get(place)
        if holder is None or not holder.signature:
            yield Signed(officer, None, is_sound=False)
        else:
            is_sound = manifest.is_signed(officer, text, to_bytes(holder.signature))
            yield Signed(officer, holder.signed_at, is_sound)


def _keys(found: Manifest) -> list[tuple[str, str]]:
    """The public halves of all keys that the manifest names."""
    named = [
        (_("Ballots are sealed to"), found.election_key),
        (_("Ballot box"), found.box_key),
        *(
            (_("Registrar of “%(contest)s”") % {"contest": each.title}, each.registrar_key)
            for each in found.contests
        ),
        *((each.name, each.key) for each in found.officers),
    ]
    return [(whose, key) for whose, key in named if key]
