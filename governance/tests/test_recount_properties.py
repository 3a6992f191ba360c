"""Whatever the votes: their order changes nothing, and the same parts are the same bytes."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TypeVar

from hypothesis import given, settings
from hypothesis import strategies as st

from governance.recount import bundle, result
from governance.recount.check import check
from governance.recount.outcome import Votes, outcome
from governance.recount.parts import Left
from governance.sealed.manifest import Manifest
from governance.tally.contest import METHODS
from governance.tests import finished_election as finished
from governance.tests.sealed_election import CONTRIBUTORS, MEMBERS, contest, keys, made

KEYS = keys()
Each = TypeVar("Each")


@st.composite
def elections(draw: st.DrawFn) -> tuple[Manifest, dict[str, Votes], list[Left]]:
    """Two contests of any methods, with papers, limits, quorums, and some who left."""
    contests, votes, left = [], {}, []
    for name in (CONTRIBUTORS, MEMBERS):
        method = draw(st.sampled_from(sorted(METHODS)))
        candidates = 2 if method == "yes-no" else draw(st.integers(1, 5))
        seats = 1 if method in {"irv", "yes-no"} else draw(st.integers(1, 3))
        found = replace(
            contest(name, seats=seats, candidates=candidates),
            method=method,
            most_of_one_affiliation=draw(st.none() | st.integers(1, 2)),
            quorum=draw(st.integers(0, 12)),
        )
        contests.append(found)
        votes[name] = Votes(tuple(draw(st.lists(_papers(method, candidates, seats), max_size=20))))
        gone = draw(st.sets(st.integers(0, candidates - 1), max_size=candidates))
        left += [
            Left(name, one, "withdrew", "2026-11-10", "")
            for one in sorted(gone)
            if method != "yes-no"
        ]
    return made(KEYS, contests=tuple(contests)), votes, left


def _papers(method: str, candidates: int, seats: int) -> st.SearchStrategy[bytes]:
    if method == "schulze":
        ranks = st.sampled_from([0, 1, 2, 3, 255])
        return st.lists(ranks, min_size=candidates, max_size=candidates).map(bytes)
    most = {"yes-no": 1, "plurality": seats}.get(method, candidates)
    places = st.integers(0, candidates - 1)
    return st.lists(places, max_size=most, unique=True).map(bytes)


@given(elections(), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_the_order_of_papers_never_changes_an_outcome(
    election: tuple[Manifest, dict[str, Votes], list[Left]], shuffle: Random
) -> None:
    manifest, votes, left = election
    first = outcome(manifest, votes, left=left, seed="a")
    turned = {
        name: replace(each, papers=_turned(each.papers, shuffle)) for name, each in votes.items()
    }
    again = outcome(manifest, turned, left=left[::-1], seed="a")
    assert again == first
    text = result.write(first)
    assert result.read(text) == first
    assert result.write(result.read(text)) == text


@given(elections())
@settings(max_examples=100, deadline=None)
def test_nobody_who_left_and_nobody_twice_is_elected(
    election: tuple[Manifest, dict[str, Votes], list[Left]],
) -> None:
    manifest, votes, left = election
    found = outcome(manifest, votes, left=left, seed="a")
    people: list[tuple[str, str]] = []
    for of, each in zip(manifest.contests, found.contests, strict=True):
        assert not set(each.left) & set(each.elected)
        assert len(each.elected) <= of.seats
        if of.method != "yes-no":
            chosen = [of.candidates[one] for one in each.elected]
            people += [(one.name, one.affiliation) for one in chosen]
            most = of.most_of_one_affiliation
            acme = sum(one.affiliation == "Acme" for one in chosen)
            assert most is None or acme <= most
    assert len(people) == len(set(people))


@given(st.lists(st.integers(0, 2), max_size=8), st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_a_bundle_made_again_of_the_same_parts_has_the_same_bytes(
    first: list[int], shuffle: Random
) -> None:
    votes = {CONTRIBUTORS: [bytes([one]) for one in first], MEMBERS: [b"\x00"]}
    parts = finished.confidential(votes)
    again = replace(parts, sheet=_turned(parts.sheet, shuffle))
    packed = bundle.write(parts, bundle.count(parts))
    assert bundle.write(again, bundle.count(again)) == packed
    assert check(bundle.unpack(packed)).is_sound


def _turned(found: tuple[Each, ...], shuffle: Random) -> tuple[Each, ...]:
    return tuple(shuffle.sample(found, len(found)))
