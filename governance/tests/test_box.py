"""The ballot box: what it takes, what it refuses, and its blocks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from governance.box import office as box_office
from governance.box.client import BallotBox, BallotBoxRefusedError, Found
from governance.box.office import Office
from governance.sealed import manifest, sharing, wire
from governance.sealed.board import check_board, is_receipt
from governance.sealed.wire import LARGEST_BALLOT
from governance.tests import offices, sealed_election
from governance.tests.offices import (
    CLOSES,
    CONTRIBUTORS,
    HOUR,
    MEMBERS,
    OPENS,
    Clock,
    Election,
    digest_of,
    why_refused,
)

NAME = sealed_election.NAME
ORDER = sharing.ORDER  # of P-256: (r, s) and (r, ORDER - s) sign the same


@pytest.fixture
def clock() -> Clock:
    return Clock(OPENS)


@pytest.fixture
def election(tmp_path: Path) -> Election:
    made = Election()
    made.keep_keys(tmp_path)
    return made


@pytest.fixture
def office(tmp_path: Path, clock: Clock, election: Election) -> Iterator[Office]:
    """Open for the election."""
    with offices.ballot_box(tmp_path, clock) as found:
        found.open(election.text, election.signatures)
        yield found


def pass_epoch(office: Office, clock: Clock) -> None:
    office.tend()
    clock.now += HOUR
    office.tend()


def end(office: Office, clock: Clock) -> None:
    clock.now = CLOSES
    office.close(NAME)


def test_a_ballot_gets_a_receipt_that_everybody_can_check(
    office: Office, election: Election
) -> None:
    asked: BallotBox = office
    asked.ping()
    [line] = election.lines(1)
    found = asked.cast(line)
    assert found.digest == digest_of(line)
    assert is_receipt(NAME, found.digest, found.signature, election.manifest.box)
    assert asked.cast(line) == found, "the same ballot has the same receipt"
    assert asked.find(NAME, found.digest) == Found(is_known=True)


def test_a_ballot_whose_signature_was_written_the_other_way_is_the_same(
    office: Office, election: Election, clock: Clock
) -> None:
    [line] = election.lines(1)
    given = office.cast(line)
    ballot = wire.read_ballot(line)
    second = ORDER - int.from_bytes(ballot.signature[32:])
    other = replace(ballot, signature=ballot.signature[:32] + second.to_bytes(32))
    assert office.cast(wire.write_ballot(other)) == given
    end(office, clock)
    assert office.ballots(NAME) == [line]


def changed(line: bytes, **fields: object) -> bytes:
    return json.dumps(json.loads(line) | fields).encode()


def test_what_is_no_ballot_of_this_election_is_refused(office: Office, election: Election) -> None:
    who = sealed_election.voter(CONTRIBUTORS)
    line = election.line(who)
    stranger = sealed_election.voter(MEMBERS)
    ballot = wire.read_ballot(line)
    flipped = wire.to_text(bytes([ballot.envelope[0] ^ 1]) + ballot.envelope[1:])
    for what, reason in [
        (b"", "wire"),
        (b"{}", "wire"),
        (b"\xff", "wire"),
        (b"[" * 9000, "wire"),
        (line[:-1], "wire"),
        (line + b" " * LARGEST_BALLOT, "size"),
        (changed(line, more=1), "wire"),
        (changed(line, sequence="1"), "wire"),
        (changed(line, sequence=True), "wire"),
        (changed(line, signature="="), "wire"),
        (changed(line, contest="\ud800"), "wire"),
        (changed(line, contest=MEMBERS), "invalid"),
        (changed(line, contest=NAME), "contest"),
        (changed(line, contest=f"{NAME}/nobody"), "contest"),
        (changed(line, contest="2027-board/contributors"), "contest"),
        (changed(line, contest="\0/\0"), "contest"),
        (changed(line, contest=""), "contest"),
        (changed(line, sequence=0), "invalid"),
        (changed(line, sequence=-1), "invalid"),
        (changed(line, sequence=2), "invalid"),
        (changed(line, sequence=2**31), "invalid"),
        (changed(line, sequence=2**99), "invalid"),
        (changed(line, envelope=flipped), "invalid"),
        (changed(line, envelope=""), "invalid"),
        (changed(line, point=""), "invalid"),
        (changed(line, prefix=""), "invalid"),
        (changed(line, registrar_signature=""), "invalid"),
        (changed(line, signature=""), "invalid"),
        (changed(line, signature=wire.to_text(bytes(64))), "invalid"),
        (election.line(stranger, contest=CONTRIBUTORS), "invalid"),
    ]:
        assert why_refused(office, what) == reason, what[:200]
    office.cast(line)


def test_a_vote_is_changed_only_upwards(office: Office, election: Election) -> None:
    who = sealed_election.voter(CONTRIBUTORS)
    first, second, third = (election.line(who, sequence=number) for number in (1, 3, 4))
    given = office.cast(first)
    office.cast(second)
    assert why_refused(office, election.line(who, b"\x01", sequence=3)) == "taken"
    assert why_refused(office, election.line(who, b"\x01", sequence=1)) == "taken"
    assert why_refused(office, election.line(who, sequence=2)) == "old"
    assert office.cast(first) == given, "what was taken before has its receipt for ever"
    office.cast(third)
    office.cast(election.line(sealed_election.voter(CONTRIBUTORS)))


def test_a_vote_is_changed_so_often_and_no_more(
    office: Office, election: Election, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(box_office, "MOST", 3)
    who = sealed_election.voter(CONTRIBUTORS)
    lines = [election.line(who, sequence=number) for number in (1, 2, 3, 4)]
    for line in lines[:3]:
        office.cast(line)
    assert why_refused(office, lines[3]) == "many"
    office.cast(lines[2])


def test_sequences_are_looked_up_in_blocks_too(
    office: Office, election: Election, clock: Clock
) -> None:
    who = sealed_election.voter(CONTRIBUTORS)
    line = election.line(who, sequence=2)
    for each in [line, *election.lines(9)]:
        office.cast(each)
    pass_epoch(office, clock)
    assert office.find(NAME, digest_of(line)) == Found(is_known=True, block=1)
    assert why_refused(office, election.line(who, b"\x01", sequence=2)) == "taken"
    assert why_refused(office, election.line(who, sequence=1)) == "old"
    office.cast(line)
    office.cast(election.line(who, sequence=3))
    end(office, clock)
    assert len(office.ballots(NAME)) == 11


@pytest.mark.parametrize(
    ("now", "reason"),
    [(OPENS - timedelta(seconds=1), "early"), (CLOSES, "closed"), (CLOSES + HOUR, "closed")],
)
def test_ballots_are_taken_while_the_election_is_open(
    office: Office, election: Election, clock: Clock, now: datetime, reason: str
) -> None:
    clock.now = now
    line, late = election.lines(2)
    assert why_refused(office, line) == reason
    for moment in (OPENS, CLOSES - timedelta(microseconds=1)):
        clock.now = moment
        office.cast(line)
    clock.now = now
    office.cast(line)
    assert why_refused(office, late) == reason


def test_once_closed_no_clock_opens_it_again(
    office: Office, election: Election, clock: Clock, tmp_path: Path
) -> None:
    line, late = election.lines(2)
    given = office.cast(line)
    end(office, clock)
    clock.now = OPENS
    for found in (office, Office(tmp_path / "box", office._database, clock)):
        assert why_refused(found, late) == "closed"
        assert found.cast(line) == given


def test_a_block_is_made_after_an_hour_or_ten_ballots_whichever_is_later(
    office: Office, election: Election, clock: Clock
) -> None:
    lines = election.lines(32)
    for line in lines[:9]:
        office.cast(line)
    pass_epoch(office, clock)
    clock.now += HOUR
    office.tend()
    assert office.blocks(NAME) == [], "an hour is over, nine are too few"
    office.cast(lines[9])
    office.tend()
    assert len(office.blocks(NAME)) == 1, "the tenth after the hour ends the epoch"
    for line in lines[10:30]:
        office.cast(line)
    clock.now += HOUR - timedelta(seconds=1)
    office.tend()
    assert len(office.blocks(NAME)) == 1, "twenty within the hour wait for its end"
    clock.now += timedelta(seconds=1)
    office.tend()
    office.tend()
    assert [len(wire.read_block(line).ballots) for line in office.blocks(NAME)] == [10, 20]
    assert office.blocks(NAME, after=1) == office.blocks(NAME)[1:]
    for line in lines[30:]:
        office.cast(line)
    end(office, clock)
    blocks = [wire.read_block(line) for line in office.blocks(NAME)]
    assert [len(block.ballots) for block in blocks] == [10, 20, 2]
    assert check_board(
        blocks,
        election=NAME,
        manifest_sha256=manifest.digest(election.text),
        key=election.manifest.box,
    ) == set(map(digest_of, lines))
    assert office.ballots(NAME) == sorted(lines, key=digest_of)


def test_the_hour_begins_anew_with_the_process_and_at_the_opening(
    office: Office, election: Election, clock: Clock, tmp_path: Path
) -> None:
    """No time is stored; an epoch may be longer for that, never shorter."""
    for line in election.lines(10):
        office.cast(line)
    clock.now = OPENS + 5 * HOUR
    anew = Office(tmp_path / "box", office._database, clock)
    clock.now += HOUR / 2
    anew.tend()
    assert anew.blocks(NAME) == []
    clock.now += HOUR / 2
    anew.tend()
    assert len(anew.blocks(NAME)) == 1
    clock.now = OPENS - 3 * HOUR
    early = Office(tmp_path / "box", office._database, clock)
    for line in election.lines(10):
        with pytest.raises(BallotBoxRefusedError):
            early.cast(line)
    clock.now = OPENS + HOUR / 2
    early.tend()
    assert early._since[NAME] == OPENS


def test_the_close_makes_the_last_block_once(
    office: Office, election: Election, clock: Clock
) -> None:
    [line] = election.lines(1)
    office.cast(line)
    clock.now = CLOSES - timedelta(seconds=1)
    for ask in (lambda: office.close(NAME), lambda: office.ballots(NAME)):
        with pytest.raises(BallotBoxRefusedError, match=r"time|after") as refusal:
            ask()
        assert refusal.value.code == "early"
    end(office, clock)
    office.close(NAME)
    office.tend()
    assert len(office.blocks(NAME)) == 1
    assert office.find(NAME, digest_of(line)) == Found(is_known=True, block=1)


def test_a_box_that_nobody_closes_closes_by_itself(office: Office, clock: Clock) -> None:
    clock.now = CLOSES
    office.tend()
    [line] = office.blocks(NAME)
    assert wire.read_block(line).ballots == (), "the lot is drawn with it also where nobody voted"
    assert office.ballots(NAME) == []


def test_two_elections_do_not_touch_each_other(
    office: Office, election: Election, clock: Clock, tmp_path: Path
) -> None:
    second = offices.another("2026-council")
    second.keep_keys(tmp_path)
    office.open(second.text, second.signatures)
    ours, theirs = election.lines(10), second.lines(3, "2026-council/all")
    for line in [*theirs, *ours]:
        office.cast(line)
    pass_epoch(office, clock)
    assert len(office.blocks(NAME)) == 1
    assert office.blocks("2026-council") == []
    assert {office.find("2026-council", digest_of(line)) for line in theirs} == {
        Found(is_known=True)
    }
    assert office.find("2026-council", digest_of(ours[0])) == Found(is_known=False)
    office.cast(theirs[0])
    clock.now = CLOSES
    office.tend()
    assert office.ballots("2026-council") == sorted(theirs, key=digest_of)
    assert office.ballots(NAME) == sorted(ours, key=digest_of)


@pytest.mark.parametrize("name", ["", "2027-board", "../box", "\0", NAME + "\n", CONTRIBUTORS])
def test_an_election_that_is_not_here_is_refused(office: Office, name: str) -> None:
    for ask in (office.blocks, office.ballots, office.close, lambda each: office.find(each, "00")):
        with pytest.raises(BallotBoxRefusedError) as refusal:
            ask(name)
        assert refusal.value.code == "election"


def test_ballots_come_in_pieces_in_their_order(
    office: Office, election: Election, clock: Clock
) -> None:
    lines = sorted(election.lines(5), key=digest_of)
    for line in lines:
        office.cast(line)
    end(office, clock)
    assert office.ballots(NAME, most=2) == lines[:2]
    assert office.ballots(NAME, after=digest_of(lines[1]), most=2) == lines[2:4]
    assert office.ballots(NAME, after=digest_of(lines[4])) == []
