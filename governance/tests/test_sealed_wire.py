"""Ballots and blocks as lines of JSON, and papers as texts: there and back, and nothing else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.sealed import board, paper, wire
from governance.sealed.paper import PaperError
from governance.sealed.wire import WireError
from governance.tests import sealed_election as made


@pytest.fixture(scope="module")
def line() -> bytes:
    election = made.made(made.keys())
    who = made.voter(made.MEMBERS)
    return wire.write_ballot(made.ballot(election, made.MEMBERS, who, paper.write(b"\x00")))


def test_a_ballot_comes_back_the_same(line: bytes) -> None:
    assert wire.write_ballot(wire.read_ballot(line)) == line
    assert len(line) < wire.LARGEST_BALLOT
    assert b"\n" not in line


def test_a_block_comes_back_the_same() -> None:
    key = made.keys().box
    block = board.first_block("2026-board", "0" * 64, ["b" * 64, "a" * 64], key)
    assert wire.read_block(wire.write_block(block)) == block


@pytest.mark.parametrize(
    "change",
    [
        {"sequence": "1"},
        {"sequence": True},
        {"sequence": 1.0},
        {"envelope": "not base64!"},
        {"envelope": "QUI="},
        {"envelope": "QUJ"},  # its last bits are not zero
        {"contest": "\ud800"},
        {"more": 1},
    ],
)
def test_a_ballot_written_otherwise_is_refused(line: bytes, change: dict[str, object]) -> None:
    with pytest.raises(WireError):
        wire.read_ballot(json.dumps(json.loads(line) | change).encode())


def test_a_block_whose_ballots_are_no_digests_is_refused() -> None:
    block = board.first_block("2026-board", "0" * 64, [], made.keys().box)
    fields = json.loads(wire.write_block(block)) | {"ballots": [1]}
    with pytest.raises(WireError, match="digests"):
        wire.read_block(json.dumps(fields).encode())


@given(st.binary(max_size=200))
def test_any_bytes_are_a_ballot_or_a_clear_error(data: bytes) -> None:
    with pytest.raises(WireError):
        wire.read_ballot(data)


@given(st.binary(max_size=60))
def test_bytes_come_back_from_their_text(data: bytes) -> None:
    assert wire.to_bytes(wire.to_text(data)) == data


@pytest.mark.parametrize(
    ("method", "text", "why"),
    [
        ("irv", b"", "kind"),
        ("irv", b"\x02\x00", "kind"),
        ("irv", b"\x01\x03", "does not stand"),
        ("irv", b"\x01\x01\x01", "twice"),
        ("plurality", b"\x01\x00\x01", "more marks"),
        ("schulze", b"\x01\x01\x02", "one rank for each"),
    ],
)
def test_a_paper_that_cannot_be_counted_says_why(method: str, text: bytes, why: str) -> None:
    with pytest.raises(PaperError, match=why):
        paper.read(text, method=method, candidates=3, seats=1)


@pytest.mark.parametrize(
    ("method", "found"),
    [
        ("scottish-stv", b"\x02\x00"),
        ("approval", b"\x00\x01\x02"),
        ("plurality", b"\x01"),
        ("schulze", b"\x01\x01\xff"),
        ("meek-stv", b""),
        ("schulze", b""),
    ],
)
def test_a_paper_comes_back_from_its_text(method: str, found: bytes) -> None:
    text = paper.write(found)
    assert paper.read(text, method=method, candidates=3, seats=1) == found
