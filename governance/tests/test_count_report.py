"""The report of a count: every kind of sentence, and lots that can be drawn again."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from governance.elections.counted import Absence, Counted, Turnout
from governance.elections.report import Report, report, turnout
from governance.elections.shown import shown
from governance.tally.contest import Contest, Round
from governance.tally.formats.sheet import as_ranks
from governance.tally.papers import Paper
from governance.tally.stages import Tally
from governance.tests.count_samples import NAMES, PAPERS, SEED, counted
from governance.tests.papers import contests, papers, ward_papers, wards

LETTERS = ("A", "B", "C", "D", "E", "F", "G")
THREE = Contest("scottish-stv", 5, 3, {})


def sentences(told: Report, number: int = 0) -> dict[str, str]:
    """The words of each stage of a count."""
    return {each.title: " ".join(each.sentences) for each in told.rounds[number].paragraphs}


def test_the_stages_are_told_with_their_numbers() -> None:
    told = report(counted(THREE))
    assert told.answer == "Alice, Dana and Charlie are elected"
    words = sentences(told)
    assert (
        "Alice reaches the quota of 43 with 57 votes and is elected."
        in words["Stage 1: First preferences"]
    )
    assert words["Stage 2: Surplus of Alice"] == (
        "What Alice has beyond the quota, 14 votes, goes on: each of the papers counts 0.24561 of "
        "what it counted before. It brings Charlie +6.14025, Dana +3.43854 and Bob +2.94732. "
        "1.47366 votes have no further preference. 0.00023 is lost by rounding."
    )
    assert words["Stage 3: Erin leaves"].startswith("Erin, with 23 votes, leaves;")


def test_turnout_blank_and_spoilt_papers_and_the_quorum_are_told() -> None:
    box = Turnout("Contributors", on_roll=206, took_part=171, blank=1, spoilt=1, quorum=69)
    opening = report(counted(THREE, turnout=box)).opening
    assert opening[0] == "171 of 206 on the roll took part."
    assert "1 paper is blank" in opening[1]
    asked = replace(box, is_question=True, blank=3)
    assert "3 abstain: that takes part and counts for neither side." in list(turnout(asked))
    assert "1 paper is spoilt" in opening[2]
    assert opening[3] == "The quorum of 69 is reached."
    assert opening[4] == "3 seats are to fill. Method: Scottish STV."


def test_without_a_quorum_nobody_is_elected_and_no_stage_is_told() -> None:
    box = Turnout("Contributors", on_roll=500, took_part=169, quorum=170)
    told = report(counted(THREE, turnout=box))
    assert told.answer == "Nobody is elected: too few took part"
    assert "The rules ask that 170 take part." in told.opening[-1]
    assert told.rounds == ()


def test_who_leaves_for_the_limit_of_an_affiliation_is_told_between_the_counts() -> None:
    contest = Contest("scottish-stv", 5, 3, {0: "Acme", 2: "Acme"}, most=1)
    told = report(counted(contest))
    assert [each.title for each in told.rounds] == ["Count 1", "Count 2, which stands"]
    assert told.rounds[0].ending == (
        "Acme may have 1 seat and got more. Of its people Charlie was elected last, so Charlie "
        "leaves, and everything is counted again without Charlie."
    )
    again = sentences(told, 1)["Stage 1: First preferences"]
    assert "5 papers rank nobody who stands in this count." in again
    assert "The quota is 42:" in again


@pytest.mark.parametrize(
    ("why", "words"),
    [
        (Absence.WITHDREW, "Dana withdrew after"),
        (Absence.DISQUALIFIED, "Dana was disqualified after"),
        (Absence.SEATED, "Dana has a seat by a contest before this one"),
    ],
)
def test_who_does_not_stand_is_told_with_the_reason(why: Absence, words: str) -> None:
    told = report(counted(THREE, absent={3: why}))
    assert any(sentence.startswith(words) for sentence in told.opening)
    assert "Dana" not in told.answer


def test_a_tie_is_decided_by_the_stage_that_told_the_two_apart() -> None:
    found = papers("8: A", "4: B", "3: C", "1: D C")
    told = report(counted(Contest("scottish-stv", 4, 1, {}), found))
    assert any(
        "Bob and Charlie had 4 votes each. Stage 1 told them apart: Charlie had fewer, so Charlie "
        "leaves." in words
        for words in sentences(told).values()
    ), sentences(told)


@pytest.mark.parametrize("method", ["scottish-stv", "meek-stv", "irv", "schulze", "approval"])
def test_a_lot_can_be_drawn_again_from_what_is_printed(method: str) -> None:
    found = papers("3: A", "3: B C", "3: C B", "3: D")
    if method == "schulze":
        found = [as_ranks(paper, 4) for paper in found]
    told = report(counted(Contest(method, 4, 1 if method == "irv" else 2, {}), found))
    draws = [draw for each in told.rounds[0].paragraphs for draw in each.draws]
    assert draws
    for draw in draws:
        assert [line[2] for line in draw.lines] == sorted(line[2] for line in draw.lines)
        for _name, text, digest in draw.lines:
            assert text.startswith(f"{SEED}:")
            assert hashlib.sha256(text.encode()).hexdigest() == digest


@pytest.mark.parametrize("method", ["scottish-stv", "meek-stv", "irv"])
@given(contest=contests())
@settings(max_examples=60, deadline=None)
def test_every_lot_that_is_printed_draws_who_was_chosen(
    contest: tuple[list[Paper], int, int], method: str
) -> None:
    found, candidates, seats = contest
    how = Contest(method, candidates, 1 if method == "irv" else seats, {})
    whole = counted(how, found, names=LETTERS)
    tally = whole.rounds[0].tally
    assert isinstance(tally, Tally)
    for stage, told in zip(tally.stages, report(whole).rounds[0].paragraphs, strict=True):
        drawn = [tie for tie in stage.ties if tie.stage is None]
        assert [draw.lines[0][0] for draw in told.draws] == [LETTERS[tie.chosen] for tie in drawn]


def test_a_meek_count_tells_what_the_elected_keep_and_how_the_quota_falls() -> None:
    words = sentences(report(counted(Contest("meek-stv", 5, 3, {}))))
    assert "The quota is 42.25" in words["Round 1: First preferences"]
    second = words["Round 2: Surpluses go on"]
    assert "the elected keep what they need: Alice 0.74122. The rest goes on." in second
    assert "The quota is 41.86184 now." in second


def test_an_instant_runoff_asks_for_more_than_half() -> None:
    words = sentences(report(counted(Contest("irv", 5, 1, {}))))
    assert "more than half of the papers" in words["Stage 1: First preferences"]
    last = list(words.values())[-1]
    assert "more than half (" in last


def test_schulze_says_why_each_comes_before_the_next() -> None:
    found = [as_ranks(paper, 5) for paper in PAPERS]
    words = sentences(report(counted(Contest("schulze", 5, 2, {}), found)))["The order"]
    assert "Charlie comes before Dana: 85 prefer Charlie, 66 prefer Dana;" in words


def test_a_winner_by_a_chain_over_others_is_told_so() -> None:
    """The first example of Schulze's paper: E wins, though more prefer C to E."""
    lines = papers(
        *("5: A C B E D", "5: A D E C B", "8: B E D A C", "3: C A B E D", "7: C A E B D"),
        *("2: C B A D E", "7: D C E B A", "8: E B A D C"),
    )
    found = [as_ranks(paper, 5) for paper in lines]
    told = report(counted(Contest("schulze", 5, 1, {}), found, names=LETTERS))
    assert told.answer == "E is elected"
    assert "E comes before A: 23 prefer E, 22 prefer A;" in sentences(told)["The order"]
    chain = "E comes before C by a chain over others: it holds 28, back 24."
    assert chain in sentences(told)["The order"]


@pytest.mark.parametrize("method", ["approval", "plurality"])
def test_marks_are_told_with_the_next_one(method: str) -> None:
    found = [paper[:2] for paper in PAPERS]
    words = sentences(report(counted(Contest(method, 5, 2, {}), found)))["The marks"]
    assert "84 of 169 papers mark Charlie, who is elected." in words
    assert "The next is Alice with 57 marks." in words


def test_the_report_of_official_elections_names_their_winners(shared_data: Path) -> None:
    for _, ward in zip(range(8), wards(shared_data), strict=False):
        names = tuple(map(str, ward["candidates"]))
        contest = Contest("scottish-stv", len(names), ward["seats"], {})
        told = counted(contest, ward_papers(ward), names=names)
        answer = report(told).answer
        assert all(names[one] in answer for one in ward["elected"])


def test_a_count_of_an_unknown_kind_is_a_fault_of_ours() -> None:
    class Other:
        elected = (0,)

    box = Turnout("Contributors", 1, 1)
    odd = Counted(box, THREE, NAMES, (Round((), Other()),), SEED)
    for tell in (report, shown):
        with pytest.raises(TypeError, match="no count"):
            tell(odd)
