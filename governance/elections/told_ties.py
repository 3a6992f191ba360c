"""Ties in words: what told the candidates apart, or the lot, which anybody can draw again."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from governance.elections.numbers import Scale
from governance.elections.stage_table import stage_name
from governance.tally import meek
from governance.tally.stages import Stage, Step, Tally
from governance.tally.ties import Tie, look_back


@dataclass(frozen=True, slots=True)
class Draw:
    """A lot, so that it can be drawn again: the lowest of these hashes."""

    lines: tuple[tuple[str, str, str], ...]  # the name, the text, its SHA-256; the lowest first


@dataclass(frozen=True, slots=True)
class ToldTie:
    sentence: str
    draw: Draw | None = None


def listed(names: Sequence[str]) -> str:
    """Alice, Bob and Carol"""
    return str(get_text_list(list(names), _("and")))


def draw(seed: str, stage: int, candidates: Sequence[int], names: Sequence[str]) -> Draw:
    """See `governance.tally.ties.Lot`."""
    texts = [(names[one], f"{seed}:{stage}:{one}") for one in candidates]
    lines = [(name, text, hashlib.sha256(text.encode()).hexdigest()) for name, text in texts]
    return Draw(tuple(sorted(lines, key=lambda line: line[2])))


def told_tie(
    tally: Tally, number: int, tie: Tie, *, names: Sequence[str], scale: Scale, seed: str
) -> ToldTie:
    """A tie of the stage with this number, from 1."""
    stage = tally.stages[number - 1]
    moved = tie.chosen == stage.candidate
    leaves = moved and stage.step is Step.EXCLUSION
    seen = number - 1 if moved else number  # the stage at whose end they were equal
    words = [_equal(tie, tally.stages[seen - 1], names, scale)]
    if tie.stage is not None:
        words.append(_told_apart(tally, tie, names, moved=moved, leaves=leaves))
        return ToldTie(" ".join(words))
    # Meek's method chooses who leaves while the round before is still being counted.
    at = seen if leaves and tally.method == meek.METHOD else number
    votes = [each.votes for each in tally.stages[: at - 1]]
    left, _told = look_back(tie.candidates, votes, highest=not leaves)
    words.append(_by_lot(tie, names, moved=moved, leaves=leaves))
    return ToldTie(" ".join(words), draw(seed, at, left, names))


def _equal(tie: Tie, stage: Stage, names: Sequence[str], scale: Scale) -> str:
    votes = {stage.votes[one] for one in tie.candidates}
    words = {"names": listed([names[one] for one in tie.candidates])}
    if len(votes) > 1:
        return (
            _(
                "%(names)s were nearer to each other than the surplus that was still to be "
                "shared out."
            )
            % words
        )
    return _("%(names)s had %(votes)s each.") % {**words, "votes": scale.counted(votes.pop())}


def _told_apart(tally: Tally, tie: Tie, names: Sequence[str], *, moved: bool, leaves: bool) -> str:
    words = {"name": names[tie.chosen], "stage": stage_name(tally, tie.stage or 1)}
    if leaves:
        return _("%(stage)s told them apart: %(name)s had fewer, so %(name)s leaves.") % words
    if moved:
        return (
            _("%(stage)s told them apart: %(name)s had more, so that surplus goes first.") % words
        )
    return _("%(stage)s told them apart: %(name)s had more and comes first.") % words


def _by_lot(tie: Tie, names: Sequence[str], *, moved: bool, leaves: bool) -> str:
    words = {"name": names[tie.chosen]}
    if leaves:
        return (
            _(
                "No stage before told them apart; the lot of the seed put out %(name)s. Anybody "
                "can draw it again."
            )
            % words
        )
    if moved:
        return (
            _(
                "No stage before told them apart; the lot of the seed let the surplus of %(name)s "
                "go first. Anybody can draw it again."
            )
            % words
        )
    return (
        _(
            "No stage before told them apart; the lot of the seed put %(name)s first. Anybody can "
            "draw it again."
        )
        % words
    )
