"""pytest plugin: PostgreSQL and Redis for the tests, before Django reads its settings.

Loaded by `-p tests.services` in pyproject.toml. Servers that DATABASE_URL and REDIS_URL
name are used as they are; what is missing is started in a temporary folder of this run
and removed afterwards, so that runs meet neither each other nor a running `make run`.
Under xdist only the controller starts servers; its workers inherit the addresses.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from portal import embedded

_STACK = pytest.StashKey[contextlib.ExitStack]()


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[None]:
    """A wrapper comes before every plain hook, pytest-django's reading of settings included."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        os.environ.setdefault("SECRET_KEY", "only-for-tests-" + "x" * 40)
        stack = early_config.stash[_STACK] = contextlib.ExitStack()
        state = Path(tempfile.mkdtemp(prefix="portal-tests-"))
        stack.callback(shutil.rmtree, state, ignore_errors=True)
        os.environ.setdefault("STATE_DIR", str(state / "var"))
        stack.enter_context(embedded.provided(state, durable=False))
        early_config.add_cleanup(stack.close)
    yield
