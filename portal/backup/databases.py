"""One moment of a database, written by pg_dump and read back by pg_restore."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.sql import SQL, Identifier

from portal.backup import BackupError
from portal.embedded import EmbeddedServiceError, postgres_program

SYSTEM: Final = Path("/usr/lib/postgresql")
TABLES: Final = """
SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind = 'r' ORDER BY c.relname"""
Connection = psycopg.Connection[tuple[Any, ...]]


@dataclass(frozen=True)
class Moment:
    """What a database held at one time, for as long as its transaction is open."""

    url: str
    snapshot: str
    version: int  # of the server: 18
    connection: Connection

    def rows(self) -> dict[str, int]:
        return count_rows(self.connection)


@contextmanager
def moment(url: str) -> Iterator[Moment]:
    """Nothing is emptied meanwhile: TRUNCATE does not mind who reads an older moment, so every
    table is locked against it before the moment is chosen.
    """
    with psycopg.connect(url, connect_timeout=10) as connection:
        names = [Identifier(str(name)) for (name,) in connection.execute(TABLES)]
        connection.commit()
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        if names:
            connection.execute(
                SQL("LOCK TABLE {} IN ACCESS SHARE MODE").format(SQL(", ").join(names))
            )
        found = connection.execute("SELECT pg_export_snapshot()").fetchone()
        if found is None:
            raise BackupError("PostgreSQL exported no snapshot.")
        yield Moment(url, str(found[0]), connection.info.server_version // 10000, connection)


def count_rows(connection: Connection) -> dict[str, int]:
    names = [str(name) for (name,) in connection.execute(TABLES)]
    counts = {}
    for name in names:
        query = SQL("SELECT count(*) FROM {}").format(Identifier(name))
        found = connection.execute(query).fetchone()
        counts[name] = int(found[0]) if found else 0
    return counts


def dump(of: Moment) -> list[str]:
    """The command that writes it to standard output."""
    options = ["--format=custom", "--no-owner", "--no-privileges", "--no-comments"]
    return [str(program("pg_dump", of.version)), f"--snapshot={of.snapshot}", *options]


def write(of: Moment, path: Path) -> None:
    with path.open("wb") as file:
        _run(dump(of), of.url, stdout=file)
        os.fsync(file.fileno())


def written(of: Moment) -> bytes:
    """The same in memory, to be sealed."""
    return _run(dump(of), of.url, stdout=subprocess.PIPE)


def is_empty(url: str) -> bool:
    with psycopg.connect(url, connect_timeout=10) as connection:
        return not connection.execute(TABLES).fetchall()


def read_back(url: str, archive: Path) -> None:
    """All in one transaction: a run that is killed leaves an empty database."""
    with psycopg.connect(url, connect_timeout=10) as connection:
        version = connection.info.server_version // 10000
    options = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]
    _run([str(program("pg_restore", version)), *options, str(archive)], url)


def check_rows(url: str, wanted: dict[str, int]) -> None:
    """Raises BackupError where a table has another number of rows than the copy."""
    with psycopg.connect(url, connect_timeout=10) as connection:
        found = count_rows(connection)
    wrong = sorted(set(found.items()) ^ set(wanted.items()))
    if wrong:
        name = conninfo_to_dict(url).get("dbname")
        raise BackupError(f"The database {name} differs from the copy in {wrong[0][0]}.")


def program(name: str, version: int) -> Path:
    """PostgreSQL's program of this version, or the next newer one. An older one reads no newer
    server, and what a newer one writes an older server may not understand.
    """
    found = SYSTEM.glob(f"[0-9]*/bin/{name}")
    candidates = {int(path.parent.parent.name): path for path in found}
    on_path = shutil.which(name)
    ways = [Path(on_path)] if on_path else []
    with suppress(EmbeddedServiceError):
        ways.append(postgres_program(name))
    for way in ways:
        candidates.setdefault(_version(way), way)
    fitting = sorted(number for number in candidates if number >= version)
    if not fitting:
        raise BackupError(
            f"No {name} of PostgreSQL {version} or newer is here:"
            f" install postgresql-client-{version}."
        )
    return candidates[fitting[0]]


def _version(path: Path) -> int:
    told = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"\) (\d+)", told)
    return int(found[1]) if found else 0


def _run(command: list[str], url: str, **options: Any) -> bytes:
    """The address goes by the environment: a command line is read by every account."""
    parts = {key: str(value) for key, value in conninfo_to_dict(url).items()}
    password = parts.pop("password", "")
    environ = {key: value for key, value in os.environ.items() if not key.startswith("PG")}
    environ |= {"PGPASSWORD": password} if password else {}
    whole = [command[0], f"--dbname={make_conninfo('', **parts)}", *command[1:]]
    done = subprocess.run(whole, env=environ, stderr=subprocess.PIPE, check=False, **options)
    if done.returncode != 0:
        told = done.stderr.decode(errors="replace").strip()
        raise BackupError(f"{Path(command[0]).name} failed: {told[-800:]}")
    return bytes(done.stdout or b"")
