"""The discussion of a motion in the browser."""

from typing import Any

import pytest
from django.test import Client

from governance.actions.discussion import hold_motion
from governance.models import Amendment, Motion, MotionComment
from governance.tests.conftest import DAY, START
from portal.accounts.models import User
from tests.cast import sign_in

pytestmark = pytest.mark.django_db
CHANGE = {"passage": "two", "replacement": "three", "reason": "One more."}


@pytest.fixture
def ada(directors: list[User]) -> Client:
    return sign_in(directors[0])


@pytest.fixture
def bea(directors: list[User]) -> Client:
    return sign_in(directors[1])


def sent(client: Client, path: str, data: dict[str, Any] | None = None) -> str:
    return client.post(path, data or {}, follow=True).content.decode()


def test_from_a_draft_to_the_talk(client: Client, ada: Client, bea: Client, draft: Motion) -> None:
    page = draft.get_absolute_url()
    assert "Ask another member" in sent(ada, f"{page}discuss/")
    sent(bea, f"{page}second/")
    assert "The discussion is open." in sent(ada, f"{page}discuss/")
    public = client.get(page).content.decode()
    assert "Nobody has said anything yet." in public
    assert "Sign in to take part" in public
    assert draft.title in client.get("/governance/").content.decode()


def test_comments_and_answers(ada: Client, bea: Client, discussed: Motion) -> None:
    page = discussed.get_absolute_url()
    assert "Your comment stands below." in sent(ada, f"{page}comments/", {"text": "Dear."})
    first = MotionComment.objects.get()
    answer = {"text": "Is it?", "reply_to": first.pk}
    assert 'class="comment reply"' in sent(bea, f"{page}comments/", answer)
    empty = bea.post(f"{page}comments/", {"text": "", "reply_to": "x"})
    assert empty.status_code == 422
    assert MotionComment.objects.filter(reply_to=first).count() == 1


def test_what_was_typed_stays_when_it_is_refused(discussed: Motion, charlie: User) -> None:
    answer = sign_in(charlie).post(
        f"{discussed.get_absolute_url()}comments/", {"text": "My long words"}
    )
    assert answer.status_code == 422
    assert "Everybody reads this discussion" in answer.content.decode()


def test_a_comment_is_hidden_by_the_keeper(
    client: Client, ada: Client, discussed: Motion, frank: User
) -> None:
    page = discussed.get_absolute_url()
    sent(ada, f"{page}comments/", {"text": "A rude word."})
    path = f"{page}comments/{MotionComment.objects.get().pk}/hide/"
    assert "Only the secretary" in sent(ada, path, {"because": "Mine."})
    assert "Say why" in sent(sign_in(frank), path)
    assert "The comment is hidden" in sent(sign_in(frank), path, {"because": "Rude."})
    public = client.get(page).content.decode()
    assert "A rude word." not in public
    assert "Hidden by Frank" in public


def test_an_amendment_is_previewed_proposed_and_accepted(
    client: Client, ada: Client, bea: Client, discussed: Motion
) -> None:
    page = discussed.get_absolute_url()
    new = f"{page}amendments/new/"
    assert "The text as it stands" in bea.get(new).content.decode()
    preview = bea.post(new, CHANGE | {"preview": "yes"}).content.decode()
    assert "<del>two</del><ins>three</ins>" in preview
    assert not Amendment.objects.exists()
    lost = bea.post(new, CHANGE | {"passage": "nowhere", "preview": "yes"})
    assert (lost.status_code, "does not stand" in lost.content.decode()) == (422, True)
    assert "does not stand" in bea.post(new, CHANGE | {"passage": "nowhere"}).content.decode()
    assert bea.post(new, {"reason": "Empty."}).status_code == 422
    assert "Your amendment stands below." in sent(bea, new, CHANGE)
    act = f"{page}amendments/1/"
    assert "Only Ada" in sent(bea, act, {"act": "accept"})
    assert "Choose whether" in sent(ada, act)
    assert "part of the text now" in sent(ada, act, {"act": "accept"})
    assert "<strong>three</strong> modules" in client.get(page).content.decode()


def test_a_passage_that_is_chosen_stands_in_the_form_and_others_beneath_it(
    bea: Client, discussed: Motion
) -> None:
    new = f"{discussed.get_absolute_url()}amendments/new/"
    first = bea.get(new).content.decode()
    assert first.index("The text as it stands") < first.index('name="passage"')
    assert "?at=2#write" in first
    chosen = bea.get(f"{new}?at=2")
    assert chosen.context["form"].initial["passage"] == "1. **two** modules are bought."
    text = chosen.content.decode()
    assert text.count("1. **two** modules are bought.</textarea>") == 2
    assert text.index('name="passage"') < text.index("The text as it stands")
    for wrong in ("0", "9", "x", "-1"):
        assert bea.get(f"{new}?at={wrong}").context["form"].initial["passage"] == ""
    sent(bea, new, CHANGE)
    answer = bea.get(f"{new}?to=1&at=1")
    assert answer.context["form"].initial["passage"] == CHANGE["replacement"]
    assert "?to=1&amp;at=1#write" in answer.content.decode()


def test_amendments_are_rejected_withdrawn_and_amended(
    ada: Client, bea: Client, discussed: Motion
) -> None:
    page = discussed.get_absolute_url()
    new = f"{page}amendments/new/"
    sent(bea, new, CHANGE)
    child = {"passage": "three", "replacement": "four", "reason": "More still."}
    assert "Amend amendment 1" in ada.get(f"{new}?to=1").content.decode()
    assert "Amendment 2 to amendment 1" in sent(ada, f"{new}?to=1", child)
    for wrong in ("x", "2", "9"):
        assert ada.get(f"{new}?to={wrong}").status_code == 404
    assert "is withdrawn" in sent(ada, f"{page}amendments/2/", {"act": "withdraw"})
    assert "Say why" in sent(ada, f"{page}amendments/1/", {"act": "reject"})
    because = {"act": "reject", "because": "Too dear."}
    assert "Too dear." in sent(ada, f"{page}amendments/1/", because)


def test_an_amendment_is_put_to_a_vote(
    ada: Client, bea: Client, discussed: Motion, charlie: User
) -> None:
    page = discussed.get_absolute_url()
    sent(bea, f"{page}amendments/new/", CHANGE)
    vote = f"{page}amendments/1/vote/"
    assert "Put amendment 1 to a vote" in ada.get(vote).content.decode()
    past = (START - DAY).strftime("%Y-%m-%dT%H:%M")
    assert "deadline must be after" in ada.post(vote, {"deadline": past}).content.decode()
    later = (START + 7 * DAY).strftime("%Y-%m-%dT%H:%M")
    opened = sent(ada, vote, {"deadline": later})
    assert "The vote on the amendment is open." in opened
    assert "it gets no resolution number" in opened
    assert "vote on amendment 1 runs" in sent(ada, f"{page}open/", {"deadline": later})
    refused = sign_in(charlie).get(vote, follow=True).content.decode()
    assert "not open any more" in refused


def test_a_motion_rests_and_goes_on(client: Client, ada: Client, discussed: Motion) -> None:
    page = discussed.get_absolute_url()
    assert "Say what it waits for" in sent(ada, f"{page}hold/")
    assert "is on hold" in sent(ada, f"{page}hold/", {"because": "An offer."})
    assert "An offer." in client.get(page).content.decode()
    assert "taken up again" in sent(ada, f"{page}resume/")
    assert "not on hold" in sent(ada, f"{page}resume/")


def test_a_held_draft_is_a_secret_of_its_body(
    client: Client, ada: Client, draft: Motion, directors: list[User]
) -> None:
    hold_motion(actor=directors[0], motion=draft, because="Later.", at=START)
    assert client.get(draft.get_absolute_url()).status_code == 404
    assert "Take it up again" in ada.get(draft.get_absolute_url()).content.decode()
