"""Fixtures of every test; the cast is in `tests/cast.py`, programs in `tests/programs.py`."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from django.test import override_settings
from pytest_django import DjangoDbBlocker

pytest_plugins = ["tests.cast"]


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are named by their place: some hold the time, and xdist's workers must agree."""
    return argname if isinstance(val, bytes) else None


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Lets the test database be emptied between transactional tests: only here may the audit
    log and the ledger be truncated.
    """
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE lib_auditentry DISABLE TRIGGER audit_entry_not_truncated")
        cursor.execute("ALTER TABLE payments_ledgerentry DISABLE TRIGGER ledger_not_truncated")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real inputs beside the repository; the test skips where it is absent."""
    folder = Path(
        os.environ.get("SHARED_DATA", Path(__file__).resolve().parent.parent / "shared" / "data")
    )
    if not folder.is_dir():
        pytest.skip("needs the folder of real inputs, ../shared/data (or SHARED_DATA)")
    return folder


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> Iterator[None]:
    """Hashing that is slow on purpose is Django's affair, not that of our tests."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(scope="session", autouse=True)
def _plain_static_files() -> Iterator[None]:
    """Tests need no collected static files, and a live server serves them from where they are."""
    with override_settings(
        STORAGES={
            "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
            "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
        },
        WHITENOISE_AUTOREFRESH=True,
        WHITENOISE_USE_FINDERS=True,
    ):
        yield
