"""The templates of a count: every method, names of strangers, nobody, one."""

from __future__ import annotations

import re

import pytest
from django.template.loader import render_to_string

from governance.elections import what_if
from governance.elections.counted import Counted, Turnout
from governance.elections.report import report
from governance.elections.shown import shown
from governance.elections.what_if_page import what_if_page
from governance.tally import question
from governance.tally.contest import METHODS, Contest
from governance.tally.formats.sheet import as_ranks
from governance.tests.count_samples import PAPERS, counted
from governance.tests.papers import papers

NASTY = ("<b>Alice</b>", "Bob & Söhne", "Charlie", "Dana", "Erin")
FOLDER = "governance/elections"


def page(whole: Counted) -> str:
    """Everything of a count, one part after the other."""
    context = {
        "shown": shown(whole),
        "report": report(whole),
        "turnouts": [whole.turnout],
        "what_if": what_if_page(whole, what_if.as_held(whole.contest)),
        "csv": "/stages.csv",
    }
    parts = ("turnout", "chart", "stages", "report", "what_if")
    return "".join(render_to_string(f"{FOLDER}/_{part}.html", context) for part in parts)


@pytest.mark.parametrize("method", METHODS)
def test_a_count_of_each_method_is_shown_whole_and_escaped(method: str) -> None:
    found = [paper[:2] for paper in PAPERS]
    if method == "schulze":
        found = [as_ranks(paper, 5) for paper in found]
    if method == question.METHOD:
        found = [paper[:1] for paper in papers("5: A", "4: B")]
    many = 2 if method == question.METHOD else 5
    seats = 1 if method in what_if.SINGLE else 2
    contest = Contest(method, many, seats, {1: "<i>Acme</i>"}, most=2)
    text = page(counted(contest, found, names=NASTY))
    assert "&lt;b&gt;Alice&lt;/b&gt;" in text
    assert "<b>Alice</b>" not in text
    assert "<i>Acme</i>" not in text
    assert not re.search(r"\bNone\b|%\(|{{|{%", text)
    has_stages = method in {"scottish-stv", "meek-stv", "irv"}
    assert ('<svg class="plot"' in text) == has_stages
    assert ("/stages.csv" in text) == has_stages


@pytest.mark.parametrize(
    ("yes", "no", "ratio", "words"),
    [
        (5, 4, (1, 1), "Carried: Merge"),
        (4, 4, (1, 1), "Not carried: Merge"),
        (5, 4, (2, 1), "At least 2 yes for 1 no are needed: at least 8."),
    ],
)
def test_a_question_is_told_with_what_was_needed(
    yes: int, no: int, ratio: tuple[int, int], words: str
) -> None:
    contest = Contest("yes-no", 2, 1, {}, ratio=ratio)
    found = papers(f"{yes}: A", f"{no}: B")
    text = page(counted(contest, found, names=("Merge", "Leave it")))
    assert words in text
    assert ("So it stays as it is: Leave it." in text) == ("Carried: Merge" not in text)
    with pytest.raises(what_if.ChoiceError):
        what_if.read({"without": ["1"]}, contest)


def test_turnout_tells_whether_the_quorum_was_reached() -> None:
    rows = [
        Turnout("Contributors", 206, 171, 2, 1, 69),
        Turnout("Corporate", 24, 5, quorum=8),
        Turnout("Staff", 0, 0),
    ]
    text = render_to_string(f"{FOLDER}/_turnout.html", {"turnouts": rows})
    assert "69, reached" in text
    assert "8, not reached" in text
    assert "none asked" in text


def test_without_a_quorum_there_is_no_count_to_show() -> None:
    whole = Counted(Turnout("Staff", 9, 1, quorum=3), Contest("irv", 5, 1, {}), NASTY, (), "")
    with pytest.raises(IndexError):
        shown(whole)
    text = render_to_string(f"{FOLDER}/_report.html", {"report": report(whole)})
    assert "too few took part" in text


def test_what_is_refused_is_said_above_the_form() -> None:
    whole = counted(Contest("irv", 5, 1, {}))
    asked = what_if_page(whole, what_if.as_held(whole.contest), fault="Choose again.")
    text = render_to_string(f"{FOLDER}/_what_if.html", {"what_if": asked})
    assert "This was not counted" in text
    assert "Choose again." in text
