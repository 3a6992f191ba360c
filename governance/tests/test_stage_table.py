"""The table of stages, and the file with the same numbers."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given, settings

from governance.elections.movements import End, fates, in_order, movements
from governance.elections.shown import shown
from governance.elections.stage_file import HEAD, stage_csv
from governance.elections.stage_table import StageTable, stage_table
from governance.tally import irv, meek, scottish
from governance.tally.contest import Contest
from governance.tally.papers import Paper
from governance.tally.stages import Tally
from governance.tests.count_samples import NAMES, PAPERS, counted
from governance.tests.papers import LOT, contests

METHODS = ("scottish-stv", "meek-stv", "irv")


def tally(found: list[Paper], candidates: int, seats: int, method: str = "scottish-stv") -> Tally:
    if method == "irv":
        return irv.count(found, candidates=candidates, lot=LOT)
    count = meek.count if method == "meek-stv" else scottish.count
    return count(found, candidates=candidates, seats=seats, lot=LOT)


def told(table: StageTable, label: str) -> list[tuple[str, str, str]]:
    rows = [*table.rows, *table.sums, table.quota]
    [row] = [row for row in rows if row.label == label]
    return [(cell.votes, cell.change, cell.mark) for cell in row.cells]


def test_each_stage_says_what_everybody_has_and_what_it_moved() -> None:
    table = stage_table(tally(PAPERS, 5, 3), NAMES)
    assert [(column.title, column.what) for column in table.columns] == [
        ("Stage 1", "First preferences"),
        ("Stage 2", "Surplus of Alice"),
        ("Stage 3", "Erin leaves"),
        ("Stage 4", "Surplus of Dana"),
    ]
    assert [row.label for row in table.rows] == ["Alice", "Dana", "Charlie", "Bob", "Erin"]
    assert told(table, "Alice")[:2] == [
        ("57.00000", "", "elected"),
        ("43.00000", "−14.00000", ""),
    ]
    assert told(table, "Erin")[2:] == [("0.00000", "−23.00000", "leaves"), ("—", "", "")]
    assert told(table, "Lost by rounding")[1] == ("0.00023", "+0.00023", "")
    assert {votes for votes, _, _ in told(table, "Total")} == {"169.00000"}
    assert {votes for votes, _, _ in told(table, "Quota")} == {"43.00000"}


def test_whole_votes_have_no_decimals_and_many_decimals_are_cut() -> None:
    assert told(stage_table(tally(PAPERS, 5, 1, "irv"), NAMES), "Alice")[0][0] == "57"
    table = stage_table(tally(PAPERS, 5, 3, "meek-stv"), NAMES)
    assert [column.title for column in table.columns][:2] == ["Round 1", "Round 2"]
    assert told(table, "Quota")[0][0] == "42.25000"
    assert any("CSV" in note for note in table.notes)


def test_who_did_not_stand_is_in_the_last_line_without_votes() -> None:
    contest = Contest("scottish-stv", 5, 3, {0: "Acme", 2: "Acme"}, most=1)
    table = shown(counted(contest)).stages
    assert table is not None
    assert (table.rows[-1].label, table.rows[-1].note) == ("Charlie", "Acme · does not stand")
    assert {cell.votes for cell in table.rows[-1].cells} == {"—"}


@pytest.mark.parametrize("method", METHODS)
@given(contest=contests())
@settings(max_examples=40, deadline=None)
def test_no_vote_appears_or_vanishes(contest: tuple[list[Paper], int, int], method: str) -> None:
    found, candidates, seats = contest
    told = tally(found, candidates, seats, method)
    for move in movements(told):
        assert sum(move.changes) + move.exhausted + move.lost == 0
    ends = fates(told)
    assert sorted(in_order(told)) == list(range(candidates))
    assert [one for one in range(candidates) if ends[one].end is End.ELECTED] == sorted(
        told.elected
    )
    table = stage_table(told, [f"c{one}" for one in range(candidates)])
    [total] = [row for row in table.sums if row.label == "Total"]
    assert len({cell.votes for cell in total.cells}) == 1


@pytest.mark.parametrize("method", METHODS)
def test_the_file_has_the_same_numbers_with_all_decimals(method: str) -> None:
    found = tally(PAPERS, 5, 1 if method == "irv" else 3, method)
    names = ["=1+1", *NAMES[1:]]
    lines = list(csv.DictReader(io.StringIO(stage_csv(found, names))))
    assert tuple(lines[0]) == HEAD
    assert len(lines) == len(found.stages) * (5 + 2)
    for line in lines:
        stage = found.stages[int(line["stage"]) - 1]
        if line["candidate"] in names:
            parts = stage.votes[names.index(line["candidate"])]
            assert int(line["votes"].replace(".", "")) == parts
    assert {line["candidate"] for line in lines} >= {"'=1+1", "(exhausted)"}
    states = {line["candidate"]: line["state"] for line in lines if line["state"]}
    assert sorted(states.values()).count("elected") == len(found.elected)
    places = {"irv": 0, "scottish-stv": 5, "meek-stv": 9}[method]
    assert all(len(line["votes"].partition(".")[2]) == places for line in lines)
