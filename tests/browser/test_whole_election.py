"""A sealed election in real browsers: keys are made, ballots cast, shares told, the result read.

Registrar and ballot box are the offices themselves; the clock is put forward from phase to phase.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Download, Page, expect

from governance.actions.candidacy import leave
from governance.actions.election_close import close_due
from governance.actions.election_count import count_due
from governance.actions.freezing import hand_over_due
from governance.actions.keyholder import name_keyholders
from governance.actions.roll import object_to_roll, rule_on_objection
from governance.demonstrations.ceremony import credential
from governance.elections import offices as this_site
from governance.elections import outcomes, public_board
from governance.models import Body, Candidacy, Election, Objection, RollEntry
from governance.tests import elections as made
from governance.tests.conftest import FOUNDED, HOUR
from portal.accounts.models import User
from tests.browser.conftest import Visit
from tests.browser.offices_site import Site
from tests.browser.visitor import Visitor
from tests.browser.voting_steps import press
from tests.cast import make_person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]
HERE = "/governance/elections/2026-board/"
KEYS = f"{HERE}keys/"
SCRUTINEERS, SIGNERS = ("sam", "sue", "sid"), ("ole", "ora")
CONTRIBUTORS = (
    *("Cora", "Carl", "Cleo", "Cyra", "Abel", "Beth", "Chen", "Dora", "Emil", "Fadi"),
    *("Gwen", "Hugo", "Ines", "Jens", "Kofi", "Lena", "Mira", "Noor", "Otto"),
)
MEMBERS = (
    *("Acme", "Beta", "Coil", "Dyne", "Ecru", "Flux"),
    *("Glow", "Helm", "Iris", "Jolt", "Knot", "Loom"),
)


@pytest.fixture
def election(db: None) -> Election:
    """Nominated and drawn. Of nineteen contributors one is taken off by an objection, eighteen vote
    and three stand; of twelve members two stand.
    """
    officer = made.make_officer()
    board = Body.objects.create(
        slug="board", name="Board", kind="board", purpose="Decides.", since=FOUNDED
    )
    found = made.make_election(board, officer)
    people = [made.make_contributor(name) for name in CONTRIBUTORS]
    owners = [made.make_member(name)[1] for name in MEMBERS]
    for person, friend in pairwise(people[:4]):
        made.put_forward(found, "contributors", person, seconded_by=friend)
    for owner, friend in pairwise(owners[:3]):
        made.put_forward(found, "members", owner, seconded_by=friend)
    made.draw(found)
    wrong = RollEntry.objects.get(voter_name="Otto")
    objection = object_to_roll(
        actor=people[0],
        contest=wrong.contest,
        kind=Objection.Kind.REMOVE,
        key=wrong.key,
        text="He left in May.",
        at=made.RECORD + HOUR,
    )
    rule_on_objection(
        actor=officer,
        objection=objection,
        answer=Objection.Answer.GRANTED,
        reason="He did.",
        at=made.RECORD + HOUR,
    )
    return found


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


@dataclass
class Keys:
    """The windows of those who hold keys, and their files."""

    windows: dict[str, Visitor]
    files: dict[str, Path]

    def tell(self, ready: str, send: str, *names: str) -> None:
        for name in names:
            with_file(self.windows[name], self.files[name], ready, send)


@pytest.fixture
def keys(visit: Visit, site: Site, election: Election, tmp_path: Path) -> Keys:
    """Made, split, and the manifest signed, all on telephones but for who runs it."""
    site.at(made.NOMINATIONS_END)
    officer = User.objects.get(name="Olga")
    holders = {name: make_person(name) for name in (*SCRUTINEERS, *SIGNERS)}
    name_keyholders(
        actor=officer,
        election=election,
        scrutineers=[holders[name] for name in SCRUTINEERS],
        officers=[holders[name] for name in SIGNERS],
        at=site.time.now,
    )
    held = Keys({name: visit(user=user, width=360) for name, user in holders.items()}, {})
    for name, window in held.windows.items():
        window.open(KEYS)
        held.files[name] = saved(window.page, "Make my key and save", tmp_path, name)
        window.page.locator("[data-file]").set_input_files(held.files[name])
        expect(window.page.locator("[data-send]")).to_be_enabled()
        press(window.page, "Send the public half")
        expect(window.page.get_by_text("Your key is known now")).to_be_visible()
    running = visit(user=officer)
    running.open(KEYS)
    press(running.page, "Make and split the key")
    expect(running.page.locator("[data-ceremony=deal] [data-send]")).to_be_enabled()
    press(running.page, "Send the sealed shares")
    expect(running.page.get_by_text("The key is split")).to_be_visible()
    held.tell("You hold the share", "My share is whole", *SCRUTINEERS)
    running.open(KEYS)
    press(running.page, "Write the manifest")
    expect(running.page.get_by_text("The manifest is written. Two officers")).to_be_visible()
    held.tell("You signed the manifest", "Sign the manifest", *SIGNERS)
    held.windows["olga"] = running
    election.refresh_from_db()
    assert election.state == "frozen"
    hand_over_due(registrar=site.registrar, box=site.box, at=site.time.now)
    return held


@dataclass
class Booth:
    """Voters come one after the other, each with a browser of their own."""

    visit: Visit
    folder: Path

    @contextmanager
    def browser_of(self, name: str, refused: str = "") -> Iterator[Visitor]:
        """It complains of nothing but what is `refused`."""
        window = self.visit(user=User.objects.get(name=name), width=360)
        window.open(f"{HERE}vote/")
        yield window
        assert [line.split()[0] for line in window.complaints] == refused.split()
        window.close()

    def vote(self, name: str, *choices: list[str]) -> str:
        """Vote, and change the vote to each further choice; the name of the last ballot."""
        with self.browser_of(name) as voter:
            page = voter.page
            expect(page.get_by_role("heading", name="You have not voted yet")).to_be_visible()
            for number, choice in enumerate(choices):
                if number:
                    press(page, "Change my vote")
                choose(page, choice)
                press(page, "Cast my ballot")
                if not number:
                    saved(page, "Save the recovery file", self.folder, name)
                    press(page, "Ask for the credential and cast")
                expect(page.get_by_role("heading", name="You have voted")).to_be_visible()
            if len(choices) > 1:
                assert voter.axe() == []
            return page.locator("[data-vote-digest]").inner_text().strip()

    def lose(self, name: str) -> None:
        """Get the credential, and lose it before anything is cast: there is no second one."""
        entry = RollEntry.objects.get(voter_name=name)
        credential(entry, this_site.registrar(), made.OPENS + HOUR)
        with self.browser_of(name, refused="409") as voter:
            choose(voter.page, ["Cora"])
            press(voter.page, "Cast my ballot")
            saved(voter.page, "Save the recovery file", self.folder, name)
            press(voter.page, "Ask for the credential and cast")
            expect(voter.page.get_by_text("was given to another key")).to_be_visible()


def choose(page: Page, names: list[str]) -> None:
    """In this order, whatever stood there; of nobody it is a blank vote."""
    for box in page.get_by_role("textbox", name="Number for").all():
        box.fill("")
    for place, name in enumerate(names, start=1):
        page.get_by_role("textbox", name=f"Number for {name}").fill(str(place))
    press(page, "Review my ballot" if names else "Blank vote")


def test_thirty_voters_of_two_constituencies(
    visit: Visit, site: Site, election: Election, keys: Keys, tmp_path: Path
) -> None:
    """With changed votes, a lost credential, a voter taken off the roll, a candidate who withdraws,
    a scrutineer who is missing; then somebody elsewhere counts again, with the bundle alone.
    """
    site.at(made.OPENS + HOUR)
    booth = Booth(visit, tmp_path)
    receipts = [booth.vote("Cyra", ["Cora"], ["Cora", "Carl"])]
    receipts += [booth.vote(name, ["Cora", "Carl"]) for name in CONTRIBUTORS[:3]]
    receipts += [booth.vote(name, ["Cleo", "Carl"]) for name in CONTRIBUTORS[4:12]]
    receipts += [booth.vote(name, ["Carl"]) for name in CONTRIBUTORS[12:16]]
    receipts.append(booth.vote(CONTRIBUTORS[16], []))
    booth.lose(CONTRIBUTORS[17])
    with booth.browser_of("Otto") as voter:
        expect(voter.page.get_by_text("You are not on the roll")).to_be_visible()
    owners = [f"{name}-Owner" for name in MEMBERS]
    receipts += [booth.vote(name, [owners[0]]) for name in owners[:5]]
    receipts += [booth.vote(name, [owners[0]], [owners[1]]) for name in owners[5:6]]
    receipts += [booth.vote(name, [owners[1], owners[0]]) for name in owners[6:]]
    cleo = Candidacy.objects.get(name="Cleo")
    leave(actor=cleo.user, candidacy=cleo, at=site.time.now)

    site.at(made.CLOSES)
    assert close_due(box=site.box, at=made.CLOSES) == 1
    keys.tell("Thank you. What you told", "Tell my share", SCRUTINEERS[0], SCRUTINEERS[2])
    keys.tell("Thank you. What you told", "Tell my number", *SIGNERS)
    assert count_due(registrar=site.registrar, box=site.box, at=made.CLOSES) == 1
    election.refresh_from_db()
    contributors, members = election.contests.all()
    assert {one.name for one in outcomes.elected(contributors)} == {"Cora", "Carl"}
    assert [one.name for one in outcomes.elected(members)] == [owners[1]]
    told = outcomes.of_contest(contributors)
    assert (told.roll, told.took_part, told.blank) == (18, 17, 1)
    assert all(public_board.find(election, receipt).block for receipt in receipts)

    stranger = visit(width=360, theme="dark")
    stranger.open(f"{HERE}result/")
    expect(stranger.page.get_by_text("Cora").first).to_be_visible()
    assert stranger.axe() == []
    with stranger.page.expect_download() as download:
        stranger.page.locator("a[href$='bundle.zip']").first.click()
    told_elsewhere = recounted(download.value, tmp_path / "elsewhere")
    assert "AGREES: the published result is what the ballots say." in told_elsewhere
    for window in (*keys.windows.values(), stranger):
        assert window.complaints == []


def recounted(download: Download, folder: Path) -> str:
    """What `recount.py` of the bundle says, run where nothing of the portal is."""
    folder.mkdir()
    download.save_as(folder / "bundle.zip")
    ZipFile(folder / "bundle.zip").extractall(folder)
    done = subprocess.run(
        [sys.executable, "-I", "recount.py", str(folder / "bundle.zip")],
        cwd=folder / "2026-board",
        env={},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
