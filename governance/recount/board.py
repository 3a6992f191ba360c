"""Steps of a check: the board, the ballots on it, and how many had the right to cast them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from governance.recount import files, opened
from governance.recount.state import NotDoneError, State
from governance.recount.words import number, short
from governance.sealed import board as boards
from governance.sealed import wire
from governance.sealed.ballot import Ballot
from governance.sealed.board import Block, BoardError
from governance.sealed.manifest import Contest, Manifest, digest
from governance.sealed.wire import WireError


def blocks(state: State) -> str:
    """They follow the manifest and each other, and the box signed all."""
    found = state.the_manifest()
    lines = state.reading(files.BLOCKS, files.read_lines)
    read = [_block(line, place) for place, line in enumerate(lines, 1)]
    state.board = {name: block.number for block in read for name in block.ballots}
    if not read:
        state.faults.append("the board has no block, and the last is made at the close")
    try:
        name = digest(state.text(files.MANIFEST))
        boards.check_board(read, election=found.election, manifest_sha256=name, key=found.box)
    except BoardError as error:
        state.faults.append(str(error))
    except (ValueError, WireError) as error:
        state.faults.append(f"the key of the ballot box is not one: {error}")
    if state.kept_blocks is not None:
        kept = state.kept_blocks.splitlines()
        state.faults += _not_kept(kept, lines)
        state.notes += _later(len(lines) - len(kept))
    text = (
        f"{number(len(read), 'block')} with {number(len(state.board), 'ballot')}: each follows the "
        "one before it, the first the manifest, and the ballot box signed them"
    )
    return f"{text}; they begin with the blocks you kept" if state.kept_blocks else text


def _block(line: bytes, place: int) -> Block:
    try:
        found = wire.read_block(line)
    except WireError as error:
        raise NotDoneError(f"block {place} cannot be read: {error}") from error
    if wire.write_block(found) != line:
        raise NotDoneError(f"block {place} is not written in the one way")
    return found


def _not_kept(kept: Sequence[bytes], lines: Sequence[bytes]) -> Iterator[str]:
    """A monitor has blocks from while votes were cast: none of them may be gone or changed."""
    for place, line in enumerate(kept, 1):
        if place > len(lines):
            yield f"block {place}, which you kept, is gone from the board"
        elif line != lines[place - 1]:
            yield f"block {place} is not the one that you kept: the board was changed later"


def _later(more: int) -> Iterator[str]:
    if more > 0:
        yield (
            f"{number(more, 'block')} came after those that you kept. If you kept them after the "
            "close, tell others."
        )


def ballots(state: State) -> str:
    """Every ballot of the board and no other; every signature of each."""
    found = state.the_manifest()
    lines = state.reading(files.BALLOTS, files.read_lines)
    examined = opened.examine(lines, found, workers=state.workers)
    state.ballots = [each.ballot for each in examined if each.ballot is not None]
    for place, each in enumerate(examined, 1):
        if each.fault:
            state.faults.append(f"ballot {short(each.digest)} in line {place}: {each.fault}")
    names = [each.digest for each in examined]
    state.faults += [
        f"ballot {short(name)} is there {times} times"
        for name, times in Counter(names).items()
        if times > 1 and name
    ]
    if not state.faults and names != sorted(names):
        state.faults.append("the ballots are not sorted by their digests")
    board = state.known(state.board, "the board")
    state.faults += [
        f"ballot {short(name)} of block {board[name]} is missing: the box did not hand it over"
        for name in sorted(board.keys() - set(names))
    ]
    state.faults += [
        f"ballot {short(name)} is in no block: it was not cast in time"
        for name in sorted(set(names) - board.keys() - {""})
    ]
    return (
        f"{number(len(names), 'ballot')}, those of the blocks and no other; the signatures of "
        "voter and registrar verify on each"
    )


def pseudonyms(state: State) -> str:
    """Nobody voted twice: pseudonyms <= signatures that were given <= voters on the roll."""
    found = state.the_manifest()
    cast = state.known(state.ballots, "the ballots")
    state.issued = _numbers(state, files.ISSUED, "has a signature")
    points = _points(cast)
    said = []
    for contest in found.contests:
        voters, given = len(points[contest.id]), len(state.issued.get(contest.id, ()))
        if voters > given:
            state.faults.append(
                f"{contest.id}: {voters} voters cast ballots, and {given} got a signature for one: "
                "the registrar made pseudonyms"
            )
        said.append(
            f"{contest.title}: {voters:,} voted ≤ {given:,} signatures ≤ {len(contest.roll):,} on "
            "the roll"
        )
    return "; ".join(said)


def _points(cast: Sequence[Ballot]) -> Mapping[str, set[bytes]]:
    found: dict[str, set[bytes]] = {}
    for ballot in cast:
        found.setdefault(ballot.contest.decode(), set()).add(ballot.pseudonym.point)
    return _Empty(found)


class _Empty(dict[str, set[bytes]]):
    """A contest in which nobody voted has no points."""

    def __missing__(self, _name: str) -> set[bytes]:
        return set()


def _numbers(state: State, name: str, has: str) -> dict[str, list[int]]:
    """Roll numbers by contest: each once, and on the roll."""
    found = state.the_manifest()
    numbers = state.reading(name, files.read_numbers)
    contests = {contest.id: contest for contest in found.contests}
    for contest, these in numbers.items():
        if contest not in contests:
            state.faults.append(f"{name} names {contest}, which is no contest of this election")
        else:
            state.faults += _not_on_the_roll(these, contests[contest], has)
    for contest in contests.keys() - numbers.keys():
        state.faults.append(f"{name} says nothing of {contest}")
    return numbers


def _not_on_the_roll(numbers: Sequence[int], contest: Contest, has: str) -> Iterator[str]:
    if list(numbers) != sorted(set(numbers)):
        yield f"{contest.id}: the roll numbers are not sorted, or one is there twice"
    for one in sorted(set(numbers)):
        if not 1 <= one <= len(contest.roll):
            yield f"{contest.id}: number {one} {has}, and is not on the roll"


# --- of a confidential election ---


def sheet(state: State) -> str:
    found = state.the_manifest()
    lines = state.reading(files.SHEET, files.read_sheet)
    names = {contest.id for contest in found.contests}
    for line in lines:
        if line.contest not in names:
            state.faults.append(f"line {short(line.digest)} is of {line.contest}, no contest here")
    for name, times in Counter(line.digest for line in lines).items():
        if times > 1:
            state.faults.append(f"line {short(name)} is there {times} times")
    state.sheet = lines
    return f"{number(len(lines), 'ballot')}, sorted by their digests"


def voted(state: State) -> str:
    """One line for each who voted. Who wrote them is believed: see the level of the election."""
    found: Manifest = state.the_manifest()
    lines = state.known(state.sheet, "the sheet")
    state.issued = _numbers(state, files.VOTED, "voted")
    cast = Counter(line.contest for line in lines)
    said = []
    for contest in found.contests:
        who = len(state.issued.get(contest.id, ()))
        if cast[contest.id] != who:
            state.faults.append(
                f"{contest.id}: {who} voted, and the sheet has {number(cast[contest.id], 'ballot')}"
            )
        said.append(f"{contest.title}: {who:,} voted of {len(contest.roll):,} on the roll")
    return "; ".join(said)
