"""A question in real browsers: drafted in its form, answered, changed, abstained from, and told.

Registrar and ballot box are the offices themselves; the clock is put forward from phase to phase.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from governance.actions.election import announce_election
from governance.actions.election_close import close_due
from governance.actions.election_count import count_due
from governance.demonstrations.ceremony import Ceremony
from governance.models import Body, Election
from governance.recount import bundle
from governance.recount.check import check
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


@pytest.fixture
def officer(db: None) -> User:
    Body.objects.create(slug="board", name="Board", kind="board", purpose="Decides.", since=FOUNDED)
    return made.make_officer()


def drafted(visit: Visit, officer: User) -> Election:
    """In the form: the fields of a question are there when a question is chosen, and not before."""
    window = visit(user=officer, width=360)
    window.open("/governance/elections/new/")
    page = window.page
    asked = page.get_by_role("group", name="Contributors", exact=True)
    asked.get_by_role("checkbox", name="Contributors vote").check()
    expect(asked.get_by_label("What is proposed")).to_be_hidden()
    asked.get_by_role("radio", name="A question: yes or no").check()
    expect(asked.get_by_label("Seats to fill")).to_be_hidden()
    asked.get_by_label("What is proposed").fill(made.PROPOSAL)
    asked.get_by_label("What is if it fails").fill(made.DEFAULT)
    asked.get_by_label("Its full text").fill("**All** of it.")
    asked.get_by_label("Yes votes").fill("2")
    page.get_by_label("Short name").fill("2026-board")
    assert window.axe() == []
    press(page, "Keep as a draft")
    expect(page.get_by_text("Drafted. Look at it")).to_be_visible()
    expect(page.get_by_text(made.PROPOSAL).first).to_be_visible()
    assert (window.axe(), window.overflow(), window.complaints) == ([], [], [])
    Election.objects.update(**made.TIMES)
    return announce_election(actor=officer, election=Election.objects.get(), at=made.ANNOUNCED)


def cast(voter: Visitor) -> None:
    page = voter.page
    press(page, "Cast my ballot")
    with page.expect_download():
        press(page, "Save the recovery file")
    press(page, "Ask for the credential and cast")
    expect(page.get_by_role("heading", name="You have voted")).to_be_visible()


def answers(visit: Visit, name: str, answer: str) -> Visitor:
    voter = visit(user=User.objects.get(name=name), width=360)
    voter.open(f"{HERE}vote/")
    page, lines = voter.page, voter.page.locator("[data-vote-lines] li")
    if answer == "Abstain":
        press(page, "Abstain")
        expect(lines).to_have_text(["You abstain: you take part, and count for neither side."])
    else:
        page.get_by_role("radio", name=f"{answer}: ").check()
        press(page, "Review my ballot")
        expect(lines).to_contain_text([f"{answer}: "])
    cast(voter)
    return voter


def test_a_question_from_its_form_to_its_answer(visit: Visit, site: Site, officer: User) -> None:
    site.at(made.ANNOUNCED)
    election = drafted(visit, officer)
    for name in ("cora", "carl", "cleo", "cyra"):
        made.make_contributor(name)
    made.draw(election)
    site.at(made.OBJECTIONS_END)
    ceremony = Ceremony(
        election,
        officer,
        scrutineers=[make_person(name) for name in ("sam", "sue", "sid")],
        officers=[make_person(name) for name in ("ole", "ora")],
        at=site.time.now,
    )
    ceremony.make_keys()
    ceremony.split()
    ceremony.freeze(site.registrar, site.box)

    site.at(made.OPENS + HOUR)
    changes = visit(user=User.objects.get(name="Cora"), width=360)
    changes.open(f"{HERE}vote/")
    page = changes.page
    press(page, "Review my ballot")
    expect(page.get_by_text("Choose yes or no, or abstain.").last).to_be_visible()
    no, yes = (page.get_by_role("radio", name=f"{word}: ") for word in ("No", "Yes"))
    no.check()
    expect(page.locator("[data-ballot-status]")).to_have_text("Your answer: No.")
    page.reload()
    expect(no).to_be_checked()
    press(page, "Clear")
    expect(no).not_to_be_checked()
    yes.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    expect(no).to_be_checked()
    assert (changes.axe(), changes.overflow()) == ([], [])
    press(page, "Review my ballot")
    expect(page.locator("[data-vote-lines] li")).to_have_text([f"No: {made.DEFAULT}"])
    cast(changes)
    press(page, "Change my vote")
    yes.check()
    press(page, "Review my ballot")
    expect(page.locator("[data-vote-lines] li")).to_have_text([f"Yes: {made.PROPOSAL}"])
    press(page, "Cast my ballot")
    expect(page.get_by_text("It replaces the ballot that you cast before.")).to_be_visible()
    others = [
        answers(visit, *each) for each in (("Carl", "Yes"), ("Cleo", "No"), ("Cyra", "Abstain"))
    ]

    site.at(made.CLOSES)
    assert close_due(box=site.box, at=made.CLOSES) == 1
    election.refresh_from_db()
    ceremony.tell(at=made.CLOSES, without=1)
    assert count_due(registrar=site.registrar, box=site.box, at=made.CLOSES) == 1
    stranger = visit(width=360, theme="dark")
    stranger.open(f"{HERE}result/")
    expect(stranger.page.get_by_text(f"Carried: {made.PROPOSAL}").first).to_be_visible()
    expect(stranger.page.get_by_text("At least 2 yes for 1 no are needed")).to_be_visible()
    assert (stranger.axe(), stranger.overflow()) == ([], [])
    election.refresh_from_db()
    report = check(bundle.unpack(bytes(election.count.bundle)))
    assert report.faults == []
    assert report.outcome is not None
    told = report.outcome.contest("2026-board/contributors")
    assert (told.took_part, told.blank, told.replaced, told.elected) == (4, 1, 1, (0,))
    for window in (changes, *others, stranger):
        assert window.complaints == []
