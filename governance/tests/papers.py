"""Ballot papers for tests: few words for many, and made ones that rank at random."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from governance.tally.papers import Paper
from governance.tally.ties import Lot

LOT = Lot("the seed of a test")


def papers(*lines: str) -> list[Paper]:
    """`papers("3: A B", "C")` are four papers; A is the first candidate, B the second."""
    found: list[Paper] = []
    for line in lines:
        number, _, ranked = line.rpartition(":")
        found += [bytes(ord(name) - ord("A") for name in ranked.split())] * int(number or 1)
    return found


@st.composite
def contests(draw: st.DrawFn) -> tuple[list[Paper], int, int]:
    """Papers, the number of candidates, the number of seats."""
    candidates = draw(st.integers(1, 7))
    paper = st.lists(st.integers(0, candidates - 1), min_size=1, unique=True).map(bytes)
    return draw(st.lists(paper, max_size=60)), candidates, draw(st.integers(1, 4))


def wards(shared_data: Path) -> Iterator[dict[str, Any]]:
    """Official results of Scottish wards of 2017, stage by stage, and their ballots."""
    with lzma.open(shared_data / "elections/scottish_wards_2017.jsonl.xz", "rt") as lines:
        yield from map(json.loads, lines)


def ward_papers(ward: dict[str, Any]) -> list[Paper]:
    return [paper for number, ranked in ward["ballots"] for paper in [bytes(ranked)] * number]
