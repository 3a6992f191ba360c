"""Writing, seconding, opening and withdrawing in the browser."""

from datetime import timedelta

import pytest
from django.test import Client

from governance.models import Body, Motion, RuleSet
from governance.tests.conftest import DAY, START, make_rules
from portal.accounts.models import User
from tests.cast import sign_in

pytestmark = pytest.mark.django_db
NEW = "/governance/motions/new/"
DEADLINE = (START + 7 * DAY).strftime("%Y-%m-%dT%H:%M")


@pytest.fixture
def ada(directors: list[User]) -> Client:
    return sign_in(directors[0])


@pytest.fixture
def bea(directors: list[User]) -> Client:
    return sign_in(directors[1])


def words(**changed: object) -> dict[str, object]:
    rules = RuleSet.objects.get(subject="ordinary").pk
    sent = {"rules": rules, "title": "Buy it", "summary": "It is cheap.", "text": "**Bought.**"}
    return sent | changed


def test_a_director_writes_previews_and_keeps_a_draft(ada: Client) -> None:
    assert "Who decides" in ada.get(NEW).content.decode()
    preview = ada.post(NEW, words(preview="yes")).content.decode()
    assert "<strong>Bought.</strong>" in preview
    assert not Motion.objects.exists()
    answer = ada.post(NEW, words(), follow=True)
    motion = Motion.objects.get()
    assert answer.redirect_chain == [(motion.get_absolute_url(), 302)]
    assert "Only the body can read it." in answer.content.decode()
    assert "Ask another member of the body to second it" in answer.content.decode()


def test_the_lines_of_a_text_end_as_they_were_meant(ada: Client) -> None:
    """Browsers send CR LF; an amendment of two lines or a redaction has to find its passage."""
    typed = {"text": "That\r\n\r\n1. one;\r\n2. two.", "papers": "a\r\nb", "summary": "c\r\nd"}
    ada.post(NEW, words(**typed))
    motion = Motion.objects.get()
    assert (motion.text, motion.papers, motion.summary) == (
        "That\n\n1. one;\n2. two.",
        "a\nb",
        "c\nd",
    )
    ada.post(f"{motion.get_absolute_url()}edit/", words(**typed | {"papers": "e\r\nf"}))
    motion.refresh_from_db()
    assert (motion.text, motion.papers) == ("That\n\n1. one;\n2. two.", "e\nf")


def test_a_draft_without_words_is_sent_back(ada: Client) -> None:
    answer = ada.post(NEW, words(title="", text=""))
    assert answer.status_code == 422
    assert "2 things need your attention" in answer.content.decode()


def test_a_stranger_writes_no_motion(client: Client, board: Body, charlie: User) -> None:
    assert client.get(NEW)["Location"].startswith("/accounts/login/")
    assert sign_in(charlie).get(NEW).status_code == 403
    assert sign_in(charlie).post(NEW, words()).status_code == 403
    assert not Motion.objects.exists()


def test_a_role_without_a_seat_is_told_by_the_action(board: Body, bob: User) -> None:
    """The hour before the sweep: a grant is left over, the seat decides."""
    answer = sign_in(bob).post(NEW, words())
    assert "Only those who hold a voting seat" in answer.content.decode()
    assert not Motion.objects.exists()


def test_a_draft_is_changed_by_its_writer(ada: Client, bea: Client, draft: Motion) -> None:
    page = f"{draft.get_absolute_url()}edit/"
    assert draft.title in ada.get(page).content.decode()
    assert "Bought" in ada.post(page, words(preview="yes")).content.decode()
    ada.post(page, words(title="Sell it"))
    draft.refresh_from_db()
    assert draft.title == "Sell it"
    answer = bea.post(page, words(title="Mine"), follow=True)
    assert "Only Ada, who proposed it, can do this." in answer.content.decode()
    assert ada.post(page, words(title="")).status_code == 422


def test_seconding_and_opening(ada: Client, bea: Client, draft: Motion) -> None:
    page = draft.get_absolute_url()
    assert "Open the vote" not in ada.get(page).content.decode()
    refused = ada.post(f"{page}second/", follow=True).content.decode()
    assert "You proposed this motion" in refused
    assert "It needs a second first" in ada.get(f"{page}open/", follow=True).content.decode()
    assert "You seconded" in bea.post(f"{page}second/", follow=True).content.decode()
    form = ada.get(f"{page}open/").content.decode()
    assert "Who will vote" in form
    past = (START - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M")
    assert "deadline must be after" in ada.post(f"{page}open/", {"deadline": past}).content.decode()
    opened = ada.post(f"{page}open/", {"deadline": DEADLINE}, follow=True).content.decode()
    assert "The vote is open." in opened
    assert "You vote for seat 1" in opened
    again = ada.post(f"{page}open/", {"deadline": DEADLINE}, follow=True).content.decode()
    assert "a vote is opened once" in again


def test_the_form_offers_a_deadline_that_the_rules_allow(
    board: Body, ada: Client, draft: Motion
) -> None:
    make_rules(board, seconds_needed=0, minimum_hours=400)
    page = f"{draft.get_absolute_url()}open/"
    answer = ada.get(page)
    assert "at least 400 hours" in answer.content.decode()
    offered = answer.context["form"].initial["deadline"]
    assert (
        "The vote is open." in ada.post(page, {"deadline": offered}, follow=True).content.decode()
    )


def test_a_draft_without_rules_in_force_says_whom_to_ask(
    board: Body, ada: Client, draft: Motion
) -> None:
    RuleSet.objects.all().delete()
    page = draft.get_absolute_url()
    assert "Ask staff to write them" in ada.get(page).content.decode()
    assert "Ask staff" in ada.get(f"{page}open/", follow=True).content.decode()
    assert "Ask staff" in ada.post(f"{page}second/", follow=True).content.decode()


def test_withdrawing(ada: Client, bea: Client, motion: Motion) -> None:
    page = motion.get_absolute_url()
    assert "Withdraw the motion" in ada.get(page).content.decode()
    assert "Withdraw the motion" not in bea.get(page).content.decode()
    assert "Only Ada" in bea.post(f"{page}withdraw/", follow=True).content.decode()
    assert "is withdrawn" in ada.post(f"{page}withdraw/", follow=True).content.decode()


def test_acts_are_posted(ada: Client, motion: Motion) -> None:
    page = motion.get_absolute_url()
    for act in ("second", "withdraw", "vote"):
        assert ada.get(f"{page}{act}/")["Location"] == page
