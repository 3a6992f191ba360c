"""The migrated database, kept between runs: migrating takes half a minute, reading it two seconds.

It is kept as SQL, for all clones of this user, under a name made of all that it follows from: our
migrations, the locked libraries with theirs, PostgreSQL among them, and the month, since some
tables are cut into months from now on (0176). `--create-db` makes it anew; MIGRATED_DATABASES
names another folder. Only the embedded PostgreSQL brings the programs that write and read it in
its own version.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import os
import subprocess
from pathlib import Path

import pytest
from django.db import connection

from portal import embedded
from tests.services import IS_EMBEDDED, on_server

ROOT = Path(__file__).resolve().parent.parent
KEPT = 6  # clones with different migrations are worked on in turn


def make_database(config: pytest.Config) -> str:
    """The name of a migrated database that nobody is connected to."""
    is_reused = bool(config.getvalue("reuse_db")) and not config.getvalue("create_db")
    if is_reused or not config.stash[IS_EMBEDDED]:
        return _migrated(keepdb=is_reused)
    path = _folder() / f"{fingerprint()}.sql"
    if path.exists() and not config.getvalue("create_db"):
        path.touch()
        return _read(path)
    name = _migrated(keepdb=False)
    _write(name, path)
    _forget_the_oldest()
    return name


def _folder() -> Path:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = Path(os.environ.get("MIGRATED_DATABASES") or cache / "foundation-portal" / "migrated")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def _forget_the_oldest() -> None:
    found = sorted(_folder().glob("*.sql"), key=lambda path: path.stat().st_mtime)
    for path in found[:-KEPT]:
        path.unlink(missing_ok=True)


def fingerprint() -> str:
    migrations = sorted(ROOT.glob("*/migrations/*.py")) + sorted(ROOT.glob("*/*/migrations/*.py"))
    digest = hashlib.sha256(f"{dt.datetime.now(dt.UTC):%Y-%m}".encode())
    for path in [*migrations, ROOT / "requirements.txt"]:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _migrated(*, keepdb: bool) -> str:
    name = connection.creation.create_test_db(
        verbosity=0, autoclobber=True, serialize=False, keepdb=keepdb
    )
    connection.close()
    return name


def _read(path: Path) -> str:
    name = f"test_{connection.settings_dict['NAME']}"
    on_server("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)
    on_server("CREATE DATABASE {}", name)
    options = ["--quiet", "--no-psqlrc", "--single-transaction", "--set=ON_ERROR_STOP=1"]
    _run("psql", *options, f"--file={path}", f"--dbname={_url(name)}")
    return name


def _write(name: str, path: Path) -> None:
    unfinished = path.with_suffix(f".{os.getpid()}")  # another run may write the same
    _run("pg_dump", "--no-owner", f"--file={unfinished}", f"--dbname={_url(name)}")
    unfinished.rename(path)


def _url(name: str) -> str:
    return f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{name}"


def _run(program: str, *options: str) -> None:
    command = [str(embedded.postgres_program(program)), *options]
    subprocess.run(command, check=True, capture_output=True)
