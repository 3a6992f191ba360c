"""Registrar and ballot box are killed again and again while everybody votes."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

import psycopg
import pytest

from governance.box.client import SocketBallotBox
from governance.offices.asking import OfficeUnavailableError
from governance.registrar.client import RegistrarRefusedError, SocketRegistrar
from governance.sealed import blind, manifest, wire
from governance.sealed.board import check_board, is_receipt
from governance.tests import offices, sealed_election
from governance.tests.offices import CLOSES, CONTRIBUTORS, MEMBERS, OPENS, Election
from governance.tests.sealed_election import NAME, registrar_key

pytestmark = pytest.mark.proof
VOTERS = 100


class Killed:
    """A process of an office that is killed and started again."""

    def __init__(self, name: str, state: Path, url: str, at: datetime | None = None) -> None:
        self.name, self.state, self.url, self.at = name, state, url, at
        self.process = offices.start(name, state, url, at=at)

    def kill(self, at: datetime | None = None) -> None:
        """Between two instructions, wherever it is."""
        self.process.kill()
        self.process.wait()
        self.process = offices.start(self.name, self.state, self.url, at=at or self.at)

    def end_sessions(self) -> None:
        """As the database does when it is started again."""
        with psycopg.connect(self.url, autocommit=True) as server:
            server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

    def log(self) -> str:
        return (self.state / f"{self.name}.log").read_text()


@contextmanager
def killed(name: str, state: Path, at: datetime | None = None) -> Iterator[Killed]:
    with offices.own_address() as url:
        found = Killed(name, state, url, at)
        try:
            yield found
        finally:
            found.process.kill()
            found.process.wait()


def until_answered(ask: Callable[[], object]) -> object:
    """Ask again and again, as browsers do."""
    deadline = time.monotonic() + 120
    while True:
        try:
            return ask()
        except OfficeUnavailableError:
            assert time.monotonic() < deadline
            time.sleep(random.uniform(0.01, 0.1))


def at_once(asks: list[Callable[[], None]]) -> list[Thread]:
    threads = [Thread(target=ask, daemon=True) for ask in asks]
    for thread in threads:
        thread.start()
    return threads


def vote_under_kills(state: Path, *, seed: int, kills: int, changes: int) -> int:
    """Every voter casts a ballot and changes it; each receipt is on the board once."""
    chance = random.Random(seed)
    election = Election()
    election.keep_keys(state)
    papers: list[list[bytes]] = []
    for number in range(VOTERS):
        contest = (CONTRIBUTORS, MEMBERS)[number % 2]
        who = sealed_election.voter(contest)
        papers.append(
            [election.line(who, sequence=n + 1, contest=contest) for n in range(1 + changes)]
        )
    given: list[tuple[str, bytes]] = []
    box = SocketBallotBox(state / "box.sock", seconds=20)

    def vote(lines: list[bytes]) -> None:
        for line in lines:
            for _ in range(2):  # the second time as one whose answer was lost on the way
                receipt = until_answered(lambda line=line: box.cast(line))  # type: ignore[misc]
                given.append((receipt.digest, receipt.signature))  # type: ignore[attr-defined]

    with killed("box", state, OPENS) as process:
        offices.wait(box)
        until_answered(lambda: box.open(election.text, election.signatures))
        threads = at_once([lambda lines=lines: vote(lines) for lines in papers])  # type: ignore[misc]
        total = 2 * VOTERS * (1 + changes)
        for number in range(1, kills + 1):
            while len(given) < total * number // (kills + 1):
                time.sleep(0.001)
            time.sleep(chance.uniform(0, 0.05))
            assert any(thread.is_alive() for thread in threads)
            process.end_sessions() if number % 4 == 0 else process.kill()
        for thread in threads:
            thread.join(120)
        before_close = len(box.blocks(NAME))
        process.kill(at=CLOSES)
        offices.wait(box)
        box.close(NAME)
        blocks = [wire.read_block(line) for line in box.blocks(NAME)]
        ballots = [wire.read_ballot(line).digest for line in box.ballots(NAME)]
        log = process.log()

    assert len(given) == total
    assert set(Counter(given).values()) == {2}, "the same ballot has the same receipt"
    assert all(is_receipt(NAME, *each, election.manifest.box) for each in given)
    sha256 = manifest.digest(election.text)
    on_board = check_board(blocks, election=NAME, manifest_sha256=sha256, key=election.manifest.box)
    assert on_board == {digest for digest, _ in given}
    assert ballots == sorted(on_board), "each once"
    assert len(blocks) == before_close + 1
    assert not any(digest in log for digest in on_board)
    lines = 5 * (kills + 2) + len(blocks)
    assert len(log.splitlines()) < lines < total, "no line for a ballot"
    return before_close


def test_every_receipt_is_on_the_board_though_the_box_is_killed(tmp_path: Path) -> None:
    vote_under_kills(tmp_path, seed=1, kills=5, changes=1)


@pytest.mark.parametrize("seed", range(3))
def test_every_receipt_is_on_the_board_though_the_box_is_killed_forty_times(
    tmp_path: Path, seed: int
) -> None:
    assert vote_under_kills(tmp_path, seed=seed, kills=40, changes=9) > 1, "blocks were made"


def ask_under_kills(state: Path, *, seed: int, kills: int, roll: int, rivals: int) -> None:
    """Several blinded values are sent for each number of the roll; one wins for good."""
    chance = random.Random(seed)
    now = datetime.now(UTC)
    times: dict[str, object] = {
        "opens_at": (now - timedelta(days=1)).isoformat(timespec="seconds"),
        "closes_at": (now + timedelta(days=1)).isoformat(timespec="seconds"),
        "contests": (sealed_election.contest(CONTRIBUTORS, voters=roll),),
    }
    election = Election(changed=times)
    election.keep_keys(state)
    public = registrar_key(CONTRIBUTORS).public_key()
    won: list[tuple[int, bytes, bytes]] = []
    lost: list[tuple[int, bytes]] = []
    codes: set[str] = set()
    registrar = SocketRegistrar(state / "registrar.sock", seconds=20)

    def ask(number: int) -> None:
        sent, inverse = blind.blind(public, b"a pseudonym")
        try:
            answer = until_answered(lambda: registrar.sign(CONTRIBUTORS, number, sent))
        except RegistrarRefusedError as error:
            lost.append((number, sent))
            codes.add(error.code)
            return
        assert isinstance(answer, bytes)
        blind.finalize(public, b"a pseudonym", answer, inverse)
        won.append((number, sent, answer))

    with killed("registrar", state) as process:
        offices.wait(registrar)
        until_answered(lambda: registrar.open(election.text, election.signatures))
        asks = [number for number in range(1, roll + 1) for _ in range(rivals)]
        chance.shuffle(asks)
        threads = at_once([lambda number=number: ask(number) for number in asks])  # type: ignore[misc]
        for number in range(1, kills + 1):
            while len(won) + len(lost) < len(asks) * number // (kills + 1):
                time.sleep(0.001)
            time.sleep(chance.uniform(0, 0.05))
            process.end_sessions() if number % 4 == 0 else process.kill()
        for thread in threads:
            thread.join(120)
        process.kill()
        offices.wait(registrar)
        assert registrar.issued(CONTRIBUTORS) == list(range(1, roll + 1))
        for number, sent, answer in won:
            assert registrar.sign(CONTRIBUTORS, number, sent) == answer
        for number, sent in lost[:20]:
            with pytest.raises(RegistrarRefusedError):
                registrar.sign(CONTRIBUTORS, number, sent)

    assert sorted(number for number, _, _ in won) == list(range(1, roll + 1))
    assert len(lost) == roll * (rivals - 1)
    assert codes == {"taken"}


def test_each_number_has_one_signature_though_the_registrar_is_killed(tmp_path: Path) -> None:
    ask_under_kills(tmp_path, seed=1, kills=3, roll=20, rivals=3)


@pytest.mark.parametrize("seed", range(3))
def test_each_number_has_one_signature_though_the_registrar_is_killed_twenty_times(
    tmp_path: Path, seed: int
) -> None:
    ask_under_kills(tmp_path, seed=seed, kills=20, roll=60, rivals=4)


# --- start and end ---


@pytest.mark.parametrize(
    ("name", "client"),
    [("box", SocketBallotBox), ("registrar", SocketRegistrar)],
)
def test_one_process_holds_a_folder_and_a_database(
    name: str, client: type[SocketBallotBox | SocketRegistrar], tmp_path: Path
) -> None:
    with killed(name, tmp_path) as first:
        asked = client(tmp_path / f"{name}.sock")
        offices.wait(asked)
        same_folder = offices.start(name, tmp_path, first.url)
        assert same_folder.wait(30) == 1
        assert "another process holds" in first.log()
        same_database = offices.start(name, tmp_path / "other", first.url)
        assert same_database.wait(60) == 1
        told = (tmp_path / "other" / f"{name}.log").read_text()
        assert "another process serves this database" in told
        asked.ping()
        assert (tmp_path / f"{name}.sock").stat().st_mode & 0o777 == 0o660
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o700
        key = asked.key(f"{NAME}/all" if name == "registrar" else NAME)
        first.kill()
        offices.wait(asked)
        assert asked.key(f"{NAME}/all" if name == "registrar" else NAME) == key
        first.process.terminate()
        assert first.process.wait(30) == 0
        with pytest.raises(OfficeUnavailableError):
            asked.ping()


def test_without_a_database_it_says_which_setting_is_missing(tmp_path: Path) -> None:
    process = offices.start("box", tmp_path, "")
    assert process.wait(30) == 1
    assert "BOX_DATABASE_URL is not set" in (tmp_path / "box.log").read_text()


def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    with killed("box", tmp_path) as process:
        offices.wait(SocketBallotBox(tmp_path / "box.sock"))
        with psycopg.connect(process.url, autocommit=True) as server:
            server.execute("UPDATE steps SET done = done + 1")
        process.kill()
        assert process.process.wait(30) == 1
        assert "newer version" in process.log()
