"""How fast the first pages are, with the first demonstration data, inside the web process.

The time of one request through every middleware, without the network: what a page costs us.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench import Measurement, timed
from portal import embedded, local

RUNS = 200
PAGES = {"home": "/", "generator": "/repositories/", "supporters": "/supporters/"}
LIMIT_MS = 50.0


def measure() -> Iterator[Measurement]:
    with tempfile.TemporaryDirectory(prefix="portal-bench-") as folder:
        environ = local.environment({**os.environ, "STATE_DIR": folder})
        for name in ("DATABASE_URL", "REDIS_URL"):
            environ.pop(name, None)
        os.environ.update(environ)
        with embedded.provided(Path(folder), environ):
            os.environ.update(environ)
            yield from _pages()


def _pages() -> Iterator[Measurement]:
    os.environ["DJANGO_SETTINGS_MODULE"] = "portal.settings"
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connections
    from django.test import Client

    call_command("prepare")
    client = Client(headers={"host": "localhost"})
    for name, path in PAGES.items():
        if (answer := client.get(path)).status_code != 200:
            raise RuntimeError(f"{path} answers {answer.status_code}")
        cost = timed(lambda path=path: client.get(path), runs=RUNS)  # type: ignore[misc]
        yield Measurement(
            work=f"{name} page",
            size=f"{len(answer.content)} bytes",
            ours=cost,
            reach=f"p50 below {LIMIT_MS:.0f} ms",
            reached=cost.wall_s * 1000 < LIMIT_MS,
            runs=RUNS,
        )
    connections.close_all()
