"""A ballot paper in words, in the names of the manifest: for a review, for who looks it up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from governance.sealed.manifest import Contest
from governance.sealed.paper import BLANK
from governance.tally import marks, question, schulze


def lines(vote: bytes, contest: Contest) -> list[str]:
    """What it says, a line each; then of whom it says nothing."""
    return list(_lines(vote, contest))


def _lines(vote: bytes, contest: Contest) -> Iterator[str]:
    names = [candidate.name for candidate in contest.candidates]
    if contest.method == question.METHOD:
        yield _answer(vote, names)
    elif vote == BLANK:
        yield _("A blank vote: it takes part and prefers nobody.")
    elif contest.method == schulze.METHOD:
        yield from _ranked(vote, names)
    elif contest.method in marks.METHODS:
        yield from (names[place] for place in vote)
        yield from _rest(_("Not marked: {names}"), _without(vote, names))
    else:
        yield from (f"{number}. {names[place]}" for number, place in enumerate(vote, 1))
        yield from _rest(_("Not ranked: {names}"), _without(vote, names))


def _answer(vote: bytes, names: Sequence[str]) -> str:
    if vote == BLANK:
        return _("You abstain: you take part, and count for neither side.")
    words = _("No: {name}") if vote[0] == question.DEFAULT else _("Yes: {name}")
    return words.format(name=names[vote[0]])


def _ranked(vote: bytes, names: Sequence[str]) -> Iterator[str]:
    def at(rank: int) -> list[str]:
        return [name for name, given in zip(names, vote, strict=True) if given == rank]

    fixed = {schulze.UNRANKED, schulze.NO_OPINION}
    for rank in sorted(set(vote) - fixed):
        yield f"{rank}. {', '.join(at(rank))}"
    yield from _rest(_("Not ranked, below all above: {names}"), at(schulze.UNRANKED))
    yield from _rest(_("No opinion: {names}"), at(schulze.NO_OPINION))


def _without(vote: bytes, names: Sequence[str]) -> list[str]:
    return [name for place, name in enumerate(names) if place not in vote]


def _rest(words: str, names: Sequence[str]) -> Iterator[str]:
    if names:
        yield words.format(names=", ".join(names))
