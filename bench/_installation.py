"""An installation of the portal for the length of a measurement: own folder, PostgreSQL, Redis."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from portal import embedded, local


@dataclass(frozen=True)
class Installation:
    """Where it keeps its state, what its processes find in the environment, its database."""

    folder: Path
    environ: dict[str, str]
    postgres: int  # the number of the process


@contextlib.contextmanager
def servers() -> Iterator[Installation]:
    """A running database and Redis, never the ones that the caller's environment names."""
    with tempfile.TemporaryDirectory(prefix="portal-bench-") as name:
        folder = Path(name)
        environ = local.environment({**os.environ, "STATE_DIR": str(folder)})
        for url in ("DATABASE_URL", "REDIS_URL"):
            environ.pop(url, None)
        environ["DJANGO_SETTINGS_MODULE"] = "portal.settings"
        with embedded.provided(folder, environ) as running:
            [postgres] = [one.process.pid for one in running if one.name == "postgres"]
            yield Installation(folder, environ, postgres)


@contextlib.contextmanager
def django(**more: str) -> Iterator[Installation]:
    """The same with Django in this process, its tables made; `more` goes into the environment."""
    with servers() as found:
        found.environ.update(more)
        os.environ.update(found.environ)
        from django import setup

        setup()
        from django.core.management import call_command
        from django.db import connections

        call_command("migrate", verbosity=0)
        try:
            yield found
        finally:
            connections.close_all()
