"""The editor's desk: writing, publishing, withdrawing, versions, two editors at once."""

import datetime as dt
from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.accounts.roles import Role, Scope
from portal.lib.models import AuditEntry, OutboxMail
from portal.news import letters
from portal.news.actions.announcement import (
    ChangedMeanwhileError,
    NewsError,
    Text,
    change_announcement,
    drop_draft,
    take_version,
)
from portal.news.actions.occasion import doubt_draft, draft_for
from portal.news.actions.publication import (
    publish_announcement,
    restore_announcement,
    schedule_announcement,
    unschedule_announcement,
    withdraw_announcement,
)
from portal.news.models import Announcement, Occasion, State
from portal.news.tests.rows import HOUR, in_state, words, written
from portal.news.views import write
from tests.cast import make_person, sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db
TYPED = {
    "kind": "news",
    "title": "A new mirror",
    "slug": "",
    "byline": "Heidi",
    "summary": "Nearer.",
    "body": "The *text*.\r\n\r\nAnd <script>alert(1)</script>",
    "step": "save",
}


@shared
def heidi() -> User:
    return make_person("heidi", (Role.EDITOR, Scope.FOUNDATION, ""))


@pytest.fixture
def desk(heidi: User) -> Client:
    return sign_in(heidi)


def typed(announcement: Announcement, **changes: str) -> dict[str, Any]:
    text = Text.of(announcement)
    kept = {name: getattr(text, name) for name in ("kind", "title", "slug", "byline", "summary")}
    return {**kept, "body": text.body, "version": announcement.version, "step": "save", **changes}


def test_a_text_is_previewed_saved_published_and_read(desk: Client, client: Client) -> None:
    looked_at = desk.post("/staff/news/new/", {**TYPED, "step": "preview"})
    text = looked_at.content.decode()
    assert "<p>The <em>text</em>.</p>" in text
    assert "Not saved yet" in text
    assert not Announcement.objects.exists()

    assert desk.post("/staff/news/new/", TYPED).status_code == 302
    draft = Announcement.objects.get()
    assert (draft.slug, draft.version, draft.byline) == ("a-new-mirror", 1, "Heidi")
    assert client.get("/news/a-new-mirror/").status_code == 404

    last_look = desk.get(f"{draft.desk_url}publish/").content.decode()
    assert "/news/a-new-mirror/" in last_look
    answer = desk.post(f"{draft.desk_url}publish/", {"how": "now", "version": 1})
    assert answer.status_code == 302
    assert client.get("/news/a-new-mirror/").status_code == 200
    verbs = AuditEntry.objects.filter(subject_kind="news.announcement").order_by("pk")
    assert list(verbs.values_list("verb", flat=True)) == [
        "announcement.write",
        "announcement.publish",
    ]


def test_a_refused_text_is_still_in_the_form(desk: Client) -> None:
    answer = desk.post("/staff/news/new/", {**TYPED, "summary": ""})
    text = answer.content.decode()
    assert answer.status_code == 200
    assert "“Summary” is still empty" in text
    assert "And &lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_an_address_that_is_taken_or_a_page_is_refused(desk: Client) -> None:
    written("taken")
    for slug, words_shown in (("taken", "already exists"), ("feeds", "Another page")):
        text = desk.post("/staff/news/new/", {**TYPED, "slug": slug}).content.decode()
        assert words_shown in text
    mine = written("mine")
    text = desk.post(mine.desk_url, typed(mine, slug="taken")).content.decode()
    assert "already exists" in text


def test_an_address_that_is_taken_in_the_same_moment_is_refused(
    desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = written("mine")
    taken = ValidationError({"slug": "Somebody was quicker."})
    for name in ("write_announcement", "change_announcement"):
        monkeypatch.setattr(write, name, Mock(side_effect=taken))
    for page, sent in (("/staff/news/new/", TYPED), (draft.desk_url, typed(draft, title="New"))):
        text = desk.post(page, sent).content.decode()
        assert "Somebody was quicker." in text


def test_the_address_is_kept_once_it_is_public(desk: Client, heidi: User) -> None:
    draft = written("first")
    assert desk.post(draft.desk_url, typed(draft, slug="second")).status_code == 302
    public = in_state("published", "public")
    assert desk.post(public.desk_url, typed(public, slug="x", title="New")).status_code == 302
    public.refresh_from_db()
    assert (public.slug, public.title, public.was_changed) == ("public", "New", True)
    with pytest.raises(Exception, match="public already"):
        change_announcement(
            actor=heidi,
            announcement=public,
            text=words("other"),
            seen=public.version,
            at=timezone.now(),
        )


def test_saving_the_same_again_makes_no_version(desk: Client) -> None:
    draft = written("same")
    answer = desk.post(draft.desk_url, typed(draft), follow=True)
    assert "Nothing was changed" in answer.content.decode()
    assert draft.versions.count() == 1


def test_the_second_of_two_editors_sees_both_texts(desk: Client, frank: User) -> None:
    draft = written("both", title="The old title", body="One two three.")
    mine = typed(draft, body="One two four.")
    theirs = sign_in(frank)
    theirs.post(draft.desk_url, typed(draft, body="One five three."))

    answer = desk.post(draft.desk_url, mine)
    text = answer.content.decode()
    assert "Frank saved version 2 while you wrote" in text
    assert "<del>five</del><ins>two</ins> <del>three</del><ins>four</ins>" in text
    assert "One two four.</textarea>" in text
    draft.refresh_from_db()
    assert draft.body == "One five three."

    assert '<input type="hidden" name="version" value="2">' in text
    assert desk.post(draft.desk_url, {**mine, "version": 2}).status_code == 302
    draft.refresh_from_db()
    assert (draft.version, draft.body) == (3, "One two four.")


def test_two_who_wrote_the_same_are_told_so(desk: Client, frank: User) -> None:
    draft = written("agreed")
    sent = typed(draft, body="New.")
    sign_in(frank).post(draft.desk_url, sent)
    assert "Both say the same." in desk.post(draft.desk_url, sent).content.decode()


def test_versions_are_compared_and_taken_again(desk: Client) -> None:
    draft = written("history", body="One two three.", published_at=timezone.now() - HOUR)
    desk.post(draft.desk_url, typed(draft, body="One two four.", byline="The board"))
    text = desk.get(f"{draft.desk_url}versions/").content.decode()
    assert "Version 1 to 2" in text
    assert "One two <del>three</del><ins>four</ins>." in text
    assert "<ins>The board</ins>" in text
    same = desk.get(f"{draft.desk_url}versions/?from=2&to=2").content.decode()
    assert "Both say the same." in same
    assert "Version 1 to 2" not in desk.get(f"{draft.desk_url}versions/?to=1").content.decode()

    take = f"{draft.desk_url}versions/1/take/"
    assert "saved another version" in desk.post(take, {"version": 1}, follow=True).content.decode()
    assert desk.post(take, {"version": 2}).status_code == 302
    draft.refresh_from_db()
    assert (draft.version, draft.body, draft.byline) == (3, "One two three.", "")
    assert draft.versions.first().note == "Version 1 again"  # type: ignore[union-attr]
    assert desk.post(f"{draft.desk_url}versions/9/take/").status_code == 404


def test_an_earlier_address_that_is_taken_meanwhile_is_not_taken_again(desk: Client) -> None:
    draft = written("before")
    desk.post(draft.desk_url, typed(draft, slug="after"))
    written("before")
    answer = desk.post(f"{draft.desk_url}versions/1/take/", {"version": 2}, follow=True)
    assert "already exists" in answer.content.decode()


def test_a_moment_to_come_publishes_without_any_job(
    desk: Client, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = written("later")
    moment = timezone.now() + dt.timedelta(days=1)
    sent = {"how": "later", "moment": f"{moment:%Y-%m-%dT%H:%M}", "version": 1}
    answer = desk.post(f"{draft.desk_url}publish/", sent, follow=True)
    assert "UTC" in answer.content.decode()
    assert client.get("/news/later/").status_code == 404
    assert f"{moment:%Y-%m-%dT%H:%M}" in desk.get(f"{draft.desk_url}publish/").content.decode()
    monkeypatch.setattr(timezone, "now", lambda: moment)
    assert client.get("/news/later/").status_code == 200
    assert b"/news/later/" in client.get("/news/feed.atom").content


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"how": "later"}, "Give the day and the time."),
        ({"how": "later", "moment": "2020-01-01T10:00"}, "That moment is over."),
        ({"how": "later", "moment": "soon"}, "Enter a valid date/time."),
        ({"how": "now", "version": 7}, "It was changed while you looked."),
        ({"how": "now", "version": "x"}, "It was changed while you looked."),
        ({}, "“When” is still open: choose one."),
    ],
)
def test_nothing_is_published_by_mistake(desk: Client, sent: dict[str, Any], said: str) -> None:
    draft = written("careful")
    answer = desk.post(f"{draft.desk_url}publish/", {"version": 1, **sent})
    assert said in answer.content.decode()
    draft.refresh_from_db()
    assert draft.state(timezone.now()) == State.DRAFT


def test_each_act_can_be_undone(desk: Client) -> None:
    announcement = written("undone")
    page = announcement.desk_url
    moment = timezone.now() + HOUR

    def state_after(step: str, **sent: Any) -> State:
        assert desk.post(f"{page}{step}/", sent).status_code == 302
        return Announcement.objects.get(pk=announcement.pk).state(timezone.now())

    assert state_after("drop") == State.DROPPED
    assert state_after("take-back") == State.DRAFT
    sent = {"how": "later", "moment": f"{moment:%Y-%m-%dT%H:%M}", "version": 1}
    assert state_after("publish", **sent) == State.SCHEDULED
    assert state_after("unschedule") == State.DRAFT
    assert state_after("publish", how="now", version=1) == State.PUBLISHED
    assert state_after("withdraw", reason="A wrong date.") == State.WITHDRAWN
    assert "A wrong date." in desk.get(page).content.decode()
    assert state_after("restore") == State.PUBLISHED


def test_what_cannot_be_done_is_said(desk: Client, heidi: User) -> None:
    public, dropped = in_state("published"), in_state("dropped")
    now = timezone.now()

    def said(page: str, step: str) -> str:
        return desk.post(f"{page}{step}/", {}, follow=True).content.decode()

    assert "Only a draft can be thrown away" in said(public.desk_url, "drop")
    assert "Withdraw it instead" in said(public.desk_url, "unschedule")
    assert "It is not withdrawn" in said(public.desk_url, "restore")
    assert "not a draft any more" in said(public.desk_url, "publish")
    assert "Only what is public" in said(dropped.desk_url, "withdraw")
    assert "thrown away" in desk.post(dropped.desk_url, typed(dropped, title="y")).content.decode()
    assert (
        "is still empty"
        in desk.post(f"{public.desk_url}withdraw/", {"reason": " "}).content.decode()
    )
    with pytest.raises(NewsError):
        withdraw_announcement(actor=heidi, announcement=public, reason=" ", at=now)
    with pytest.raises(NewsError):
        withdraw_announcement(actor=heidi, announcement=dropped, reason="x", at=now)
    with pytest.raises(NewsError):
        publish_announcement(actor=heidi, announcement=public, seen=1, at=now)
    answer = desk.post(f"{dropped.desk_url}versions/1/take/", {"version": 1}, follow=True)
    assert "Take it back before" in answer.content.decode()


def test_repeated_acts_change_nothing_more(heidi: User) -> None:
    now = timezone.now()
    draft, dropped = written("calm"), in_state("dropped")
    assert unschedule_announcement(actor=heidi, announcement=draft, at=now) == draft
    assert drop_draft(actor=heidi, announcement=dropped, at=now) == dropped
    with pytest.raises(ChangedMeanwhileError):
        take_version(actor=heidi, announcement=draft, number=1, seen=4, at=now)
    with pytest.raises(NewsError):
        restore_announcement(actor=heidi, announcement=draft, at=now)


def test_the_desk_is_searched_and_filtered(desk: Client) -> None:
    assert "Nothing was written yet" in desk.get("/staff/news/").content.decode()
    draft_for(key="release:1", text=words("made", title="Made by itself", kind="release"))
    doubt_draft(key="release:1", doubt="It was withdrawn.", at=timezone.now())
    for state in ("published", "dropped"):
        in_state(state, state)

    def shown(query: str) -> set[str]:
        text = desk.get(f"/staff/news/?{query}").content.decode()
        names = {"made": "Made by itself", "published": "About published", "dropped": "About dro"}
        return {slug for slug, title in names.items() if title in text}

    assert shown("") == {"made", "published"}
    assert shown("state=dropped") == {"dropped"}
    assert shown("state=draft&kind=release") == shown("q=itself") == {"made"}
    assert shown("state=other") == {"made", "published"}
    assert shown("q=nowhere") == set()
    text = desk.get("/staff/news/").content.decode()
    assert "made by the portal" in text
    assert "It was withdrawn." in text


def test_a_doubtful_draft_is_not_published(desk: Client, heidi: User) -> None:
    now = timezone.now()
    draft = draft_for(key="supporter:1", text=words("doubted"))
    assert draft is not None
    schedule_announcement(actor=heidi, announcement=draft, seen=1, moment=now + HOUR, at=now)
    doubt_draft(key="supporter:1", doubt="It does not wish to be named.", at=now)
    draft.refresh_from_db()
    assert draft.state(now) == State.DRAFT
    answer = desk.post(f"{draft.desk_url}publish/", {"how": "now", "version": 1})
    assert "does not wish to be named" in answer.content.decode()
    doubt_draft(key="supporter:1", doubt="", at=now)
    draft = Announcement.objects.get(pk=draft.pk)
    publish_announcement(actor=heidi, announcement=draft, seen=1, at=now)
    doubt_draft(key="supporter:1", doubt="Too late.", at=now)
    assert Occasion.objects.get().doubt == ""


def test_a_draft_is_made_once_for_what_happened(desk: Client) -> None:
    made = draft_for(key="release:7", text=words())
    assert made is not None
    desk.post(f"{made.desk_url}drop/")
    assert draft_for(key="release:7", text=words()) is None
    assert Announcement.objects.count() == 1


def test_editors_hear_of_drafts_in_one_letter_a_day(heidi: User, frank: User) -> None:
    now = timezone.now()
    for number in range(2):
        draft_for(key=f"release:{number}", text=words(f"made-{number}"))
    assert letters.tell_of_drafts(at=now) == 2
    mail = OutboxMail.objects.get()
    assert mail.recipient == heidi.email  # the staff only where there is no editor
    assert mail.subject == "2 drafts of news wait for you"
    for form in (mail.text, mail.html):
        assert "About made-1" in form
        assert Announcement.objects.get(slug="made-1").desk_url in form
        assert "{{" not in form
        assert "{%" not in form
    draft_for(key="release:9", text=words("made-9"))
    assert letters.tell_of_drafts(at=now + HOUR) == 0
    assert letters.tell_of_drafts(at=now + dt.timedelta(days=1, hours=1)) == 1
    assert letters.tell_of_drafts(at=now + dt.timedelta(days=3)) == 0


def test_the_staff_hear_where_there_is_no_editor(frank: User) -> None:
    assert letters.editors(timezone.now()) == [frank]


def test_nobody_is_told_where_there_is_nobody(db: None) -> None:
    draft_for(key="release:1", text=words("alone"))
    assert letters.tell_of_drafts(at=timezone.now()) == 1
    assert not OutboxMail.objects.exists()


def test_who_scheduled_hears_that_it_is_public(heidi: User) -> None:
    now = timezone.now()
    draft = written("waited")
    schedule_announcement(actor=heidi, announcement=draft, seen=1, moment=now + HOUR, at=now)
    assert letters.tell_of_published(at=now) == 0
    for _ in range(2):
        letters.tell_of_published(at=now + 2 * HOUR)
    mail = OutboxMail.objects.get()
    assert mail.subject == "Public now: About waited"
    assert "/news/waited/" in mail.text
    assert "UTC" in mail.html


def test_who_has_no_role_finds_no_desk(charlie: User, client_for: Callable[[User], Client]) -> None:
    assert client_for(charlie).get("/staff/news/").status_code == 403
