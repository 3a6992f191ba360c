"""How an office is started: its folder and its database, which no other process may have."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import psycopg

from governance.offices.database import Database, beside
from governance.offices.keys import FolderTakenError, held
from portal.lib import logs
from portal.processes import resolved

logger = logging.getLogger("governance.offices")
Clock = Callable[[], datetime]


def system_clock() -> datetime:
    return datetime.now(UTC)


def secret(environ: Mapping[str, str], name: str) -> str:
    """NAME, or what the file that NAME_FILE names holds."""
    path = environ.get(f"{name}_FILE", "")
    return Path(path).read_text().strip() if path else environ.get(name, "").strip()


@contextmanager
def belongings(name: str, steps: Sequence[str]) -> Iterator[tuple[Path, Database]]:
    """The folder and the database of the office `name`, for this process alone."""
    environ = resolved(os.environ)
    folder = Path(environ["STATE_DIR"]) / name
    url = secret(environ, f"{name.upper()}_DATABASE_URL")
    if not url:
        portal = secret(environ, "DATABASE_URL")
        if not portal:
            sys.exit(f"{name.upper()}_DATABASE_URL is not set (docs/settings.md).")
        url = beside(portal, name)
    with held(folder):
        database = Database(url, steps)
        try:
            yield folder, database
        finally:
            database.close()


def main(serve: Callable[[], None]) -> None:
    """Serve until TERM; what stands against it is the last line of the log."""
    logs.begin()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        serve()
    except KeyboardInterrupt:
        sys.exit(130)
    except (FolderTakenError, psycopg.Error, ValueError) as error:
        sys.exit(str(error))
