"""Fixtures of every test; the cast is in `tests/cast.py`, programs in `tests/programs.py`."""

import gc
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.test import override_settings
from hypothesis import settings as properties

from releases.signer import material

LONGEST_NAME = 80
pytest_plugins = ["tests.cast", "tests.countries", "tests.database"]

# An example that takes long on a busy machine is no fault of what it shows. In CI the examples are
# the same each time; elsewhere others are tried.
properties.register_profile(
    "any machine", deadline=None, derandomize=bool(os.environ.get("CI")), print_blob=True
)
properties.load_profile("any machine")


def pytest_collection_finish() -> None:
    """What is loaded by now stays: the garbage collector need not walk it again and again."""
    gc.collect()
    gc.freeze()


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes and long texts are named by their place: some hold the time or a key of the process,
    and xdist's workers must agree.
    """
    is_long = isinstance(val, str) and len(val) > LONGEST_NAME
    return argname if is_long or isinstance(val, bytes) else None


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
def _keys_read_once() -> Iterator[None]:
    """OpenSSL proves the primes of a key each time it is read; hundreds of tests hold the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(material, "read", cache(material.read))
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_waiting_for_disks() -> Iterator[None]:
    """No test outlives a power cut; hundreds write files that would be waited for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _descriptor: None)
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
