"""pytest plugin: PostgreSQL and Redis for the tests, before Django reads its settings.

Loaded by `-p tests.services` in pyproject.toml. Servers that DATABASE_URL and REDIS_URL
name are used as they are; what is missing is started in a temporary folder of this run
and removed afterwards, so that runs meet neither each other nor a running `make run`.
Under xdist only the controller starts servers; its workers inherit the addresses, and each
takes a Redis database of its own, so that no test empties the counters of another.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from psycopg import sql as quoted

from portal import embedded

_STACK = pytest.StashKey[contextlib.ExitStack]()
IS_EMBEDDED = pytest.StashKey[bool]()  # whether this run started the PostgreSQL that it works on


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[None]:
    """A wrapper comes before every plain hook, pytest-django's reading of settings included."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        os.environ.setdefault("SECRET_KEY", "only-for-tests-" + "x" * 40)
        stack = early_config.stash[_STACK] = contextlib.ExitStack()
        state = Path(tempfile.mkdtemp(prefix="portal-tests-"))
        stack.callback(shutil.rmtree, state, ignore_errors=True)
        os.environ.setdefault("STATE_DIR", str(state / "var"))
        started = stack.enter_context(embedded.provided(state, durable=False))
        early_config.stash[IS_EMBEDDED] = any(server.name == "postgres" for server in started)
        early_config.add_cleanup(stack.close)
    else:
        os.environ["REDIS_URL"] = _own_redis(os.environ["PYTEST_XDIST_WORKER"])
    yield


def _own_redis(worker: str) -> str:
    """gw0 has number 0, gw1 the last of the 16 that every Redis has; stacks take those between."""
    number = -int(worker.removeprefix("gw")) % 16
    return urlunsplit(urlsplit(os.environ["REDIS_URL"])._replace(path=f"/{number}"))


def on_server(statement: str, *databases: str) -> None:
    """Run a statement about whole databases, which no transaction may hold."""
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute(quoted.SQL(statement).format(*map(quoted.Identifier, databases)))
