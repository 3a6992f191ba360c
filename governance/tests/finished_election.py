"""A sealed election that is over, with all its parts: for tests of the recount."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from typing import Any

from governance.recount import bundle
from governance.recount.check import check
from governance.recount.outcome import Outcome
from governance.recount.parts import Line, Opening, Parts
from governance.recount.state import Report
from governance.sealed import board, manifest, paper, wire
from governance.sealed.ballot import Ballot, Pseudonym
from governance.sealed.manifest import CONFIDENTIAL, Manifest
from governance.tests import sealed_election as made
from governance.tests.sealed_election import CONTRIBUTORS, MEMBERS, NAME, Keys

Files = dict[str, bytes]
Voters = dict[str, list[tuple[made.Key, Pseudonym]]]
BLANK = b""
SPOILT = bytes([0, 0])  # a candidate twice


@dataclass
class Election:
    """All that is private about it too, so that tests can forge what nobody else could."""

    private: Keys
    manifest: Manifest
    voters: Voters
    blocks: list[list[Ballot]] = field(default_factory=list)
    issued: dict[str, list[int]] = field(default_factory=dict)

    @property
    def text(self) -> bytes:
        return manifest.write(self.manifest)

    @property
    def ballots(self) -> list[Ballot]:
        return [ballot for block in self.blocks for ballot in block]

    def cast(self, contest: str, voter: int, vote: bytes, sequence: int = 1) -> Ballot:
        who = self.voters[contest][voter]
        return made.ballot(self.manifest, contest, who, paper.write(vote), sequence)

    def parts(self, **changed: Any) -> Parts:
        ballots = sorted(self.ballots, key=lambda one: one.digest)
        found = Parts(
            manifest=self.text,
            signatures=tuple(made.signatures(self.private, self.text)),
            issued=self.issued,
            opening=self.opening(),
            blocks=tuple(map(wire.write_block, self.chain())),
            ballots=tuple(map(wire.write_ballot, ballots)),
        )
        return replace(found, **changed)

    def opening(self) -> Opening:
        secret = self.private.election.private_numbers().private_value
        needed = self.manifest.shares_needed
        return Opening(tuple(self.private.shares[:needed]), secret, tuple(self.private.nonces))

    def chain(self) -> list[board.Block]:
        found: list[board.Block] = []
        name, key = self.manifest.election, self.private.box
        for block in self.blocks:
            names = [ballot.digest for ballot in block]
            if found:
                found.append(board.next_block(found[-1], names, key))
            else:
                found.append(board.first_block(name, manifest.digest(self.text), names, key))
        return found


@cache
def _keys() -> Keys:
    return made.keys()


@cache
def _voters(contest: str, number: int) -> tuple[tuple[made.Key, Pseudonym], ...]:
    return tuple(made.voter(contest) for _ in range(number))


def election(votes: Mapping[str, Sequence[bytes]] | None = None, **contest: Any) -> Election:
    """Two constituencies; by default with a change of vote, a blank and a spoilt one."""
    votes = VOTES if votes is None else votes
    contests = tuple(
        replace(made.contest(name, voters=len(cast) + 1), **contest) for name, cast in votes.items()
    )
    found = Election(
        _keys(),
        made.made(_keys(), contests=contests),
        {name: list(_voters(name, len(cast) + 1)) for name, cast in votes.items()},
        issued={name: list(range(1, len(cast) + 1)) for name, cast in votes.items()},
    )
    first = [
        found.cast(name, voter, vote)
        for name, cast in votes.items()
        for voter, vote in enumerate(cast)
    ]
    found.blocks = [first[::2], first[1::2]]
    return found


VOTES: Mapping[str, Sequence[bytes]] = {
    CONTRIBUTORS: [b"\x00\x01", b"\x00\x02", b"\x01", b"\x02\x01", BLANK],
    MEMBERS: [b"\x00", b"\x01\x02", b"\x01\x00", SPOILT],
}


def with_a_change() -> Election:
    """In the last block somebody votes again, by another paper."""
    found = election()
    found.blocks.append([found.cast(CONTRIBUTORS, 0, b"\x02", sequence=2)])
    return found


def confidential(votes: Mapping[str, Sequence[bytes]] | None = None) -> Parts:
    """The same votes, on a sheet."""
    votes = VOTES if votes is None else votes
    sealed = election(votes)
    contests = tuple(replace(one, registrar_key="") for one in sealed.manifest.contests)
    nothing: dict[str, Any] = {"election_key": "", "box_key": "", "scrutineers": ()}
    sealed.manifest = replace(
        sealed.manifest, level=CONFIDENTIAL, contests=contests, shares_needed=0, **nothing
    )
    lines = tuple(
        Line(name, sha256(f"{name} {place}".encode()).hexdigest(), vote)
        for name, cast in votes.items()
        for place, vote in enumerate(cast)
    )
    numbers = sealed.opening().nonces
    return sealed.parts(sheet=lines, blocks=(), ballots=(), opening=Opening((), 0, numbers))


def packed(parts: Parts) -> bytes:
    return bundle.write(parts, bundle.count(parts))


def contents(parts: Parts) -> Files:
    return bundle.contents(parts, bundle.count(parts))


def changed(files: Files, name: str, change: Callable[[bytes], bytes]) -> Files:
    """With another text of a file, and sums that agree with it."""
    return bundle.summed({**files, name: change(files[name])})


def checked(parts: Parts, **more: Any) -> Report:
    """The parts with a result and sums that agree with them, as far as they can be counted."""
    try:
        counted = bundle.count(parts)
    except ValueError:
        counted = Outcome(NAME, "", (), ())
    return check(bundle.contents(parts, counted), **more)


def faults(parts: Parts, title: str) -> str:
    """What that step says, and that it is the first with a fault."""
    steps = [step for step in checked(parts).steps if step.faults]
    assert steps, "nothing was found"
    assert steps[0].title == title, steps
    return "; ".join(steps[0].faults)


def with_opening(made: Election, **changed: Any) -> Parts:
    return made.parts(opening=replace(made.opening(), **changed))
