"""What the ballot box keeps and what it never writes: its keys, its log, its table."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from governance.box.client import BallotBoxRefusedError
from governance.box.office import Office
from governance.offices.keys import KeyUnsafeError
from governance.sealed import wire
from governance.tests import offices, sealed_election
from governance.tests.offices import (
    CLOSES,
    CONTRIBUTORS,
    HOUR,
    OPENS,
    Clock,
    Election,
    digest_of,
    why_refused,
)

NAME = sealed_election.NAME


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


def test_a_manifest_has_to_name_the_key_of_this_box_and_of_registrars(
    office: Office, election: Election, tmp_path: Path
) -> None:
    office.open(election.text, election.signatures)
    other = Election(election.private, {"title": "Another"})
    council = offices.another("2026-council")
    no_key = offices.another("2026-council")
    contest = replace(no_key.manifest.contests[0], registrar_key="AAAA")
    for key in ("AAAA", "", "=", wire.to_text(b"\x30\x00")):
        bad = Election(
            council.private,
            {"election": "2026-council", "contests": (replace(contest, registrar_key=key),)},
        )
        council.keep_keys(tmp_path)
        with pytest.raises(BallotBoxRefusedError) as refusal:
            office.open(bad.text, bad.signatures)
        assert refusal.value.code == "manifest"
    foreign = offices.another("2026-council")
    for found, reason in ((other, "other"), (foreign, "key")):
        with pytest.raises(BallotBoxRefusedError) as refusal:
            office.open(found.text, found.signatures)
        assert refusal.value.code == reason
    with pytest.raises(BallotBoxRefusedError) as refusal:
        office.open(election.text, election.signatures[:1])
    assert refusal.value.code == "manifest"


def test_a_lost_key_is_not_made_anew(
    office: Office, election: Election, clock: Clock, tmp_path: Path
) -> None:
    (tmp_path / "box" / "keys" / f"{NAME}.pem").unlink()
    anew = Office(tmp_path / "box", office._database, clock)
    with pytest.raises(KeyUnsafeError, match="bring it back"):
        anew.key(NAME)
    with pytest.raises(KeyUnsafeError, match="bring it back"):
        anew.cast(election.lines(1)[0])
    assert len(anew.key("2027-board")) == 32
    with pytest.raises(BallotBoxRefusedError):
        anew.key("../../x")


def test_no_line_of_the_log_is_written_for_a_ballot(
    office: Office, election: Election, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        who = sealed_election.voter(CONTRIBUTORS)
        line = election.line(who)
        office.cast(line)
        office.cast(line)
        why_refused(office, election.line(who, b"\x01"))
        why_refused(office, b"{}")
        office.find(NAME, digest_of(line))
        assert caplog.messages == []
        clock.now = CLOSES
        office.close(NAME)
        assert caplog.messages == [f"{NAME} is closed: block 1 is the last"]


def test_an_election_without_its_key_does_not_stop_the_others(
    office: Office, clock: Clock, tmp_path: Path
) -> None:
    second = offices.another("2026-council")
    second.keep_keys(tmp_path)
    office.open(second.text, second.signatures)
    (tmp_path / "box" / "keys" / f"{NAME}.pem").unlink()
    clock.now = CLOSES
    anew = Office(tmp_path / "box", office._database, clock)
    with pytest.raises(KeyUnsafeError, match=NAME):
        anew.tend()
    assert len(anew.blocks("2026-council")) == 1
    assert anew.blocks(NAME) == []


def test_a_block_waits_while_somebody_reads_the_table(
    office: Office, election: Election, clock: Clock
) -> None:
    """A backup, for example: ballots are taken meanwhile, and nothing is half done."""
    first, second = election.lines(2)
    office.cast(first)
    clock.now = CLOSES - HOUR
    with psycopg.connect(office._database._url) as reading:
        reading.execute("SELECT FROM pending")
        office.cast(second)
        clock.now = CLOSES
        with pytest.raises(psycopg.errors.LockNotAvailable):
            office.close(NAME)
        assert office.blocks(NAME) == []
    office.tend()
    assert office.ballots(NAME) == sorted([first, second], key=digest_of)
