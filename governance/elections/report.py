"""The report of a count in words that a member understands, from turnout to who is elected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from governance.elections import told_marks, told_pairs, told_question, told_stages
from governance.elections.counted import Absence, Counted, Turnout
from governance.elections.numbers import whole
from governance.elections.told_stages import Paragraph
from governance.elections.told_ties import listed
from governance.tally import irv, marks, meek, question, schulze, scottish
from governance.tally.contest import Contest, Elected
from governance.tally.marks import Marks
from governance.tally.question import Answer
from governance.tally.schulze import Comparison
from governance.tally.stages import Tally


@dataclass(frozen=True, slots=True)
class ToldRound:
    """One count; there are several where an affiliation had too many."""

    title: str  # "" where there is only one
    paragraphs: tuple[Paragraph, ...]
    ending: str  # who leaves after it, and why; "" for the one that stands


@dataclass(frozen=True, slots=True)
class Report:
    """What `governance/elections/_report.html` shows."""

    answer: str
    opening: tuple[str, ...]
    rounds: tuple[ToldRound, ...]


def report(counted: Counted) -> Report:
    opening = [*turnout(counted.turnout), *_absent(counted)]
    rounds: tuple[ToldRound, ...] = ()
    if counted.turnout.has_quorum:
        opening.append(_method(counted.contest))
        rounds = tuple(_rounds(counted))
    return Report(answer(counted), tuple(opening), rounds)


def answer(counted: Counted) -> str:
    """The result in one sentence."""
    is_question = counted.contest.method == question.METHOD
    if not counted.turnout.has_quorum:
        if is_question:
            return _("Nothing is decided: too few took part")
        return _("Nobody is elected: too few took part")
    last = counted.rounds[-1].tally if counted.rounds else None
    if isinstance(last, Answer):
        return told_question.answer(last, counted.names)
    if not counted.elected:
        return _("Nobody is elected")
    names = [counted.names[one] for one in counted.elected]
    text = ngettext("%(names)s is elected", "%(names)s are elected", len(names))
    return text % {"names": listed(names)}


def method_name(method: str) -> str:
    return {
        scottish.METHOD: _("Scottish STV"),
        meek.METHOD: _("Meek STV"),
        irv.METHOD: _("Instant runoff"),
        schulze.METHOD: _("Schulze"),
        marks.APPROVAL: _("Approval"),
        marks.PLURALITY: _("Plurality"),
        question.METHOD: _("Yes or no"),
    }[method]


def turnout(told: Turnout) -> Iterator[str]:
    """Who took part, what was in the box, the quorum."""
    yield ngettext(
        "%(part)s of %(roll)s on the roll took part.",
        "%(part)s of %(roll)s on the roll took part.",
        told.took_part,
    ) % {"part": whole(told.took_part), "roll": whole(told.on_roll)}
    if told.blank:
        yield _blank(told) % {"number": whole(told.blank)}
    if told.spoilt:
        yield ngettext(
            "%(number)s paper is spoilt: it cannot be read as a vote of this contest, and counts "
            "only as having taken part.",
            "%(number)s papers are spoilt: they cannot be read as votes of this contest, and count "
            "only as having taken part.",
            told.spoilt,
        ) % {"number": whole(told.spoilt)}
    if told.quorum:
        words = {"quorum": whole(told.quorum)}
        if told.has_quorum:
            yield _("The quorum of %(quorum)s is reached.") % words
        else:
            yield (
                _(
                    "The rules ask that %(quorum)s take part. They did not, so nothing is decided "
                    "and everything stays as it is."
                )
                % words
            )


def _blank(told: Turnout) -> str:
    if told.is_question:
        return ngettext(
            "%(number)s abstains: that takes part and counts for neither side.",
            "%(number)s abstain: that takes part and counts for neither side.",
            told.blank,
        )
    return ngettext(
        "%(number)s paper is blank: it takes part and prefers nobody.",
        "%(number)s papers are blank: they take part and prefer nobody.",
        told.blank,
    )


def _absent(counted: Counted) -> Iterator[str]:
    words = {
        Absence.WITHDREW: _(
            "%(name)s withdrew after the ballots were fixed; votes for %(name)s "
            "go to the next on each paper."
        ),
        Absence.DISQUALIFIED: _(
            "%(name)s was disqualified after the ballots were fixed; votes for "
            "%(name)s go to the next on each paper."
        ),
        Absence.SEATED: _(
            "%(name)s has a seat by a contest before this one, and nobody has two; "
            "votes for %(name)s go to the next on each paper."
        ),
    }
    for one, why in sorted(counted.absent.items()):
        yield words[why] % {"name": counted.names[one]}


def _method(contest: Contest) -> str:
    if contest.method == question.METHOD:
        return _("A question is asked: yes or no. A blank paper abstains.")
    text = ngettext(
        "%(seats)s seat is to fill. Method: %(method)s.",
        "%(seats)s seats are to fill. Method: %(method)s.",
        contest.seats,
    )
    return text % {"seats": contest.seats, "method": method_name(contest.method)}


def _rounds(counted: Counted) -> Iterator[ToldRound]:
    many = len(counted.rounds) > 1
    for number, each in enumerate(counted.rounds, 1):
        is_last = number == len(counted.rounds)
        title = ""
        if many:
            title = _("Count %(number)s") % {"number": number}
        if many and is_last:
            title = _("Count %(number)s, which stands") % {"number": number}
        ending = "" if is_last else _leaves(counted, counted.rounds[number].left[-1])
        yield ToldRound(title, tuple(paragraphs(counted, each.tally)), ending)


def paragraphs(counted: Counted, tally: Elected) -> list[Paragraph]:
    """One of its counts, by any method."""
    names, seed = counted.names, counted.seed
    if isinstance(tally, Tally):
        return told_stages.paragraphs(tally, names, seed, counted.turnout.valid)
    if isinstance(tally, Comparison):
        return told_pairs.paragraphs(tally, names, seed)
    if isinstance(tally, Marks):
        return told_marks.paragraphs(tally, names, seed)
    if isinstance(tally, Answer):
        return told_question.paragraphs(tally, names, counted.contest.ratio)
    raise TypeError(f"{type(tally).__name__} is no count that can be told")


def _leaves(counted: Counted, one: int) -> str:
    words = {
        "name": counted.names[one],
        "affiliation": counted.affiliation(one),
        "most": counted.contest.most,
    }
    return (
        ngettext(
            "%(affiliation)s may have %(most)s seat and got more. Of its people %(name)s was "
            "elected last, so %(name)s leaves, and everything is counted again without %(name)s.",
            "%(affiliation)s may have %(most)s seats and got more. Of its people %(name)s was "
            "elected last, so %(name)s leaves, and everything is counted again without %(name)s.",
            counted.contest.most or 0,
        )
        % words
    )
