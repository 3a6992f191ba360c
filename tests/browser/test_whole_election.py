"""A sealed election in real browsers: keys are made, ballots cast, shares told, the result read.

Registrar and ballot box are the offices themselves; the clock is put forward from phase to phase.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from governance import clock
from governance.actions.election_close import close_due
from governance.actions.election_count import count_due
from governance.actions.freezing import hand_over_due
from governance.actions.keyholder import name_keyholders
from governance.box.office import Office as BoxOffice
from governance.demonstrations.ceremony import credential
from governance.elections import offices as this_site
from governance.elections import public_board
from governance.models import Body, Election, RollEntry
from governance.registrar.office import Office as RegistrarOffice
from governance.tests import elections as made
from governance.tests import offices
from governance.tests.conftest import FOUNDED, HOUR
from portal.accounts.models import User
from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor
from tests.cast import make_person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]
HERE = "/governance/elections/2026-board/"
KEYS = f"{HERE}keys/"


@dataclass
class Site:
    registrar: RegistrarOffice
    box: BoxOffice
    time: offices.Clock
    monkeypatch: pytest.MonkeyPatch

    def at(self, moment: datetime) -> None:
        self.time.now = moment
        self.monkeypatch.setattr(clock, "now", lambda at=None: at or moment)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    time = offices.Clock(now=made.NOMINATIONS_END)
    with (
        offices.registrar(tmp_path, time) as registrar,
        offices.ballot_box(tmp_path, time) as box,
    ):
        monkeypatch.setattr(this_site, "registrar", lambda: registrar)
        monkeypatch.setattr(this_site, "ballot_box", lambda: box)
        yield Site(registrar, box, time, monkeypatch)


@pytest.fixture
def election(db: None) -> Election:
    """Nominated and drawn; four contributors vote, two of them stand."""
    officer = made.make_officer()
    board = Body.objects.create(
        slug="board", name="Board", kind="board", purpose="Decides.", since=FOUNDED
    )
    found = made.make_election(board, officer)
    people = [made.make_contributor(name) for name in ("cora", "carl", "cleo", "cyra")]
    _, owner = made.make_member("Acme")
    _, other = made.make_member("Beta")
    made.put_forward(found, "contributors", people[0], seconded_by=people[1])
    made.put_forward(found, "contributors", people[1], seconded_by=people[2])
    made.put_forward(found, "members", owner, seconded_by=other)
    return made.draw(found)


def press(page: Page, name: str) -> None:
    page.locator("button:visible", has_text=name).first.press("Enter")


def saved(page: Page, button: str, folder: Path, name: str) -> Path:
    with page.expect_download() as download:
        press(page, button)
    path = folder / f"{name}.json"
    download.value.save_as(path)
    return path


def with_file(visitor: Visitor, file: Path, ready: str, send: str) -> None:
    """Choose the key file, wait until the page says what it found, send."""
    visitor.open(KEYS)
    visitor.page.locator("[data-file]").set_input_files(file)
    expect(visitor.page.locator("[data-send]")).to_be_enabled()
    press(visitor.page, send)
    expect(visitor.page.get_by_text(ready)).to_be_visible()


def test_a_whole_election_in_browsers(
    visit: Visit, site: Site, election: Election, tmp_path: Path
) -> None:
    site.at(made.NOMINATIONS_END)
    officer = User.objects.get(name="Olga")
    holders = {name: make_person(name) for name in ("sam", "sue", "sid", "ole", "ora")}
    name_keyholders(
        actor=officer,
        election=election,
        scrutineers=[holders[name] for name in ("sam", "sue", "sid")],
        officers=[holders[name] for name in ("ole", "ora")],
        at=site.time.now,
    )
    files: dict[str, Path] = {}
    windows = {name: visit(user=user, width=360) for name, user in holders.items()}
    for name, window in windows.items():
        window.open(KEYS)
        files[name] = saved(window.page, "Make my key and save", tmp_path, name)
        window.page.locator("[data-file]").set_input_files(files[name])
        expect(window.page.locator("[data-send]")).to_be_enabled()
        press(window.page, "Send the public half")
        expect(window.page.get_by_text("Your key is known now")).to_be_visible()
    running = visit(user=officer)
    running.open(KEYS)
    press(running.page, "Make and split the key")
    expect(running.page.locator("[data-ceremony=deal] [data-send]")).to_be_enabled()
    press(running.page, "Send the sealed shares")
    expect(running.page.get_by_text("The key is split")).to_be_visible()
    for name in ("sam", "sue", "sid"):
        with_file(windows[name], files[name], "You hold the share", "My share is whole")
    running.open(KEYS)
    press(running.page, "Write the manifest")
    expect(running.page.get_by_text("The manifest is written. Two officers")).to_be_visible()
    for name in ("ole", "ora"):
        with_file(windows[name], files[name], "You signed the manifest", "Sign the manifest")
    election.refresh_from_db()
    assert election.state == "frozen"
    hand_over_due(registrar=site.registrar, box=site.box, at=site.time.now)

    site.at(made.OPENS + HOUR)
    receipt = vote_in_browser(visit, tmp_path)
    for entry in RollEntry.objects.standing().filter(contest__constituency="contributors"):
        if entry.voter_name != "Cyra":
            credential(entry, site.registrar, site.time.now).cast(site.box, 0)

    site.at(made.CLOSES)
    assert close_due(box=site.box, at=made.CLOSES) == 1
    for name in ("sam", "sid"):
        with_file(windows[name], files[name], "Thank you. What you told", "Tell my share")
    for name in ("ole", "ora"):
        with_file(windows[name], files[name], "Thank you. What you told", "Tell my number")
    assert count_due(registrar=site.registrar, box=site.box, at=made.CLOSES) == 1
    election.refresh_from_db()
    stranger = visit(width=360, theme="dark")
    stranger.open(f"{HERE}result/")
    expect(stranger.page.get_by_text("Cora").first).to_be_visible()
    assert stranger.axe() == []
    assert public_board.find(election, receipt).block == 1
    for window in (*windows.values(), running, stranger):
        assert window.complaints == []


def vote_in_browser(visit: Visit, folder: Path) -> str:
    """Cyra ranks Cora only, casts, and changes to both; the name of her ballot on the board."""
    voter = visit(user=User.objects.get(name="Cyra"), width=360)
    voter.open(f"{HERE}vote/")
    page = voter.page
    expect(page.get_by_role("heading", name="You have not voted yet")).to_be_visible()
    page.get_by_role("textbox", name="Number for Cora").fill("1")
    press(page, "Review my ballot")
    press(page, "Cast my ballot")
    saved(page, "Save the recovery file", folder, "cyra")
    press(page, "Ask for the credential and cast")
    expect(page.get_by_role("heading", name="You have voted")).to_be_visible()
    press(page, "Change my vote")
    page.get_by_role("textbox", name="Number for Cora").fill("1")
    page.get_by_role("textbox", name="Number for Carl").fill("2")
    press(page, "Review my ballot")
    press(page, "Cast my ballot")
    expect(page.get_by_role("heading", name="You have voted")).to_be_visible()
    assert voter.axe() == []
    assert voter.complaints == []
    return page.locator("[data-vote-digest]").inner_text().strip()
