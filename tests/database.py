"""pytest plugin: the test database is made once, and every worker works on a copy of it.

Migrating takes half a minute (tests/migrated.py keeps the outcome), copying a tenth of a second.
Under xdist the controller makes it while its workers start: they get no test before that is done.
The stack copies it too (tests/stack.py).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache

import pytest
from django.conf import settings
from django.db import connection
from django.test import TransactionTestCase
from psycopg import sql as quoted
from pytest_django import DjangoDbBlocker
from pytest_django.plugin import blocking_manager_key

from tests.migrated import make_database
from tests.services import on_server

WORKER = "PYTEST_XDIST_WORKER"
# Migrations fill these, once and for all: the same rows for every test.
KEPT = frozenset({"django_content_type", "auth_permission"})


@contextmanager
def template(config: pytest.Config) -> Iterator[str]:
    """The migrated database that is copied; `--reuse-db` keeps it for the next run."""
    before = connection.settings_dict["NAME"]
    name = make_database(config)
    _work_on(before)
    try:
        yield name
    finally:
        if not config.getvalue("reuse_db"):
            on_server("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


@contextmanager
def copy_of(original: str) -> Iterator[None]:
    """Work on a copy. In the end nobody else may be connected to it: a thread of a live server
    can outlast its test.
    """
    before = connection.settings_dict["NAME"]
    name = f"{original}_{os.environ.get(WORKER, 'main')}"
    on_server("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)
    on_server("CREATE DATABASE {} TEMPLATE {}", name, original)
    _work_on(name)
    try:
        yield
    finally:
        connection.close()
        _work_on(before)
        on_server("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


def _work_on(name: str) -> None:
    connection.settings_dict["NAME"] = settings.DATABASES["default"]["NAME"] = name


@pytest.hookimpl(wrapper=True)
def pytest_sessionstart(session: pytest.Session) -> Iterator[None]:
    """After xdist's own, which starts the workers."""
    yield
    if session.config.pluginmanager.hasplugin("dsession"):
        stack = ExitStack()
        with session.config.stash[blocking_manager_key].unblock():
            stack.enter_context(template(session.config))
        session.config.add_cleanup(stack.close)


@pytest.fixture(scope="session")
def database_template(
    request: pytest.FixtureRequest,
    django_test_environment: None,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[str]:
    """The name of the database to copy."""
    if WORKER in os.environ:
        yield f"test_{connection.settings_dict['NAME']}"
        return
    with ExitStack() as stack:
        with django_db_blocker.unblock():
            name = stack.enter_context(template(request.config))
        yield name


@pytest.fixture(scope="session")
def django_db_setup(database_template: str, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """In place of pytest-django's. Only here may the audit log and the ledger be truncated."""
    with django_db_blocker.unblock(), copy_of(database_template):
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE lib_auditentry DISABLE TRIGGER audit_entry_not_truncated")
            cursor.execute("ALTER TABLE payments_ledgerentry DISABLE TRIGGER ledger_not_truncated")
        with django_db_blocker.block(), pytest.MonkeyPatch.context() as patch:
            patch.setattr(TransactionTestCase, "_fixture_teardown", empty_what_has_rows)
            yield


def empty_what_has_rows(_test: TransactionTestCase | None = None) -> None:
    """What Django's `flush` does after a test that commits, without a hundred empty tables."""
    with connection.cursor() as cursor:
        cursor.execute(_question())
        filled = [quoted.Identifier(name) for (name,) in cursor.fetchall()]
        if filled:
            cursor.execute(quoted.SQL("TRUNCATE {} CASCADE").format(quoted.SQL(", ").join(filled)))


@cache
def _question() -> quoted.Composed:
    """Which tables have a row."""
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    return quoted.SQL(" UNION ALL ").join(
        quoted.SQL("SELECT {} WHERE EXISTS (SELECT FROM {})").format(
            quoted.Literal(name), quoted.Identifier(name)
        )
        for name in sorted(set(tables) - KEPT)
    )
