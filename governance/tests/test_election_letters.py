"""Every letter of elections, as the outbox keeps it: text and HTML, and nothing left to fill in."""

from __future__ import annotations

import datetime as dt
import inspect
import re
from typing import Any

import pytest

from governance.elections import ceremony_letters, letters
from governance.elections.letter import Of, Reader
from portal.lib import outbox
from portal.lib.models import OutboxMail

pytestmark = pytest.mark.django_db
READER = Reader("Zoë <Z>", "zoe@example.org", "7")
BOARD = Of("2026-board", "Election of the board & council")
LINK = "https://portal.example.org/governance/elections/2026-board/?a=1&b=2"
SOON = dt.datetime(2026, 11, 20, 18, tzinfo=dt.UTC)
DAY = dt.date(2027, 1, 1)
LEFT_OVER = re.compile(r"{{|}}|{%|%\(|\bNone\b|TODO", re.IGNORECASE)


def every_letter() -> dict[str, outbox.Letter]:
    """Each once, some in both of their shapes."""
    r, e = READER, BOARD
    votes = ["Contributors", "Corporate members, for Acme"]
    return {
        "nominations_open": letters.nominations_open(
            r, e, contests=["Contributors, 3 seats"], until=SOON, link=LINK
        ),
        "nominated": letters.nominated(
            r, e, contest="Contributors", by="Bob", until=SOON, link=LINK
        ),
        "seconds_needed": letters.seconds_needed(
            r, e, contest="Contributors", got=1, needed=3, until=SOON, link=LINK
        ),
        "roll_shown": letters.roll_shown(r, e, votes=votes, until=SOON, link=LINK),
        "roll_shown not": letters.roll_shown(
            r, e, votes=[], reasons=["Contributors: joined after 1 Oct 2026"], until=SOON, link=LINK
        ),
        "voting_open": letters.voting_open(
            r, e, votes=votes, closes=SOON, is_sealed=True, link=LINK
        ),
        "voting_open confidential": letters.voting_open(
            r, Of("b", "B"), votes=votes, closes=SOON, is_sealed=False, link=LINK
        ),
        "reminder": letters.reminder(r, e, closes=SOON, is_sealed=True, link=LINK, day=SOON.date()),
        "reminder again": letters.reminder(r, e, closes=SOON, is_sealed=False, link=LINK, day=DAY),
        "credential_issued": letters.credential_issued(r, e, contest="Contributors", link=LINK),
        "vote_taken": letters.vote_taken(r, e, contest="Contributors", link=LINK),
        "closing_soon": letters.closing_soon(r, e, closes=SOON, link=LINK),
        "result": letters.result(
            r, e, answers=[("Contributors", "Alice is elected")], complaints_until=SOON, link=LINK
        ),
        "elected": letters.elected(
            r, e, contest="Contributors", since=DAY, until=None, complaints_until=SOON, link=LINK
        ),
        "elected when declared": letters.elected(
            r, e, contest="Both", since=None, until=None, complaints_until=SOON, link=LINK
        ),
        "elected until": letters.elected(
            r, e, contest="Members", since=DAY, until=DAY, complaints_until=SOON, link=LINK
        ),
        "complaint_answered": letters.complaint_answered(
            r,
            e,
            reference="2",
            is_upheld=True,
            ruling="We <agree>.\n\nThe roll is mended.",
            signed_by=["Olga", "Omar"],
            link=LINK,
        ),
        "complaint_answered not": letters.complaint_answered(
            r, e, reference="3", is_upheld=False, ruling="No.", signed_by=["Olga"], link=LINK
        ),
        "make_key": ceremony_letters.make_key(r, e, needed=2, shares=3, until=SOON, link=LINK),
        "confirm_share": ceremony_letters.confirm_share(r, e, until=SOON, link=LINK),
        "open_share": ceremony_letters.open_share(r, e, needed=2, got=1, until=SOON, link=LINK),
        "make_officer_key": ceremony_letters.make_officer_key(r, e, until=SOON, link=LINK),
        "sign_manifest": ceremony_letters.sign_manifest(
            r, e, digest="ab" * 32, opens=SOON, link=LINK
        ),
        "tell_number": ceremony_letters.tell_number(r, e, until=SOON, link=LINK),
    }


def test_each_letter_is_whole_in_text_and_html() -> None:
    every = every_letter()
    outbox.enqueue_all(every.values())
    sent = list(OutboxMail.objects.all())
    assert len(sent) == len(every), "each has a key of its own"
    for mail in sent:
        assert mail.recipient == READER.email
        assert mail.text.startswith("Hello Zoë <Z>,\n\n"), mail.key
        assert "Zoë &lt;Z&gt;" in mail.html
        assert mail.html.lstrip().startswith("<!doctype html>"), mail.key
        assert "&amp;" not in mail.text + mail.subject, "plain text is not escaped"
        assert "\n\n\n" not in mail.text, mail.key
        assert not LEFT_OVER.search(mail.subject + mail.text + mail.html), mail.key
        assert LINK in mail.text
        assert LINK.replace("&", "&amp;") in mail.html


def test_no_letter_is_left_out_here() -> None:
    told = {name.partition(" ")[0] for name in every_letter()}
    for module in (letters, ceremony_letters):
        public = {
            name
            for name, one in inspect.getmembers(module, inspect.isfunction)
            if one.__module__ == module.__name__ and not name.startswith("_")
        }
        assert public <= told, public - told


def test_a_letter_that_is_promised_twice_goes_out_once_and_says_what_it_is_about() -> None:
    for _ in range(2):
        outbox.enqueue_all(every_letter().values())
    assert OutboxMail.objects.count() == len(every_letter())
    assert OutboxMail.objects.filter(about="election:2026-board").exists()


def test_who_is_not_on_the_roll_reads_why_and_how_to_object() -> None:
    outbox.enqueue_all([every_letter()["roll_shown not"]])
    mail = OutboxMail.objects.get()
    assert mail.subject == "You are not on the roll: Election of the board & council"
    assert "Why: Contributors: joined after 1 Oct 2026" in mail.text
    assert "object until 20 Nov 2026, 18:00 UTC" in mail.text


def test_a_sealed_vote_is_told_when_it_is_done_and_a_confidential_one_whom_it_trusts() -> None:
    every = every_letter()
    outbox.enqueue_all([every["voting_open"], every["voting_open confidential"]])
    sealed, confidential = OutboxMail.objects.order_by("pk")
    assert "when you see the receipt, not before" in sealed.text
    assert "recovery file" in sealed.text
    assert "recovery file" not in confidential.text
    assert "is trusted" in confidential.text


def test_a_ruling_is_quoted_as_it_was_written() -> None:
    outbox.enqueue_all([every_letter()["complaint_answered"]])
    mail = OutboxMail.objects.get()
    assert "We <agree>.\n\nThe roll is mended." in mail.text
    assert "<blockquote><p>We &lt;agree&gt;.</p>" in mail.html


def test_a_letter_is_worded_in_the_language_of_who_reads_it(settings: Any) -> None:
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]
    said = {
        language: letters.reminder(
            Reader("Ada", "ada@example.org", "1", language),
            BOARD,
            closes=SOON,
            is_sealed=True,
            link=LINK,
            day=DAY,
        ).context["words"]
        for language in ("de", "")
    }
    assert "20. Nov 2026" in said["de"].said[1]
    assert "20 Nov 2026" in said[""].said[1]
