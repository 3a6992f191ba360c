"""The outcome of a recount is shown as it is: who left, who is seated already, the turnout."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

from governance.elections import outcomes
from governance.elections.counted import Absence
from governance.elections.of_outcome import all_counted, counted
from governance.elections.report import report
from governance.models import Contest, Election, ElectionCount
from governance.recount import result
from governance.recount.outcome import Spoilt, Votes, outcome
from governance.recount.parts import Left
from governance.sealed.manifest import Candidate, write
from governance.tests.papers import papers
from governance.tests.sealed_election import CONTRIBUTORS, MEMBERS, contest, keys, made

PEOPLE = tuple(Candidate(name, "Acme", "") for name in ("Alice", "Bob", "Carol"))
CONTESTS = tuple(
    replace(contest(name, voters=9), candidates=PEOPLE) for name in (CONTRIBUTORS, MEMBERS)
)
MANIFEST = made(keys(), contests=CONTESTS)
VOTES = {
    CONTRIBUTORS: Votes((*papers("4: A B", "2: B"), b""), (Spoilt("ab", "odd"),)),
    MEMBERS: Votes(tuple(papers("4: A B", "2: B C", "1: C"))),
}


def test_who_has_a_seat_by_the_contest_before_is_told_so() -> None:
    found = outcome(MANIFEST, VOTES, left=(), seed="a seed")
    first, second = all_counted(MANIFEST, found)
    assert (first.turnout.took_part, first.turnout.blank, first.turnout.spoilt) == (8, 1, 1)
    assert first.turnout.on_roll == 9
    assert report(first).answer == "Alice is elected"
    assert second.absent == {0: Absence.SEATED}
    assert report(second).answer == "Bob is elected"


def test_who_left_is_counted_with_everybody_and_not_in_the_count_that_stands() -> None:
    left = (
        Left(CONTRIBUTORS, 0, "withdrew", "2026-11-20", "ill"),
        Left(MEMBERS, 1, "disqualified", "2026-11-20", "not on the roll"),
    )
    found = outcome(MANIFEST, VOTES, left=left, seed="a seed")
    stands = list(all_counted(MANIFEST, found))
    assert stands[0].absent == {0: Absence.WITHDREW}
    assert stands[1].absent[1] is Absence.DISQUALIFIED
    assert report(stands[0]).answer == "Bob is elected"
    everybody = counted(CONTESTS[0], found, everybody=True)
    assert everybody.absent == {}
    assert report(everybody).answer == "Alice is elected"


def held(left: tuple[Left, ...] = (), **changed: str) -> Election:
    """An election with its count, as a page has it; nothing of it is stored."""
    manifest = MANIFEST
    if changed:
        contests = tuple(replace(each, **changed) for each in CONTESTS)  # type: ignore[arg-type]
        manifest = made(keys(), contests=contests)
    found = outcome(manifest, VOTES, left=left, seed="a seed")
    every = {
        name: dict(Counter(paper.hex() for paper in votes.papers)) for name, votes in VOTES.items()
    }
    election = Election(name="2026-board", title="Board", manifest=write(manifest).decode())
    told = json.loads(result.write(found))
    election.count = ElectionCount(election=election, result=told, papers=every)
    return election


def test_what_is_shown_is_what_was_stored_with_the_result() -> None:
    left = (Left(MEMBERS, 1, "disqualified", "2026-11-20", "not on the roll"),)
    first, second = outcomes.counted(held(left))
    assert report(first).answer == "Alice is elected"
    assert second.absent == {0: Absence.SEATED, 1: Absence.DISQUALIFIED}
    assert "Bob was disqualified" in " ".join(report(second).opening)


def test_papers_are_handed_out_as_the_recount_writes_them() -> None:
    election = held()
    ranked = outcomes.papers(Contest(election=election, constituency="contributors"))
    assert ranked.number == 7, "a blank paper is one too"
    assert (4, bytes([1, 2, 255])) in ranked.papers
    marked = held(method="approval")
    found = outcomes.papers(Contest(election=marked, constituency="contributors"))
    assert (4, bytes([1, 1, 255])) in found.papers, "marks have no order"
