"""The files of ballot papers: what is written is read again, and garbage is told with its line."""

from __future__ import annotations

import contextlib
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from governance.tally import scottish
from governance.tally.formats import blt, preflib, table
from governance.tally.formats.sheet import FormatError, Sheet, as_ranks, sheet
from governance.tally.schulze import NO_OPINION, UNRANKED
from governance.tests.papers import LOT, ward_papers, wards

FORMATS = [blt, preflib, table]
NAMES = ("Ada", "Björn Öst", "C. “Chip” O'Neil, Jr")
PAPERS = [(3, bytes([1, 2, UNRANKED])), (2, bytes([UNRANKED, UNRANKED, 1])), (1, bytes([2, 3, 1]))]
CONTEST = sheet("Council 2026", NAMES, 2, PAPERS)

BLT = """\
3 2
1 3 1 2 0
3 1 2 0
2 3 0
0
"Ada"
"Björn Öst"
"C. “Chip” O'Neil, Jr"
"Council 2026"
"""
PREFLIB = """\
# TITLE: Council 2026
# DATA TYPE: soi
# NUMBER SEATS: 2
# NUMBER ALTERNATIVES: 3
# NUMBER VOTERS: 6
# NUMBER UNIQUE ORDERS: 3
# ALTERNATIVE NAME 1: Ada
# ALTERNATIVE NAME 2: Björn Öst
# ALTERNATIVE NAME 3: C. “Chip” O'Neil, Jr
3: 1,2
1: 3,1,2
2: 3
"""
TABLE = """\
papers for 2 seats: Council 2026,Ada,Björn Öst,"C. “Chip” O'Neil, Jr"
3,1,2,
1,2,3,1
2,,,1
"""


@pytest.mark.parametrize(
    ("kind", "text"),
    [(blt, BLT), (preflib, PREFLIB), (table, TABLE)],
    ids=["blt", "preflib", "csv"],
)
def test_a_contest_is_written_in_the_words_of_the_format(kind: ModuleType, text: str) -> None:
    assert sorted(kind.write(CONTEST).splitlines()) == sorted(text.splitlines())
    assert kind.read(text) == CONTEST


@st.composite
def strict(draw: st.DrawFn) -> Sheet:
    name = st.text("abÖ“,;'{}#-0 ", min_size=1, max_size=8).filter(str.strip)
    names = draw(st.lists(name, min_size=1, max_size=6))
    paper = st.lists(st.integers(0, len(names) - 1), unique=True)
    found = draw(st.lists(st.tuples(st.integers(1, 99), paper), max_size=12))
    papers = [(number, as_ranks(bytes(ranked), len(names))) for number, ranked in found]
    return sheet(draw(name), names, draw(st.integers(1, 9)), papers)


@given(strict(), st.sampled_from(FORMATS))
@settings(max_examples=300, deadline=None)
def test_what_is_written_is_read_again(contest: Sheet, kind: ModuleType) -> None:
    assert kind.read(kind.write(contest)) == contest


@given(st.text(st.characters(codec="utf-8"), max_size=200), st.sampled_from(FORMATS))
@settings(max_examples=300, deadline=None)
def test_garbage_is_a_format_error_and_nothing_else(text: str, kind: ModuleType) -> None:
    for found in (text, kind.write(CONTEST)[: len(text)] + text):
        with contextlib.suppress(FormatError):
            kind.read(found)


def test_a_real_ward_counts_the_same_after_a_journey_through_each_format(shared_data: Path) -> None:
    ward = next(iter(wards(shared_data)))
    candidates = len(ward["candidates"])
    papers = ward_papers(ward)
    there = Counter(as_ranks(paper, candidates) for paper in papers)
    contest = sheet(ward["id"], ward["candidates"], ward["seats"],
                    [(number, ranks) for ranks, number in there.items()])  # fmt: skip
    for kind in FORMATS:
        back = kind.read(kind.write(contest))
        assert Counter(back.rankings()) == Counter(papers)
        outcome = scottish.count(back.rankings(), candidates=candidates, seats=back.seats, lot=LOT)
        assert set(outcome.elected) == set(ward["elected"])


def test_equal_ranks_and_no_opinion_are_kept_where_the_format_can_say_them() -> None:
    tied = sheet("t", "ABC", 1, [(2, bytes([1, 1, UNRANKED]))])
    assert preflib.kind(tied) == "toi"
    assert "2: {1,2}" in preflib.write(tied)
    silent = sheet("t", "AB", 1, [(4, bytes([1, NO_OPINION]))])
    assert table.write(silent).endswith("4,1,-\n")
    for contest, kind in ((tied, preflib), (tied, table), (silent, table)):
        assert kind.read(kind.write(contest)) == contest
    with pytest.raises(FormatError, match="two candidates equally"):
        blt.write(tied)
    with pytest.raises(FormatError, match="no opinion"):
        preflib.write(silent)


def test_gaps_between_ranks_say_nothing() -> None:
    assert sheet("", "AB", 1, [(1, bytes([2, 7]))]) == sheet("", "AB", 1, [(1, bytes([1, 2]))])


def test_more_papers_than_a_count_takes_are_refused_before_they_are_made() -> None:
    with pytest.raises(FormatError, match="at most 10000000"):
        sheet("", "A", 1, [(10**9, bytes([1]))]).rankings()


def test_withdrawn_candidates_and_comments_of_a_blt_file_are_read() -> None:
    found = blt.read('3 1 # three\n-2\n4 1 2 0\n0\n"A" "B" "C"\n"T"')
    assert (found.withdrawn, found.papers) == ((1,), ((4, bytes([1, 2, UNRANKED])),))
    assert "\n-2\n" in blt.write(found)


@pytest.mark.parametrize(
    ("kind", "text", "why"),
    [
        (blt, "", "line 1: the file ends too early"),
        (blt, "0 1", "there are 0 candidates"),
        (blt, "999999999 1\n1 7 0", "there are 999999999 candidates"),
        (blt, '1 0\n0\n"A" "T"', "at least one seat"),
        (preflib, "# NUMBER ALTERNATIVES: 9999\n1: 300", "there are 9999 candidates"),
        (blt, "2 1\n1 3 0\n0", "line 2: there is no candidate 3"),
        (blt, "2 1\n1 1 1 0\n0", "line 2: a paper ranks a candidate twice"),
        (blt, "2 1\n1 1 0\n-1 1 0", "negative number"),
        (blt, "2 1\nx", "line 2: a whole number"),
        (blt, '2 1\n0\n"A"\n7', "line 4: a text in double quotes"),
        (preflib, "1: 1", "NUMBER ALTERNATIVES"),
        (preflib, "# NUMBER ALTERNATIVES: 2\n1: 3", "line 2: there is no candidate '3'"),
        (preflib, "# NUMBER ALTERNATIVES: 2\n1: 1,1", "ranked twice"),
        (preflib, "# NUMBER ALTERNATIVES: 2\n1: 1 2", "numbers with commas"),
        (preflib, "# NUMBER ALTERNATIVES: 2\n1: {}", "no candidate ''"),
        (preflib, "# NUMBER ALTERNATIVES: 2\nhello", "a number, a colon"),
        (preflib, "# NUMBER ALTERNATIVES: 2\n# NUMBER SEATS: x\n", "at least one seat"),
        (table, "", "the first field is"),
        (table, "papers for 1 seat: x,A\n1,2,3", "line 2: 2 fields"),
        (table, "papers for 1 seat: x,A\nmany,1", "line 2: the first field"),
        (table, "papers for 1 seat: x,A\n1,255", "line 2: '255' is no rank"),
        (table, 'papers for 1 seat: x,A\n1,"', "line 2: unexpected end of data"),
        (table, "papers for 1 seat: x", "there are 0 candidates"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told_with_its_line(kind: ModuleType, text: str, why: str) -> None:
    with pytest.raises(FormatError, match=why):
        kind.read(text)
