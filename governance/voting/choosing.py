"""What a voter types, as a paper that the method of the contest can count."""

from __future__ import annotations

from collections.abc import Sequence

from governance.sealed import paper
from governance.sealed.manifest import Contest
from governance.sealed.paper import BLANK, PaperError
from governance.tally import marks, question, schulze

_MARKED = (*marks.METHODS, question.METHOD)
_ANSWERS = {"yes": question.PROPOSAL, "no": question.DEFAULT}


def paper_of(choices: Sequence[str], contest: Contest) -> bytes:
    """The paper: names in order of preference, or of those who are marked; nothing is blank.

    With Schulze each is `Name=rank`, where equal ranks are fine, or `Name=none` for no opinion.
    Instead of a name the candidate's number from 1 can be given, to a question `yes` or `no`.
    Raises PaperError.
    """
    written = (
        _ranks(choices, contest) if contest.method == schulze.METHOD else _order(choices, contest)
    )
    return contest.read_paper(paper.write(written))


def in_words(found: bytes, contest: Contest) -> list[str]:
    """What will be sealed, a line each."""
    names = [candidate.name for candidate in contest.candidates]
    if found == BLANK:
        is_question = contest.method == question.METHOD
        what = "counts for neither side" if is_question else "prefers nobody"
        return [f"a blank vote: it takes part and {what}"]
    if contest.method == question.METHOD:
        return [f"{word}: {names[place]}" for word, place in _ANSWERS.items() if place in found]
    if contest.method == schulze.METHOD:
        words = {schulze.UNRANKED: "not ranked", schulze.NO_OPINION: "no opinion"}
        return [f"{words.get(rank, rank)}: {name}" for name, rank in zip(names, found, strict=True)]
    if contest.method in _MARKED:
        return [f"marked: {names[place]}" for place in found]
    return [f"{number}. {names[place]}" for number, place in enumerate(found, 1)]


def _order(choices: Sequence[str], contest: Contest) -> bytes:
    places = bytes(_place(choice, contest) for choice in choices)
    return bytes(sorted(places)) if contest.method in _MARKED else places


def _ranks(choices: Sequence[str], contest: Contest) -> bytes:
    """Closed up to 1, 2, 3 …: a rare number would be a mark on the ballot."""
    ranks = dict.fromkeys(range(len(contest.candidates)), schulze.UNRANKED)
    for choice in choices:
        name, _, rank = choice.rpartition("=")
        is_number = rank.isascii() and rank.isdigit() and 1 <= int(rank) < schulze.UNRANKED
        if not name or (not is_number and rank != "none"):
            raise PaperError(f"{choice}: write it as Name=1, or as Name=none for no opinion")
        ranks[_place(name, contest)] = int(rank) if is_number else schulze.NO_OPINION
    fixed = {schulze.UNRANKED, schulze.NO_OPINION}
    levels = sorted(set(ranks.values()) - fixed)
    if not levels:
        return BLANK
    return bytes(r if r in fixed else levels.index(r) + 1 for _, r in sorted(ranks.items()))


def _place(choice: str, contest: Contest) -> int:
    names = [candidate.name for candidate in contest.candidates]
    if contest.method == question.METHOD and choice in _ANSWERS:
        return _ANSWERS[choice]
    if names.count(choice) == 1:
        return names.index(choice)
    if choice.isascii() and choice.isdigit() and 1 <= int(choice) <= len(names):
        return int(choice) - 1
    listed = "; ".join(f"{number} {name}" for number, name in enumerate(names, 1))
    raise PaperError(f"{choice!r} is no candidate. They are: {listed}")
