"""A ballot that was sent unsealed: what it says, what is wrong with it, and back into its boxes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.http import QueryDict

from governance.elections import filled, told_paper
from governance.sealed import paper
from governance.tests import sealed_election as made

NAMES = ["Cora", "Carl", "Cleo"]


def read(kind: str, sent: str, most: int = 3) -> filled.Filled:
    return filled.read(QueryDict(sent), kind, names=NAMES, most=most)


@pytest.mark.parametrize(
    ("kind", "sent", "expected"),
    [
        ("order", "rank-2=1&rank-0=2", b"\x02\x00"),
        ("order", "rank-2=+1+", b"\x02"),
        ("order", "rank-2=1&vote=blank", b""),
        ("marks", "mark=2&mark=0&mark=9&mark=x", b"\x00\x02"),
        ("ranks", "rank-0=7&rank-1=7&rank-2=9", b"\x01\x01\x02"),
        ("ranks", "rank-0=3&no-opinion=2&rank-2=1", b"\x01\xff\x00"),
    ],
)
def test_what_is_filled_in_becomes_a_paper_and_is_filled_in_again(
    kind: str, sent: str, expected: bytes
) -> None:
    found = read(kind, sent)
    assert (found.paper, found.is_sound) == (expected, True)
    again = filled.refill(found.paper, kind)
    back = QueryDict(mutable=True)
    for place, row in again.items():
        if "value" in row:
            back[f"rank-{place}"] = str(row["value"])
        if row.get("checked"):
            back.appendlist("mark", str(place))
        if row.get("silent"):
            back.appendlist("no-opinion", str(place))
    if expected:
        assert filled.read(back, kind, names=NAMES, most=3).paper == expected


@pytest.mark.parametrize(
    ("kind", "sent", "place", "words"),
    [
        ("order", "rank-0=4", 0, "from 1 to 3"),
        ("order", "rank-0=0", 0, "from 1 to 3"),
        ("order", "rank-0=-1", 0, "from 1 to 3"),
        ("order", "rank-0=%C2%B2", 0, "from 1 to 3"),
        ("order", "rank-0=1&rank-1=1", 1, "Cora has 1 too"),
        ("order", "rank-0=1&rank-1=3", 1, "Nobody has 2"),
        ("marks", "mark=0&mark=2", 2, "You marked 2, and 1 can be elected"),
        ("ranks", "rank-0=255", 0, "from 1 to 254"),
    ],
)
def test_what_is_wrong_is_said_beside_the_row(kind: str, sent: str, place: int, words: str) -> None:
    found = read(kind, sent, most=1)
    assert not found.is_sound
    assert words in found.rows[place]["problem"]


@pytest.mark.parametrize("kind", ["order", "marks", "ranks"])
def test_an_empty_ballot_is_no_blank_vote_by_itself(kind: str) -> None:
    assert read(kind, "").says_nothing
    assert not read(kind, "no-opinion=0").is_sound
    assert read(kind, "vote=blank").is_sound


@pytest.mark.parametrize(
    ("method", "vote", "expected"),
    [
        (
            "irv",
            b"\x02\x00",
            ["1. Candidate 2", "2. Candidate 0", "Not ranked: Candidate 1"],
        ),
        ("approval", b"\x01", ["Candidate 1", "Not marked: Candidate 0, Candidate 2"]),
        (
            "schulze",
            b"\x01\xff\x00",
            [
                "1. Candidate 0",
                "Not ranked, below all above: Candidate 1",
                "No opinion: Candidate 2",
            ],
        ),
        ("irv", b"", ["A blank vote: it takes part and prefers nobody."]),
        ("yes-no", b"\x00", ["Yes: Candidate 0"]),
        ("yes-no", b"\x01", ["No: Candidate 1"]),
        ("yes-no", b"", ["You abstain: you take part, and count for neither side."]),
    ],
)
def test_a_paper_is_told_in_the_names_of_the_manifest(
    method: str, vote: bytes, expected: list[str]
) -> None:
    contest = replace(made.contest(made.MEMBERS), method=method)
    assert paper.read(paper.write(vote), method=method, candidates=3, seats=1) == vote
    assert told_paper.lines(vote, contest) == expected
