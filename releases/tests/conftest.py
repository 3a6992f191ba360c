import datetime as dt
from pathlib import Path

import pytest
from pytest_django import Settings

from portal.accounts.models import User
from portal.accounts.roles import Role, Scope
from releases import tasks
from releases.models import Release
from releases.signer.local import LocalSigner
from releases.tests import factory
from releases.tests.shelf import DEBIAN, RHEL, Shelf
from tests.cast import make_person
from tests.shared import shared


@pytest.fixture(autouse=True)
def release_files(settings: Settings, tmp_path: Path) -> Path:
    """Each test keeps its bytes in a folder of its own."""
    settings.RELEASE_FILES_DIR = tmp_path / "releases"
    return tmp_path / "releases"


@pytest.fixture(scope="session")
def session_signer(tmp_path_factory: pytest.TempPathFactory) -> LocalSigner:
    return LocalSigner(tmp_path_factory.mktemp("signer"))


@pytest.fixture
def signer(
    session_signer: LocalSigner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> LocalSigner:
    """The twin in place of the signer process, with an empty log. Tests may give it a clock."""
    monkeypatch.setattr(session_signer, "clock", session_signer.clock)
    session_signer.open_log(tmp_path / "signer")
    monkeypatch.setattr(tasks, "signer", lambda: session_signer)
    return session_signer


@shared
def grace() -> User:
    """A second release manager."""
    return make_person("grace", (Role.RELEASE_MANAGER, Scope.PRODUCT, "exampledb"))


@shared
def empty() -> Release:
    """ExampleDB 12.3.0, an alpha without a file, not published."""
    return factory.make_draft()


@shared(keeps="release_files")
def draft(dana: User, release_files: Path) -> Release:
    """ExampleDB 12.3.0, an alpha with three files, not published."""
    release = factory.make_draft(summary="The first build.", notes="- Vectors")
    factory.add_files(actor=dana, release=release)
    return release


@shared(keeps="release_files signer")
def release(dana: User, draft: Release, signer: LocalSigner, release_files: Path) -> Release:
    """The same, published, with its repositories."""
    factory.publish(actor=dana, release=draft, signer=signer)
    draft.refresh_from_db()
    return draft


@pytest.fixture
def today() -> dt.date:
    return dt.datetime.now(dt.UTC).date()


@pytest.fixture
def apt_shelf(dana: User, signer: LocalSigner) -> Shelf:
    return Shelf(dana, DEBIAN, signer)


@pytest.fixture
def yum_shelf(dana: User, signer: LocalSigner) -> Shelf:
    return Shelf(dana, RHEL, signer)
