"""What if it had been counted otherwise: another method, other seats, without somebody, no limit.

The papers stay what they were. A ranking can be read as marks: its first places are those that a
voter would mark with plurality, and all whom it ranks are approved. Marks and ranks that may be
equal cannot be read as a strict ranking, so these papers are only counted by their own method. It
shows what a rule does; had it been the rule, people might have voted in another way.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from governance.tally import irv, marks, meek, question, schulze, scottish
from governance.tally.contest import Contest, Round, resolve
from governance.tally.formats.sheet import as_ranks
from governance.tally.ties import Lot

STRICT: Final = (scottish.METHOD, meek.METHOD, irv.METHOD)
FROM_RANKING: Final = (*STRICT, schulze.METHOD, marks.PLURALITY, marks.APPROVAL)
SINGLE: Final = (irv.METHOD, question.METHOD)  # fill one seat
METHOD, SEATS, WITHOUT, LIMIT = "method", "seats", "without", "limit"  # of a query
NO_LIMIT: Final = "no"
MOST_WORK: Final = 100_000_000  # readings of a paper: four seconds of a processor


class ChoiceError(ValueError):
    """A question that cannot be asked of these papers; the message says why."""


class TooMuchError(ChoiceError):
    """It would take too long while somebody waits."""


class TooOftenError(ChoiceError):
    """Somebody asks faster than they can read the answers."""


@dataclass(frozen=True, slots=True)
class Choice:
    """How it is counted here."""

    method: str
    seats: int
    without: tuple[int, ...] = ()
    is_limited: bool = True  # seats of one affiliation, where the contest limits them


@dataclass(frozen=True, slots=True)
class Compared:
    """The other count beside the one that stands."""

    choice: Choice
    contest: Contest  # as it was counted here
    rounds: tuple[Round, ...]
    elected: tuple[int, ...]
    gained: tuple[int, ...]  # who is elected only here
    lost: tuple[int, ...]  # who is elected only by the count that stands


def as_held(contest: Contest) -> Choice:
    """How it was counted."""
    return Choice(contest.method, contest.seats)


def is_asked_of(contest: Contest) -> bool:
    """A question has one way to be counted."""
    return contest.method != question.METHOD


def methods(contest: Contest) -> tuple[str, ...]:
    """Those that can count the papers of this contest."""
    return FROM_RANKING if contest.method in STRICT else (contest.method,)


def read(query: Mapping[str, Sequence[str]], contest: Contest) -> Choice:
    """From the parameters of an address; what is not said is as it was held.

    Raises ChoiceError for what cannot be asked.
    """
    held = as_held(contest)
    method = _last(query, METHOD) or held.method
    if method not in methods(contest):
        raise ChoiceError("these papers cannot be counted by that method")
    seats = 1 if method in SINGLE else _number(_last(query, SEATS) or str(held.seats))
    without = tuple(sorted({_number(text) for text in query.get(WITHOUT, ()) if text}))
    if without and method == question.METHOD:
        raise ChoiceError("a question needs both of its answers")
    standing = contest.candidates - len(without)
    if not 1 <= seats <= contest.candidates:
        raise ChoiceError("there are from 1 seat to as many as there are candidates")
    if any(one >= contest.candidates for one in without) or standing < 1:
        raise ChoiceError("somebody of the candidates has to be left")
    return Choice(method, seats, without, is_limited=_last(query, LIMIT) != NO_LIMIT)


def query(choice: Choice, contest: Contest) -> list[tuple[str, str]]:
    """The parameters that say what differs; `read` reads them."""
    held, found = as_held(contest), list[tuple[str, str]]()
    if choice.method != held.method:
        found.append((METHOD, choice.method))
    if choice.seats != held.seats:
        found.append((SEATS, str(choice.seats)))
    found += [(WITHOUT, str(one)) for one in choice.without]
    return found if choice.is_limited else [*found, (LIMIT, NO_LIMIT)]


def compare(
    papers: Sequence[bytes],
    contest: Contest,
    choice: Choice,
    *,
    elected: Collection[int],
    lot: Lot,
    absent: Collection[int] = (),
) -> Compared:
    """Count the papers so, beside those who are `elected` by the count that stands.

    `papers` are those that rank or mark anybody, as the contest has them; `absent` did not stand.
    Raises TooMuchError for more than `MOST_WORK`, ChoiceError where nobody would stand.
    """
    gone = {*absent, *choice.without}
    if len(gone) >= contest.candidates:
        raise ChoiceError("somebody of the candidates has to be left")
    other = replace(
        contest,
        method=choice.method,
        seats=choice.seats,
        most=contest.most if choice.is_limited else None,
    )
    if work(len(papers), other) > MOST_WORK:
        raise TooMuchError("this count takes too long to wait for")
    rounds = resolve(_converted(papers, contest, other), other, lot=lot, seated=gone)
    return beside(choice, other, rounds[-1].tally.elected, elected=elected, rounds=rounds)


def beside(
    choice: Choice,
    contest: Contest,
    now: tuple[int, ...],
    *,
    elected: Collection[int],
    rounds: Sequence[Round] = (),
) -> Compared:
    """Who is elected `now` beside who is `elected` by the count that stands."""
    return Compared(
        choice,
        contest,
        tuple(rounds),
        now,
        tuple(one for one in now if one not in elected),
        tuple(one for one in elected if one not in now),
    )


def work(papers: int, contest: Contest) -> int:
    """About how often a paper is read; a limit for affiliations counts everything again."""
    many = contest.candidates
    each = {
        schulze.METHOD: many * many // 4,
        meek.METHOD: 3 * many,
        marks.PLURALITY: 1,
        marks.APPROVAL: 1,
    }.get(contest.method, many)
    again = 1 if contest.most is None else many
    return papers * each * again


def _converted(papers: Sequence[bytes], held: Contest, other: Contest) -> Sequence[bytes]:
    if other.method == schulze.METHOD and held.method != schulze.METHOD:
        return [as_ranks(paper, held.candidates) for paper in papers]
    if other.method == marks.PLURALITY:
        return [paper[: other.seats] for paper in papers]
    return papers


def _last(query: Mapping[str, Sequence[str]], name: str) -> str:
    return (list(query.get(name, ())) or [""])[-1]


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 4):
        raise ChoiceError("a whole number is asked here")
    return int(text)
