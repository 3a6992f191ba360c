"""Every named view in the browser: policy, console, axe-core, borders, overflow.

The demonstration data is loaded, so that pages have something to show. Each page is opened by
the first of `READERS` who may see it.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from governance.demonstrations import confidential, sealed
from governance.elections import offices as this_site
from governance.tests import offices
from portal import demonstration
from portal.accounts import demonstration as people
from portal.accounts.models import User
from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor
from tests.cast import PASSWORD
from tests.samples import admin_paths, sample_paths

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]

READERS = ("", people.FRANK, people.ALICE, people.BOB, people.DANA, people.ERIN)
BETWEEN = (768, 1000)  # narrow for tables that fold on a phone only


@pytest.fixture
def foundation(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """The first pages of the demonstration foundation, and its elections with ballots."""
    settings.DEMONSTRATION = True
    settings.DEMONSTRATION_PASSWORD = PASSWORD
    demonstration.load()
    with (
        offices.registrar(tmp_path, offices.Clock(timezone.now())) as registrar,
        offices.ballot_box(tmp_path, offices.Clock(timezone.now())) as box,
    ):
        monkeypatch.setattr(this_site, "registrar", lambda: registrar)
        monkeypatch.setattr(this_site, "ballot_box", lambda: box)
        at = timezone.now()
        list(sealed.load_more(actor=_person(people.FRANK), at=at))
        list(confidential.load_more(actor=_person(people.FRANK), at=at))
        yield


@pytest.mark.parametrize(
    "width",  # minutes each: every worker of a run may have one
    [
        pytest.param(1280, marks=pytest.mark.xdist_group("walk at 1280")),
        pytest.param(360, marks=pytest.mark.xdist_group("walk at 360")),
    ],
)
def test_every_named_view_has_a_page_and_every_page_is_clean(
    foundation: None, visit: Visit, width: int
) -> None:
    paths = sample_paths()
    missing = sorted(name for name, path in paths.items() if not path)
    assert missing == [], "give each a sample in its app's tests/samples.py"
    readers = {name: visit(width=width, user=_person(name) if name else None) for name in READERS}
    for window in readers.values():
        window.hold_still()
    found: dict[str, list[str]] = {}
    pages = 0
    for path in sorted(set(paths.values())):
        reader = _who_sees(path, readers)
        if reader is not None:
            pages += 1
            found[path] = _look(reader, path)
    assert pages > 10
    assert _report(found) == ""


def test_the_staff_pages_keep_the_policy(foundation: None, visit: Visit) -> None:
    reader = visit(user=_person(people.FRANK))
    found: dict[str, list[str]] = {}
    for path in admin_paths():
        if reader.open(path).status == 200:
            found[path] = reader.complaints
    assert len(found) > 1
    assert _report(found) == ""


def _person(name: str) -> User:
    return User.objects.get(email=people.address(name))


def _who_sees(path: str, readers: dict[str, Visitor]) -> Visitor | None:
    """The first reader to whom the path is an HTML page; None for files, JSON and acts."""
    for reader in readers.values():
        client = Client()
        client.cookies.load({c["name"]: c["value"] for c in reader.context.cookies()})
        answer = client.get(path)
        if answer.status_code == 200:
            is_page = answer.headers.get("Content-Type", "").startswith("text/html")
            return reader if is_page else None
    return None


def _look(reader: Visitor, path: str) -> list[str]:
    """Everything that is wrong with a page: all of it in the theme of the window, then what the
    colours of the other one make. The next page begins with that one.
    """
    reader.open(path)
    wrong = [*reader.axe(), *reader.low_borders(), *reader.overflow()]
    if reader.width > max(BETWEEN):
        wrong += reader.overflow_at(*BETWEEN)
    reader.switch("light" if reader.theme == "dark" else "dark")
    wrong += [*reader.axe(only=["color-contrast"]), *reader.low_borders()]
    return wrong + reader.complaints


def _report(found: dict[str, list[str]]) -> str:
    """What is wrong, a line each, after the path it is wrong on."""
    return "\n".join(f"{path}  {line}" for path, wrong in found.items() for line in wrong)
