"""What the database of the box tells: everything of a block follows from the set of its ballots."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from governance.offices.database import Connection
from governance.sealed import wire
from governance.tests import offices
from governance.tests.offices import CLOSES, CONTRIBUTORS, HOUR, MEMBERS, OPENS, Clock, Election
from governance.tests.sealed_election import NAME, voter

VOTERS = 25
HIDDEN = ["ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"]  # of every row
Rows = list[dict[str, str]]


@pytest.fixture(scope="module")
def election() -> Election:
    return Election()


@pytest.fixture(scope="module")
def lines(election: Election) -> list[bytes]:
    """In the order in which they are cast: two contests, papers of several lengths, two changes."""
    found = election.lines(VOTERS) + election.lines(VOTERS, MEMBERS)
    who = voter(CONTRIBUTORS)
    found += [election.line(who, b"", sequence=2), election.line(who, b"\x01", sequence=9)]
    random.Random(7).shuffle(found)
    first, second = (number for number, line in enumerate(found) if b'"sequence":1' not in line)
    if wire.read_ballot(found[first]).sequence > wire.read_ballot(found[second]).sequence:
        found[first], found[second] = found[second], found[first]
    return found


def tables(connection: Connection) -> list[str]:
    query = "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p', 'm', 'S') AND relnamespace ="
    found = connection.execute(query + " 'public'::regnamespace ORDER BY 1").fetchall()
    return [name for (name,) in found]


def rows(connection: Connection, table: str) -> Rows:
    """As they lie on the disk, with what PostgreSQL keeps of every row."""
    query = f"SELECT {', '.join(HIDDEN)}, t.* FROM {table} t ORDER BY ctid"  # noqa: S608
    cursor = connection.execute(query.encode())
    names = [column.name for column in cursor.description or []]
    return [dict(zip(names, map(str, row), strict=True)) for row in cursor]


def everything(state: Path, election: Election, cast: list[bytes]) -> dict[str, Rows]:
    """All tables after a block and the close, when the ballots were cast in this order: the first
    half of them in the first block.
    """
    clock = Clock(OPENS)
    election.keep_keys(state)
    with offices.ballot_box(state, clock) as box:
        box.open(election.text, election.signatures)
        for number, line in enumerate(cast):
            if number == len(cast) // 2:
                box.tend()
                clock.now += HOUR
                box.tend()
            box.cast(line)
        clock.now = CLOSES
        box.tend()
        with box._database.read() as connection:
            return {table: rows(connection, table) for table in tables(connection)}


def order(found: Rows, by: str) -> list[str]:
    """The digests as this column would have them, equal ones by their digest."""

    def place(row: dict[str, str]) -> tuple[Any, ...]:
        value = row[by]
        if by == "ctid":
            return tuple(map(int, value.strip("()").split(",")))
        return (int(value),) if value.isdigit() else (value,)

    return [row["digest"] for row in sorted(found, key=lambda row: (place(row), row["digest"]))]


def test_no_column_follows_the_order_of_casting(
    election: Election, lines: list[bytes], tmp_path: Path
) -> None:
    half = len(lines) // 2
    cast = [wire.read_ballot(line).digest for line in lines]
    found = everything(tmp_path, election, lines)
    ballots = found["ballots"]
    assert found["pending"] == []
    for block, ours in ((1, cast[:half]), (2, cast[half:])):
        inside = [row for row in ballots if row["block"] == str(block)]
        assert order(inside, "ctid") == sorted(ours)
        assert len({row["xmin"] for row in inside}) == 1, "one transaction wrote them all"
        for column in inside[0]:
            assert order(inside, column) not in (ours, ours[::-1]), column


def test_the_same_ballots_in_another_order_leave_the_very_same_database(
    election: Election, lines: list[bytes], tmp_path: Path
) -> None:
    """But for the numbers of transactions, which are the same within a block."""
    half = len(lines) // 2
    shuffled = [*reversed(lines[:half]), *random.Random(3).sample(lines[half:], len(lines) - half)]
    shuffled.sort(key=lambda line: (line in lines[half:], wire.read_ballot(line).sequence))
    assert shuffled[:half] != lines[:half]
    first = everything(tmp_path / "a", election, lines)
    second = everything(tmp_path / "b", election, shuffled)
    for found in (first, second):
        for table in found.values():
            for row in table:
                row.pop("tableoid")
            ranks = {xmin: rank for rank, xmin in enumerate(sorted({row["xmin"] for row in table}))}
            for row in table:
                row["xmin"] = str(ranks[row["xmin"]])
    assert first == second


def test_no_table_has_a_time_or_a_number_that_counts_up(election: Election, tmp_path: Path) -> None:
    with offices.ballot_box(tmp_path, Clock()) as box, box._database.read() as connection:
        assert tables(connection) == [
            "ballots",
            "blocks",
            "closed",
            "elections",
            "pending",
            "steps",
        ]
        found = connection.execute(
            "SELECT DISTINCT data_type, column_default FROM information_schema.columns"
            " WHERE table_schema = 'public'"
        ).fetchall()
    assert set(found) == {("text", None), ("bytea", None), ("integer", None)}


def test_what_waits_for_another_election_is_written_anew_in_its_order(
    election: Election, tmp_path: Path
) -> None:
    second = offices.another("2026-council")
    clock = Clock(OPENS)
    for each in (election, second):
        each.keep_keys(tmp_path)
    with offices.ballot_box(tmp_path, clock) as box:
        for each in (election, second):
            box.open(each.text, each.signatures)
        theirs = second.lines(8, "2026-council/all")
        for line in theirs + election.lines(10):
            box.cast(line)
        box.tend()
        clock.now += HOUR
        box.tend()
        with box._database.read() as connection:
            waiting = rows(connection, "pending")
    assert [row["digest"] for row in waiting] == sorted(
        wire.read_ballot(line).digest for line in theirs
    )
    assert len({row["xmin"] for row in waiting}) == 1
    assert NAME not in {row["election"] for row in waiting}


def test_the_server_keeps_no_samples_of_what_waits(
    election: Election, lines: list[bytes], tmp_path: Path
) -> None:
    """What it analysed in the middle of an epoch would tell which ballots were there by then."""
    election.keep_keys(tmp_path)
    with offices.ballot_box(tmp_path, Clock(OPENS)) as box:
        box.open(election.text, election.signatures)
        for line in lines:
            box.cast(line)
        with box._database.write() as connection:
            connection.execute("ANALYZE")
            found = connection.execute(
                "SELECT DISTINCT tablename::text FROM pg_stats WHERE schemaname = 'public'"
            ).fetchall()
            options = connection.execute(
                "SELECT reloptions FROM pg_class WHERE relname = 'pending'"
            ).fetchone()
    assert ("pending",) not in found
    assert found, "of other tables it does"
    assert options == (["autovacuum_enabled=false"],)
