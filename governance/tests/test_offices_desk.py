"""The sockets of registrar and ballot box: many at once, the slow, and garbage."""

from __future__ import annotations

import json
import logging
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Barrier, Thread

import psycopg
import pytest

from governance.box import desk as box_desk
from governance.box.board import STEPS
from governance.box.client import (
    BallotBoxRefusedError,
    BallotBoxUnavailableError,
    Found,
    SocketBallotBox,
)
from governance.box.office import Office
from governance.offices import database as databases
from governance.offices import desk
from governance.offices.database import Database
from governance.offices.desk import Server
from governance.offices.keys import FolderTakenError
from governance.registrar import desk as registrar_desk
from governance.registrar.client import (
    RegistrarRefusedError,
    RegistrarUnavailableError,
    SocketRegistrar,
)
from governance.sealed import blind, wire
from governance.sealed.wire import LARGEST_BALLOT
from governance.tests import offices
from governance.tests.offices import CLOSES, CONTRIBUTORS, OPENS, Clock, Election
from governance.tests.sealed_election import NAME, registrar_key, voter
from portal.lib.sockets import LARGEST_HEAD, LENGTH, receive


@pytest.fixture
def clock() -> Clock:
    return Clock(OPENS)


@pytest.fixture
def election(tmp_path: Path) -> Election:
    made = Election()
    made.keep_keys(tmp_path)
    return made


@contextmanager
def serving(server: Server) -> Iterator[Server]:
    with server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def served(tmp_path: Path, clock: Clock) -> Iterator[Server]:
    with (
        offices.ballot_box(tmp_path, clock) as office,
        serving(Server(tmp_path / "box.sock", box_desk.verbs(office))) as server,
    ):
        yield server


@pytest.fixture
def box(served: Server, tmp_path: Path, election: Election) -> SocketBallotBox:
    found = SocketBallotBox(tmp_path / "box.sock")
    found.open(election.text, election.signatures)
    return found


def test_everything_that_the_box_does_is_asked_over_its_socket(
    box: SocketBallotBox, election: Election, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(box_desk, "PIECE", 2000)
    box.ping()
    assert wire.to_text(box.key(NAME)) == election.manifest.box_key
    lines = sorted(election.lines(7), key=lambda line: wire.read_ballot(line).digest)
    receipts = {box.cast(line).digest: line for line in lines}
    digest = next(iter(receipts))
    assert box.find(NAME, digest) == Found(is_known=True)
    assert box.find(NAME, "0" * 64) == Found(is_known=False)
    assert box.blocks(NAME) == []
    for ask in (box.close, box.ballots):
        with pytest.raises(BallotBoxRefusedError) as refusal:
            ask(NAME)
        assert (refusal.value.code, str(refusal.value)) == ("early", refusal.value.message)
    clock.now = CLOSES
    box.close(NAME)
    assert len(box.blocks(NAME)) == 1
    assert box.blocks(NAME, after=1) == []
    assert box.find(NAME, digest) == Found(is_known=True, block=1)
    assert box.ballots(NAME) == lines, "in several pieces"


def test_everything_that_the_registrar_does_is_asked_over_its_socket(
    tmp_path: Path, clock: Clock, election: Election
) -> None:
    with (
        offices.registrar(tmp_path, clock) as office,
        serving(Server(tmp_path / "r.sock", registrar_desk.verbs(office))),
    ):
        registrar = SocketRegistrar(tmp_path / "r.sock")
        registrar.ping()
        registrar.open(election.text, election.signatures)
        key = registrar.key(CONTRIBUTORS)
        assert wire.to_text(key) == election.manifest.contest(CONTRIBUTORS).registrar_key
        public = registrar_key(CONTRIBUTORS).public_key()
        sent, inverse = blind.blind(public, b"message")
        answer = registrar.sign(CONTRIBUTORS, 4, sent)
        assert blind.finalize(public, b"message", answer, inverse)
        assert registrar.issued(CONTRIBUTORS) == [4]
        with pytest.raises(RegistrarRefusedError, match="already") as refusal:
            registrar.sign(CONTRIBUTORS, 4, blind.blind(public, b"message")[0])
        assert refusal.value.code == "taken"
        for number in ("4", 4.0, None):
            with pytest.raises(RegistrarRefusedError, match="not understood"):
                registrar.sign(CONTRIBUTORS, number, sent)  # type: ignore[arg-type]
    with pytest.raises(RegistrarUnavailableError, match="the registrar at"):
        registrar.ping()


def answered(address: Path, message: bytes) -> object:
    """What a stranger hears who says this and no more."""
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.settimeout(10)
        stranger.connect(str(address))
        stranger.sendall(message)
        stranger.shutdown(socket.SHUT_WR)
        return receive(stranger)[0]


def question(head: bytes, body: bytes = b"") -> bytes:
    return LENGTH.pack(len(head), len(body)) + head + body


@pytest.mark.parametrize(
    "message",
    [
        LENGTH.pack(LARGEST_HEAD + 1, 0) + b"x" * 70_000,
        LENGTH.pack(2**31, 0),
        question(b'{"verb": "cast"}', b"x" * (desk.LARGEST + 1)),
        LENGTH.pack(16, desk.LARGEST_MANIFEST + 1) + b'{"verb": "open"}',
        question(b"{no"),
        question(b"\xff"),
        question(b"[" * 60_000),
        question(b""),
        question(b"[]"),
        question(b"1"),
        question(b'"ping"'),
        question(b"{}"),
        question(b'{"verb": []}'),
        question(b'{"verb": null}'),
        question(b'{"verb": "pending"}'),
        question(b'{"verb": "key"}'),
        question(b'{"verb": "open", "signatures": [1]}'),
        question(b'{"verb": "open", "signatures": ["="]}'),
        question(b'{"verb": "open", "signatures": 7}'),
        question(b'{"verb": "blocks", "election": "2026-board", "after": "0"}'),
        question(b'{"verb": "find", "election": "2026-board", "digest": "\\u0000"}'),
    ],
    ids=range(21),
)
def test_garbage_gets_a_clear_refusal(
    box: SocketBallotBox, message: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    found = answered(box.address, message)
    assert isinstance(found, dict)
    assert found["refused"] == "question"
    assert ("understood" in found["message"]) or ("too long" in found["message"])
    assert caplog.messages == []
    box.ping()


@pytest.mark.parametrize("message", [b"", b"\0", LENGTH.pack(9, 0) + b"{}", question(b"{}")[:9]])
def test_who_hangs_up_in_the_middle_is_let_go(box: SocketBallotBox, message: bytes) -> None:
    with pytest.raises(EOFError):
        answered(box.address, message)
    box.ping()


def test_a_ballot_that_is_too_long_is_told_so(box: SocketBallotBox) -> None:
    with pytest.raises(BallotBoxRefusedError) as refusal:
        box.cast(b"x" * (LARGEST_BALLOT + 1))
    assert refusal.value.code == "size"


def test_the_slow_do_not_stop_others_and_are_let_go(
    box: SocketBallotBox, served: Server, election: Election
) -> None:
    """However slowly they come, piece by piece, their time is over for the whole."""
    served.seconds = 1.0
    with ExitStack() as stack:
        slow = [stack.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(100)]
        for one in slow:
            one.settimeout(10)
            one.connect(str(box.address))
            one.sendall(LENGTH.pack(100, 0)[:3])
        box.cast(election.lines(1)[0])
        began = time.monotonic()
        with pytest.raises(OSError, match=r"."):
            drip(slow[0])
        assert time.monotonic() - began < 20
        assert slow[1].recv(1) == b""


def drip(connection: socket.socket) -> None:
    """Piece by piece, until the other side has enough."""
    for _ in range(300):
        connection.sendall(b"\0")
        time.sleep(0.1)


def test_where_too_many_ask_at_once_the_next_is_told_to_come_again(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "CONNECTIONS", 2)
    with (
        offices.ballot_box(tmp_path, clock) as office,
        serving(Server(tmp_path / "box.sock", box_desk.verbs(office))) as server,
    ):
        server.seconds = 5.0
        client = SocketBallotBox(tmp_path / "box.sock")
        with socket.socket(socket.AF_UNIX) as one, socket.socket(socket.AF_UNIX) as two:
            for each in (one, two):
                each.connect(str(client.address))
            time.sleep(0.2)
            with pytest.raises(BallotBoxUnavailableError):
                client.ping()
        offices.wait(client)


@pytest.mark.proof
def test_a_hundred_voters_at_the_same_moment_all_have_their_receipts(
    box: SocketBallotBox, election: Election
) -> None:
    lines = election.lines(100)
    given: dict[str, bytes] = {}
    together = Barrier(100)

    def vote(line: bytes) -> None:
        together.wait()
        receipt = box.cast(line)
        given[receipt.digest] = receipt.signature

    threads = [Thread(target=vote, args=(line,)) for line in lines]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert given.keys() == {wire.read_ballot(line).digest for line in lines}


def test_of_many_ballots_with_one_sequence_the_box_takes_one(
    box: SocketBallotBox, election: Election
) -> None:
    who = voter(CONTRIBUTORS)
    lines = [election.line(who, bytes([place % 3])) for place in range(30)]
    heard: list[str] = []
    together = Barrier(30)

    def vote(line: bytes) -> None:
        together.wait()
        try:
            heard.append(box.cast(line).digest)
        except BallotBoxRefusedError as error:
            heard.append(error.code)

    threads = [Thread(target=vote, args=(line,)) for line in lines]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert heard.count("taken") == 29
    assert len(heard) == 30


def test_a_fault_is_told_without_the_words_of_the_ballot(
    served: Server, box: SocketBallotBox, election: Election, caplog: pytest.LogCaptureFixture
) -> None:
    line = election.lines(1)[0]
    known = served._verbs["cast"]

    def failing(head: object, body: bytes) -> tuple[dict[str, object], bytes]:
        raise psycopg.errors.CheckViolation(f"Failing row contains {body!r}")

    served._verbs["cast"] = failing
    with caplog.at_level(logging.DEBUG):
        for _ in range(5):
            with pytest.raises(BallotBoxUnavailableError, match="ask again"):
                box.cast(line)
    [told] = caplog.messages
    assert told.startswith("CheckViolation in ")
    assert wire.read_ballot(line).digest not in told
    assert json.loads(line)["envelope"] not in told
    served._verbs["cast"] = known
    box.cast(line)


def test_the_database_may_go_away_and_come_back(
    tmp_path: Path, clock: Clock, election: Election, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its sessions end, as they do when it is started again; the next question opens others."""
    first, second = election.lines(2)
    with offices.own_database(STEPS) as database:
        office = Office(tmp_path / "box", database, clock)
        office.open(election.text, election.signatures)
        office.cast(first)
        with psycopg.connect(database._url, autocommit=True) as server:
            server.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        office.cast(second)
        clock.now = CLOSES
        office.close(NAME)
        assert len(office.ballots(NAME)) == 2
        monkeypatch.setattr(databases, "PATIENCE", 0.2)
        with pytest.raises(FolderTakenError, match="another process"):
            Database(database._url, STEPS)
