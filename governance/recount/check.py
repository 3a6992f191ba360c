"""Checks a bundle step by step, each said in words; a fault stops only what depends on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from governance.recount import board, counting, frozen, opening
from governance.recount.state import NotDoneError, Report, State, Step
from governance.sealed.manifest import CONFIDENTIAL

Do = Callable[[State], str]

_BEFORE: Final[tuple[tuple[str, Do], ...]] = (
    ("Files", frozen.files_are_listed),
    ("Manifest", frozen.manifest),
    ("Officers' signatures", frozen.officers),
)
_SEALED: Final[tuple[tuple[str, Do], ...]] = (
    ("Registrars' keys", frozen.registrars),
    ("Board", board.blocks),
    ("Ballots", board.ballots),
    ("Right to vote", board.pseudonyms),
    ("Scrutineers' shares", opening.shares),
    ("Election key", opening.key),
    ("Officers' numbers for the lot", opening.nonces),
    ("Opening", opening.votes),
)
_CONFIDENTIAL: Final[tuple[tuple[str, Do], ...]] = (
    ("Sheet", board.sheet),
    ("Right to vote", board.voted),
    ("Officers' numbers for the lot", opening.nonces),
    ("Papers", opening.votes_of_sheet),
)
_AFTER: Final[tuple[tuple[str, Do], ...]] = (
    ("Who left", counting.left),
    ("Count", counting.count),
    ("Published result", counting.published),
)


def check(
    files: Mapping[str, bytes], *, workers: int = 1, kept_blocks: bytes | None = None
) -> Report:
    """All faults of a bundle, and the outcome of what is sound.

    `kept_blocks` is a copy of blocks.jsonl from before: the board has to begin with it. Processes
    are started only for more than one of `workers`.
    """
    state = State(files, workers, kept_blocks)
    steps = [_done(state, title, do) for title, do in _BEFORE]
    level = state.manifest.level if state.manifest else ""
    further = (_CONFIDENTIAL if level == CONFIDENTIAL else _SEALED) if level else ()
    steps += [_done(state, title, do) for title, do in (*further, *(_AFTER if level else ()))]
    return Report(
        tuple(steps), tuple(state.notes), state.manifest, state.votes or {}, state.outcome
    )


def _done(state: State, title: str, do: Do) -> Step:
    state.faults = []
    try:
        said = do(state)
    except NotDoneError as reason:
        said = ""
        state.faults.append(str(reason))
    return Step(title, said, tuple(state.faults))
