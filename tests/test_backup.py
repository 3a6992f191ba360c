"""The drill: a copy of the running portal, brought back into an empty place, is the same portal."""

from __future__ import annotations

import hashlib
import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import psycopg
import pytest
import requests
from psycopg.sql import SQL, Identifier

from portal import processes
from portal.backup.databases import TABLES
from releases.leftovers import HALF_KEPT
from tests.key_change import Clients, public, publish
from tests.publisher import Publisher
from tests.services import on_server
from tests.stack import ROOT, Stack

pytestmark = pytest.mark.proof
PRODUCT = "backdb"
PHRASE = "a pass phrase of the drill\n"
ELECTIONS = """
from portal import demonstration
from portal.accounts import demonstration as people
from governance.demonstrations import sealed
from governance.demonstration import remembered
with remembered():
    list(sealed.load_more(actor=people.person(people.FRANK), at=demonstration._first_loaded()))
"""
DATABASES = ("", "_registrar", "_box")


class Restored(Stack):
    """A second installation: its database and its state folder are empty at first."""

    def open(self, template: str) -> None:
        on_server("CREATE DATABASE {} TEMPLATE template0", self.database)

    def take_secrets(self) -> None:
        """What the operator does with the file that `restore` leaves."""
        path = Path(self.env["STATE_DIR"]) / "restored-secrets.json"
        self.env |= json.loads(path.read_text())
        self.password = self.env["DEMONSTRATION_PASSWORD"]
        path.unlink()

    def run(self) -> None:
        for process in processes.needed(self.env):
            self.start(process.name)
        self.wait_ready()


@pytest.fixture
def restored(tmp_path: Path, stack: Stack) -> Iterator[Restored]:
    number = int(stack.env["REDIS_URL"].rpartition("/")[2]) + 1
    second = Restored(tmp_path / "second", number)
    (tmp_path / "second").mkdir(exist_ok=True)
    try:
        second.open("")
        yield second
    finally:
        second.close()


def url_of(stack: Stack, suffix: str) -> str:
    return stack.env["DATABASE_URL"] + suffix


def digests(url: str) -> dict[str, tuple[int, str]]:
    """How many rows each table has, and a digest of all of them."""
    with psycopg.connect(url) as connection:
        names = [str(name) for (name,) in connection.execute(TABLES)]
        result = {}
        for name in names:
            query = SQL(
                "SELECT count(*), coalesce(md5(string_agg(line, '' ORDER BY line)), '')"
                " FROM (SELECT md5(t::text) AS line FROM {} t) AS lines"
            ).format(Identifier(name))
            found = connection.execute(query).fetchone()
            assert found is not None
            result[name] = (int(found[0]), str(found[1]))
        return result


def files(folder: Path) -> set[tuple[str, str]]:
    """What has to be there again of a state folder, with the digest of each.

    A process that was killed while it kept a blob leaves a half of it, which nobody misses.
    """
    return {
        (path.relative_to(folder).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest())
        for part in ("releases/blobs", "media", "signer", "registrar", "box")
        for path in (folder / part).rglob("*")
        if path.is_file() and path.name != "lock" and not HALF_KEPT.fullmatch(path.name)
    }


def inodes(store: Path) -> set[int]:
    """One for each content of the backup folder; another where it was written again."""
    return {path.stat().st_ino for path in (store / "contents").rglob("*/*/*")}


def halted(stack: Stack) -> None:
    """Nobody writes any more, so that two installations can be compared row by row."""
    for name in list(stack.children):
        stack.stop(name)


def backup(stack: Stack, store: Path, phrase: Path, *words: str) -> str:
    return stack.manage("backup", str(store), "--passphrase-file", str(phrase), *words)


def restore(stack: Stack, store: Path, phrase: Path) -> str:
    return stack.manage("restore", str(store), "--passphrase-file", str(phrase))


def test_a_copy_of_the_running_portal_is_the_same_portal_elsewhere(
    stack: Stack, restored: Restored, tmp_path: Path
) -> None:
    publisher = Publisher(stack, PRODUCT)
    publish(publisher, tmp_path, "12.3.0", "rhel-9")
    stack.manage("shell", "--verbosity=0", "--command", ELECTIONS)
    phrase, store = tmp_path / "phrase", tmp_path / "copies"
    phrase.write_text(PHRASE)
    backup(stack, store, phrase)  # everything runs: web, worker, signer, the offices

    halted(stack)
    backup(stack, store, phrase)
    contents = inodes(store)
    told = backup(stack, store, phrase, "--keep", "1")
    assert "left out: nothing" in told
    assert "removed" in told
    assert inodes(store) <= contents, "what did not change is not copied again"
    kill_a_restore(restored, store, phrase)
    said = restore(restored, store, phrase)
    assert "every file is what its manifest says" in said
    print(said)  # noqa: T201 - the figures of docs/proofs/operations.md

    for suffix in DATABASES:
        assert digests(url_of(restored, suffix)) == digests(url_of(stack, suffix))
    there, here = (files(Path(one.env["STATE_DIR"])) for one in (restored, stack))
    assert there ^ here == set()
    assert "has tables" in refused(restored, store, phrase)

    restored.take_secrets()
    restored.manage("prepare")
    restored.run()
    answers_as_before(restored, tmp_path)


def kill_a_restore(restored: Restored, store: Path, phrase: Path) -> None:
    """It is killed once its mark is there; the next run goes on."""
    command = [sys.executable, "manage.py", "restore", str(store), "--passphrase-file", str(phrase)]
    child = subprocess.Popen(command, env=restored.env, cwd=ROOT, stdout=subprocess.DEVNULL)
    mark = Path(restored.env["STATE_DIR"]) / "restore-in-progress.json"
    deadline = time.monotonic() + 60
    while not mark.exists():
        assert child.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.005)
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert mark.exists()


def refused(stack: Stack, store: Path, phrase: Path) -> str:
    words = ["restore", str(store), "--passphrase-file", str(phrase)]
    done = subprocess.run(
        [sys.executable, "manage.py", *words],
        env=stack.env,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    return done.stderr


def answers_as_before(restored: Restored, folder: Path) -> None:
    """Logins, audit log, signer's log, decisions, election, repository: each proves itself."""
    assert restored.sign_in("frank@example.org").get(f"{restored.url}/staff/").status_code == 200
    with pytest.raises(psycopg.errors.RaiseException):
        restored.sql(
            "UPDATE lib_auditentry SET verb = 'x' WHERE id = (SELECT min(id) FROM lib_auditentry)"
        )
    log = [sys.executable, "-m", "releases.signer", "log", "check"]
    checked = subprocess.run(
        log, env=restored.env, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
    restored.manage("export_decisions", str(folder / "decisions.zip"))
    recounted(restored, folder)
    keyring = public(restored, f"{PRODUCT}-archive-keyring")
    assert Clients(restored, PRODUCT, folder).apt_installs(keyring)


def recounted(restored: Restored, folder: Path) -> None:
    """The bundle of the counted election, by its own program."""
    ((name,),) = restored.sql(
        "SELECT name FROM governance_election WHERE counted_at IS NOT NULL LIMIT 1"
    )
    address = f"{restored.url}/governance/elections/{name}/bundle.zip"
    bundle = requests.get(address, timeout=60).content
    ZipFile(io.BytesIO(bundle)).extractall(folder / "election")
    (folder / "election/bundle.zip").write_bytes(bundle)
    command = [sys.executable, "-I", "recount.py", str(folder / "election/bundle.zip")]
    done = subprocess.run(
        command, cwd=folder / "election" / name, env={}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "AGREES" in done.stdout
