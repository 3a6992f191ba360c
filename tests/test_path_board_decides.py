"""Path 2: a board decides. Each director votes in a browser window of their own."""

import re
import time
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from governance.models import Body, Motion, Vote
from governance.tests.conftest import board, directors  # noqa: F401
from portal.accounts.models import User
from tests.browser.conftest import Visit, browser, visit  # noqa: F401
from tests.browser.visitor import Visitor
from tests.cast import sign_in

pytestmark = pytest.mark.django_db(transaction=True)
ANSWER = "Three voted yes; three were needed."
ARITHMETIC = [
    ("Voting seats", "7"),
    ("less vacant", "− 2"),
    ("Directors in office", "5"),
    ("Present, quorum is 4", "5 ✓"),
    ("less recused", "− 1"),
    ("Base", "4"),
    ("Needed, more than half", "3"),
    ("Yes votes", "3 ✓"),
]


@pytest.mark.proof
def test_a_board_decides(
    board: Body,  # noqa: F811
    directors: list[User],  # noqa: F811
    charlie: User,
    visit: Visit,  # noqa: F811
) -> None:
    windows = [visit(user=person) for person in directors]
    ada, bea, cyd, dov, eve = windows
    stranger, reader = visit(user=charlie), visit(width=360, theme="dark")
    began = time.monotonic()
    address = written_by(ada)
    seconded_by(bea, address)
    pace = timedelta(seconds=time.monotonic() - began)
    deadline = opened_by(ada, address, max(timedelta(seconds=10), 6 * pace))
    cast(ada, address, "Yes")
    cast(bea, address, "Yes")
    cast(cyd, address, "No")
    cast(dov, address, "Abstain")
    cast(eve, address, "Recuse", reason="My employer sells such modules.")
    cast(cyd, address, "Yes")
    refused_before_it_counts(stranger, address, charlie)
    reviewed(dov, address, "No")
    not_told_while_it_is_open(reader, address)
    assert datetime.now(UTC) < deadline, "this machine was too slow to vote in time"
    time.sleep((deadline - datetime.now(UTC)).total_seconds() + 0.2)
    refused_after_the_deadline(dov)
    resolution = told(reader, address)
    listed(reader, resolution)
    assert Vote.objects.count() == 6
    for window in [*windows, stranger, reader]:
        window.assert_clean()


def written_by(window: Visitor) -> str:
    """Write a motion, look at it, keep it; the path of its page."""
    window.open("/governance/")
    page = window.page
    page.get_by_role("link", name="Propose a motion").click()
    page.get_by_label("Title").fill("Keep the release key in a hardware module")
    page.get_by_label("Summary").fill("The key moves into two modules held by two officers.")
    page.get_by_label(re.compile("^Text")).fill("The board resolves that\n\n1. two are bought.")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("Preview, not kept yet")).to_be_visible()
    page.get_by_role("button", name="Keep the draft").click()
    expect(page.get_by_text("Only the body can read it.")).to_be_visible()
    return page.url.removeprefix(window.base)


def seconded_by(window: Visitor, address: str) -> None:
    window.open(address)
    window.page.get_by_role("button", name="Second it").click()
    expect(window.page.get_by_text("You seconded the motion.")).to_be_visible()


def opened_by(window: Visitor, address: str, time_to_vote: timedelta) -> datetime:
    """Open the vote for some seconds, more on a slow machine; its deadline."""
    window.open(address)
    page = window.page
    page.get_by_role("link", name="Open the vote").click()
    deadline = (datetime.now(UTC) + time_to_vote).replace(microsecond=0)
    page.get_by_label("Deadline").fill(deadline.strftime("%Y-%m-%dT%H:%M:%S"))
    page.get_by_role("button", name="Open the vote now").click()
    expect(page.get_by_text("The vote is open.")).to_be_visible()
    return deadline


def reviewed(window: Visitor, address: str, choice: str, reason: str = "") -> None:
    """Choose, and look at what would be cast."""
    window.open(address)
    page = window.page
    page.get_by_role("radio", name=re.compile(f"^{choice}")).check()
    page.get_by_label("Reason").fill(reason)
    page.get_by_role("button", name="Review my vote").click()
    expect(page.get_by_role("heading", name=f"Your vote: {choice}")).to_be_visible()


def cast(window: Visitor, address: str, choice: str, reason: str = "") -> None:
    reviewed(window, address, choice, reason)
    window.page.get_by_role("button", name="Cast my vote").click()
    expect(window.page.get_by_text(f"Your vote counts: {choice}")).to_be_visible()


def refused_before_it_counts(window: Visitor, address: str, person: User) -> None:
    """A stranger reads and cannot vote, in the page or past it."""
    window.open(address)
    expect(window.page.get_by_text("You do not vote on this motion")).to_be_visible()
    expect(window.page.get_by_role("button", name="Review my vote")).to_have_count(0)
    answer = sign_in(person).post(f"{address}vote/", {"choice": "yes", "confirmed": "yes"})
    assert answer.status_code == 403
    assert Vote.objects.count() == 6


def not_told_while_it_is_open(window: Visitor, address: str) -> None:
    window.open(address)
    expect(window.page.get_by_text("5 of 5 have voted").first).to_be_visible()
    expect(window.page.get_by_text("My employer sells")).to_have_count(0)


def refused_after_the_deadline(window: Visitor) -> None:
    """Reviewed in time, cast too late."""
    window.page.get_by_role("button", name="Cast my vote").click()
    expect(window.page.get_by_text("Your vote was not counted. The vote closed on")).to_be_visible()


def told(window: Visitor, address: str) -> str:
    """The result: roll call, answer, arithmetic; its resolution number."""
    window.open(address)
    page = window.page
    motion = Motion.objects.get()
    assert page.url.endswith(f"/governance/motions/{motion.resolution}/")
    expect(page.locator(".kicker .badge")).to_have_text("Carried")
    expect(page.get_by_text(ANSWER)).to_be_visible()
    stands = [line.split("\n")[-2:] for line in page.locator(".bench li").all_inner_texts()]
    assert [line[-1] for line in stands][:5] == ["yes", "yes", "yes", "abstains", "recused"]
    assert [line[0] for line in stands][5:] == ["vacant", "vacant"]
    rows = page.locator("table.sum tbody tr").all()
    assert [
        (words(row.locator("th").inner_text()), words(row.locator("td").inner_text()))
        for row in rows
    ] == ARITHMETIC
    expect(page.get_by_text("My employer sells such modules.")).to_be_visible()
    expect(page.get_by_text("Cyd changed the vote from no to yes.")).to_be_visible()
    assert window.overflow() == []
    assert window.axe() == []
    return motion.resolution


def words(text: str) -> str:
    """The first line: what stands under it is the clause."""
    return text.split("\n")[0].strip()


def listed(window: Visitor, resolution: str) -> None:
    title = "Keep the release key in a hardware module"
    for path in ("/governance/", "/governance/board/", "/governance/motions/?state=adopted"):
        window.open(path)
        expect(window.page.get_by_role("link", name=title).first).to_be_visible()
        expect(window.page.get_by_text(f"Resolution {resolution}").first).to_be_visible()
