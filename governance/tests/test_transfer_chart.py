"""The transfer chart stays within its edges, keeps the policy, and says what it shows."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET

import pytest
from django.utils import translation

from governance.elections.chart import chart
from governance.tally import meek, scottish
from governance.tally.stages import Tally
from governance.tests.count_samples import NAMES, PAPERS
from governance.tests.papers import LOT


def drawings(svg: str) -> list[ET.Element]:
    """The small one and the wide one."""
    return list(ET.fromstring(f"<both>{svg}</both>"))  # noqa: S314 - our own text


def many(candidates: int) -> Tally:
    drawn = random.Random(7)
    found = [bytes(drawn.sample(range(candidates), drawn.randint(1, 6))) for _ in range(300)]
    return scottish.count(found, candidates=candidates, seats=3, lot=LOT)


SMALL = scottish.count(PAPERS, candidates=5, seats=3, lot=LOT)
COUNTS = {
    "five": (SMALL, NAMES),
    "meek": (meek.count(PAPERS, candidates=5, seats=3, lot=LOT), NAMES),
    "many": (many(24), tuple(f"A candidate <{one}>" for one in range(24))),
    "nobody": (scottish.count([], candidates=2, seats=2, lot=LOT), ("A", "B")),
}


@pytest.mark.parametrize("name", COUNTS)
def test_it_keeps_the_policy_and_its_own_edges(name: str) -> None:
    svg = chart(*COUNTS[name])
    assert "style=" not in svg
    for drawing in drawings(svg):
        _, _, width, height = (float(part) for part in drawing.get("viewBox", "").split())
        for node in drawing.iter():
            if node.tag == "rect":
                right = float(node.get("x", 0)) + float(node.get("width", 0))
                assert right <= width
                assert float(node.get("y", 0)) + float(node.get("height", 0)) <= height
            for key, most in (("x", width), ("x1", width), ("x2", width), ("y", height)):
                assert -0.1 <= float(node.get(key, 0)) <= most + 0.1


def test_it_says_in_words_what_it_shows() -> None:
    for drawing in drawings(chart(SMALL, NAMES)):
        title, description = drawing[0], drawing[1]
        assert (title.tag, title.text) == ("title", "Transfers")
        assert "Alice, 57 votes, elected, stage 1" in str(description.text)
        assert "Erin, 23 votes, left, stage 3" in str(description.text)


def test_twenty_stages_fit_on_a_phone_beside_each_other() -> None:
    tally, names = COUNTS["many"]
    assert len(tally.stages) >= 20
    small = drawings(chart(tally, names))[0]
    numbers = [node for node in small.iter("text") if node.get("text-anchor") == "middle"]
    marks = [node for node in numbers if node.text in {"✓", "✗"}]
    left = [stage.candidate for stage in tally.stages if stage.step == "exclusion"]
    assert len(marks) == len(tally.elected) + len(left)


def test_what_came_in_is_drawn_apart_from_what_stayed() -> None:
    wide = drawings(chart(SMALL, NAMES))[1]
    kinds = [node.get("class") for node in wide.iter("rect")]
    gains = sum(
        1
        for stage in range(1, 4)
        for one in range(5)
        if SMALL.stages[stage].votes[one] > SMALL.stages[stage - 1].votes[one]
    )
    assert kinds.count("o1") + kinds.count("f5") >= gains
    gone = [node for node in wide.iter("rect") if node.get("stroke-dasharray")]
    assert len(gone) == 3  # two surpluses and one who left


def test_who_does_not_stand_has_no_lane() -> None:
    svg = chart(SMALL, NAMES, absent=[1])
    assert "Bob" not in svg


def test_nouns_within_a_sentence_begin_as_the_language_has_them() -> None:
    assert "elected, stage 1" in chart(SMALL, NAMES)
    with translation.override("de"):
        assert "gewählt, Durchgang 1" in chart(SMALL, NAMES)
