"""From the ballots to the votes that count: opened, of each voter the last one, spoilt ones named.

Every ballot costs some tenths of a millisecond, so the work can be shared out among processes.
"""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, TypeVar

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec

from governance.recount.outcome import Spoilt, Votes
from governance.recount.parts import Line
from governance.sealed import paper, wire
from governance.sealed.ballot import Ballot, BallotError, bound_to, check, standing
from governance.sealed.envelope import CURVE, EnvelopeError, open_envelope
from governance.sealed.manifest import Contest, Manifest
from governance.sealed.paper import PaperError
from governance.sealed.wire import WireError

FEW: Final = 2_000  # ballots: for fewer, starting processes takes longer than it spares
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Examined:
    """A line of ballots.jsonl. One that is not counted says why."""

    ballot: Ballot | None
    digest: str = ""
    fault: str = ""


def examine(lines: Sequence[bytes], manifest: Manifest, *, workers: int = 1) -> list[Examined]:
    """Every signature of every ballot, in the order of the lines."""
    return _shared_out(_examine, lines, _light(manifest), workers)


def votes(
    manifest: Manifest,
    ballots: Sequence[Ballot],
    key: int,
    *,
    issued: Mapping[str, Sequence[int]],
    workers: int = 1,
) -> dict[str, Votes]:
    """The votes of all contests. `ballots` were examined; `key` is the private number.

    Raises BallotError where a pseudonym has two ballots of one sequence.
    """
    last = [one for contest in manifest.contests for one in _last(ballots, contest)]
    read = _shared_out(_read, last, (_light(manifest), key), workers)
    found: dict[str, tuple[list[bytes], list[Spoilt]]] = {
        contest.id: ([], []) for contest in manifest.contests
    }
    for ballot, (vote, why) in zip(last, read, strict=True):
        papers, spoilt = found[ballot.contest.decode()]
        if vote is None:
            spoilt.append(Spoilt(ballot.digest, why))
        else:
            papers.append(vote)
    cast = Counter(ballot.contest.decode() for ballot in ballots)
    return {
        contest: Votes(
            tuple(sorted(papers)),
            tuple(spoilt),
            cast[contest] - len(papers) - len(spoilt),
            len(issued.get(contest, ())),
        )
        for contest, (papers, spoilt) in found.items()
    }


def votes_of_sheet(
    manifest: Manifest, lines: Sequence[Line], voted: Mapping[str, Sequence[int]]
) -> dict[str, Votes]:
    """The same from the sheet of a confidential election."""
    found = {}
    for contest in manifest.contests:
        papers, spoilt = list[bytes](), list[Spoilt]()
        for line in lines:
            if line.contest == contest.id:
                vote, why = _paper(contest, paper.write(line.paper))
                if vote is None:
                    spoilt.append(Spoilt(line.digest, why))
                else:
                    papers.append(vote)
        number = len(voted.get(contest.id, ()))
        found[contest.id] = Votes(tuple(sorted(papers)), tuple(spoilt), 0, number)
    return found


def _light(manifest: Manifest) -> Manifest:
    """What a process is sent: without the rolls, and without keys that were read already."""
    contests = tuple(replace(contest, roll=()) for contest in manifest.contests)
    return replace(manifest, contests=contests)


def _last(ballots: Sequence[Ballot], contest: Contest) -> list[Ballot]:
    return standing([one for one in ballots if one.contest == contest.name])


def _examine(line: bytes, manifest: Manifest) -> Examined:
    try:
        ballot = wire.read_ballot(line)
        if wire.write_ballot(ballot) != line:
            raise WireError("the ballot is not written in the one way")
        contest = manifest.contest(ballot.contest.decode())
        check(ballot, contest=contest.name, registrar=contest.registrar, size=contest.size)
    except (WireError, BallotError) as error:
        return Examined(None, _digest(line), str(error))
    except KeyError:
        return Examined(None, _digest(line), "its contest is not in the manifest")
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return Examined(None, _digest(line), "the registrar's key of its contest is not one")
    return Examined(ballot, ballot.digest)


def _digest(line: bytes) -> str:
    """As far as there is one: a ballot that does not count has a name all the same."""
    try:
        return wire.read_ballot(line).digest
    except WireError:
        return ""


def _read(ballot: Ballot, known: tuple[Manifest, int]) -> tuple[bytes | None, str]:
    """The paper in the envelope, or why it is spoilt."""
    manifest, number = known
    contest = manifest.contest(ballot.contest.decode())
    bound = bound_to(ballot.contest, ballot.pseudonym.point)
    try:
        text = open_envelope(ballot.envelope, key=_private(number), bound=bound)
    except EnvelopeError as error:
        return None, str(error)
    return _paper(contest, text)


def _paper(contest: Contest, text: bytes) -> tuple[bytes | None, str]:
    try:
        return contest.read_paper(text), ""
    except PaperError as error:
        return None, str(error)


@lru_cache(maxsize=1)
def _private(number: int) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(number, CURVE)


# --- sharing out ---


def _shared_out(
    work: Callable[[Any, Any], Answer], items: Sequence[Any], known: Any, workers: int
) -> list[Answer]:
    """`work(item, known)` of all items, in their order, by so many processes."""
    if workers < 2 or len(items) < FEW:
        return [work(item, known) for item in items]
    spawned = multiprocessing.get_context("spawn")
    with spawned.Pool(workers, _begin, (work, known)) as pool:
        return pool.map(_next, items, chunksize=max(1, min(500, len(items) // (4 * workers))))


_now: dict[str, Any] = {}  # what this process does, in the processes of a pool


def _begin(work: Callable[[Any, Any], Any], known: Any) -> None:
    _now.update(work=work, known=known)


def _next(item: Any) -> Any:
    return _now["work"](item, _now["known"])
