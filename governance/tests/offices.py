"""Registrar and ballot box for tests: the offices themselves, in this process or in their own."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from psycopg.conninfo import conninfo_to_dict

from governance.box.board import STEPS as BOX_STEPS
from governance.box.client import REFUSALS, BallotBox, BallotBoxRefusedError
from governance.box.office import Office as BoxOffice
from governance.offices.asking import Caller, OfficeUnavailableError
from governance.offices.database import Database, beside
from governance.registrar.office import STEPS as REGISTRAR_STEPS
from governance.registrar.office import Office as RegistrarOffice
from governance.sealed import manifest, wire
from governance.sealed.ballot import Pseudonym
from governance.sealed.manifest import Manifest
from governance.sealed.paper import write
from governance.tests import sealed_election
from governance.tests.sealed_election import CONTRIBUTORS, MEMBERS, Key, Keys
from portal.lib.files import write_whole
from tests.services import on_server

OPENS = datetime(2026, 11, 1, 12, tzinfo=UTC)
CLOSES = datetime(2026, 11, 15, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@dataclass
class Clock:
    """What the offices take for now."""

    now: datetime = OPENS + HOUR

    def __call__(self) -> datetime:
        return self.now


@dataclass
class Election:
    """A manifest, and all that is private to make and count its ballots."""

    private: Keys = field(default_factory=sealed_election.keys)
    changed: dict[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.manifest: Manifest = sealed_election.made(self.private, **self.changed)
        self.text = manifest.write(self.manifest)
        self.signatures = sealed_election.signatures(self.private, self.text)

    def keep_keys(self, state: Path) -> None:
        """Put the keys where offices find their own."""
        keep_registrar_keys(state, [contest.id for contest in self.manifest.contests])
        pem = self.private.box.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        write_whole(state / "box" / "keys" / f"{self.manifest.election}.pem", pem)

    def line(
        self,
        who: tuple[Key, Pseudonym],
        paper: bytes = b"\x00",
        sequence: int = 1,
        contest: str = CONTRIBUTORS,
    ) -> bytes:
        """A ballot as it goes to the box."""
        made = sealed_election.ballot(self.manifest, contest, who, write(paper), sequence)
        return wire.write_ballot(made)

    def lines(self, count: int, contest: str = CONTRIBUTORS) -> list[bytes]:
        """Of so many voters, one each."""
        return [self.line(sealed_election.voter(contest), contest=contest) for _ in range(count)]


def keep_registrar_keys(state: Path, contests: Iterable[str]) -> None:
    """Those of these tests, made once: making one takes a second."""
    for contest in contests:
        key = sealed_election.registrar_key(contest)
        pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        write_whole(state / "registrar" / "keys" / f"{contest}.pem", pem)


def another(name: str) -> Election:
    """An election beside the first one."""
    contests = (sealed_election.contest(f"{name}/all"),)
    return Election(changed={"election": name, "contests": contests})


@contextmanager
def own_database(steps: Sequence[str]) -> Iterator[Database]:
    with own_address() as url:
        database = Database(url, steps)
        try:
            yield database
        finally:
            database.close()


@contextmanager
def own_address() -> Iterator[str]:
    """Of a database that does not exist yet; it goes at the end."""
    url = beside(os.environ["DATABASE_URL"], secrets.token_hex(4))
    try:
        yield url
    finally:
        name = str(conninfo_to_dict(url)["dbname"])
        on_server("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


@contextmanager
def registrar(state: Path, clock: Clock) -> Iterator[RegistrarOffice]:
    with own_database(REGISTRAR_STEPS) as database:
        yield RegistrarOffice(state / "registrar", database, clock)


@contextmanager
def ballot_box(state: Path, clock: Clock) -> Iterator[BoxOffice]:
    with own_database(BOX_STEPS) as database:
        yield BoxOffice(state / "box", database, clock)


# --- in a process of its own ---


def start(
    name: str, state: Path, url: str, *, at: datetime | None = None
) -> subprocess.Popen[bytes]:
    """The process of an office with its database at `url`; with `at`, its clock says that now, and
    an hour passes in a tenth of a second.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if name.startswith("COVERAGE") or name == "PATH"
    }
    kept |= {"STATE_DIR": str(state), f"{name.upper()}_DATABASE_URL": url}
    command = [f"governance.{name}"]
    if at:
        command = ["governance.tests.hasty_box", at.isoformat(), str(time.time())]
    state.mkdir(exist_ok=True)
    with (state / f"{name}.log").open("ab") as log:
        return subprocess.Popen([sys.executable, "-m", *command], env=kept, stderr=log, stdout=log)


def wait(client: Caller, seconds: float = 60) -> None:
    """Until the office answers."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return client.ping()
        except OfficeUnavailableError:
            assert time.monotonic() < deadline
            time.sleep(0.05)


# --- what the box says ---


def why_refused(box: BallotBox, line: bytes) -> str:
    """The code of the refusal of a ballot."""
    with pytest.raises(BallotBoxRefusedError) as refusal:
        box.cast(line)
    assert refusal.value.code in REFUSALS
    return refusal.value.code


def digest_of(line: bytes) -> str:
    return wire.read_ballot(line).digest


__all__ = ["CONTRIBUTORS", "MEMBERS", "Election"]
