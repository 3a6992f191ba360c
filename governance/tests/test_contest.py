"""Contests with a limit for affiliations, by every method: who leaves, and what is counted then."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest
from hypothesis import given, settings

from governance.tally.contest import METHODS, Contest, resolve
from governance.tally.formats.sheet import as_ranks
from governance.tally.papers import Paper
from governance.tests.papers import LOT, contests, papers

PAPERS = papers("12: A B C", "10: B A C", "4: C A", "2: D C")
ACME = {0: "Acme", 1: "Acme", 3: "Bolt"}


def elected(contest: Contest, found: list[Paper], **kwargs: tuple[int, ...]) -> list[set[int]]:
    return [set(each.tally.elected) for each in resolve(found, contest, lot=LOT, **kwargs)]


def test_without_a_limit_one_count_stands() -> None:
    assert elected(Contest("scottish-stv", 4, 2, ACME), PAPERS) == [{0, 1}]


def test_who_was_elected_last_of_too_many_leaves_and_all_is_counted_again() -> None:
    first, second = resolve(PAPERS, Contest("scottish-stv", 4, 2, ACME, most=1), lot=LOT)
    assert first.tally.elected == (0, 1)
    assert (second.left, set(second.tally.elected)) == ((1,), {0, 2})


def test_those_without_an_affiliation_are_not_limited() -> None:
    contest = Contest("scottish-stv", 4, 2, {3: "Bolt"}, most=1)
    assert elected(contest, PAPERS) == [{0, 1}]


def test_who_is_seated_already_does_not_stand() -> None:
    assert elected(Contest("scottish-stv", 4, 2, {}), PAPERS, seated=(0,)) == [{1, 2}]


@pytest.mark.parametrize("method", sorted(set(METHODS) - {"yes-no"}))
def test_nobody_who_left_is_elected_by_any_method(method: str) -> None:
    seats = 1 if method == "irv" else 2
    found = [paper[:1] for paper in PAPERS] if method == "plurality" else PAPERS
    if method == "schulze":
        found = [as_ranks(paper, 4) for paper in PAPERS]
    contest = Contest(method, 4, seats, ACME, most=1)
    for each in resolve(found, contest, lot=LOT, seated=(2,)):
        assert 2 not in each.tally.elected
        assert not set(each.left) & set(each.tally.elected)
        assert len(each.tally.elected) == seats
    last = resolve(found, contest, lot=LOT, seated=(2,))[-1].tally.elected
    assert len({0, 1} & set(last)) == 1


@given(contests())
@settings(max_examples=150, deadline=None)
def test_it_ends_and_the_limit_holds(contest: tuple[list[Paper], int, int]) -> None:
    found, candidates, seats = contest
    affiliations = {one: "ab"[one % 2] for one in range(candidates)}
    for method in ("scottish-stv", "meek-stv"):
        rule = Contest(method, candidates, seats, affiliations, most=1)
        rounds = resolve(found, rule, lot=LOT)
        last = [affiliations[one] for one in rounds[-1].tally.elected]
        assert len(last) == len(set(last)) == min(seats, candidates, 2)
        assert [len(each.left) for each in rounds] == list(range(len(rounds)))


def test_a_real_committee_with_too_many_of_one_employer_is_reproduced(shared_data: Path) -> None:
    """Kubernetes 2017: the second of Google's had to leave, who was among the first six."""
    with lzma.open(shared_data / "elections/kubernetes_steering.json.xz", "rt") as file:
        election = json.load(file)[0]
    names = election["candidates"]
    found = [bytes(paper.get(name, 0) for name in names) for paper in election["ballots"]]
    google = {names.index(name): "Google" for name in ("Phillip Whitrock", "Michael Rubin")}
    contest = Contest("schulze", len(names), 6, google, most=1)
    first, second = resolve(found, contest, lot=LOT)
    assert "Michael Rubin" in {names[one] for one in first.tally.elected}
    assert [names[one] for one in second.tally.elected] == [
        "Derek Carr",
        "Michelle Noorali",
        "Phillip Whitrock",
        "Timothy St. Clair",
        "Quinton Hoole",
        "Aaron Crickenberger",
    ]


def test_instant_runoff_with_several_seats_is_refused() -> None:
    with pytest.raises(ValueError, match="fills one seat"):
        resolve(PAPERS, Contest("irv", 4, 2, {}), lot=LOT)
    with pytest.raises(ValueError, match="nobody stands"):
        resolve(PAPERS, Contest("irv", 4, 1, {}), lot=LOT, seated=(0, 1, 2, 3))
