"""Staff and the reports that could not be read."""

import datetime as dt
from collections.abc import Callable

import pytest
from django.test import Client

from feedback import inbox
from feedback.actions import quarantine
from feedback.actions.deletion import ask_deletion
from feedback.actions.drain import drain_inbox
from feedback.models import Incoming, Intake, Quarantined, Report, ServerWeek
from feedback.packing import pack
from feedback.tests.fleets import DEBIAN, NOON, arrive, row
from feedback.visible import visible
from portal.accounts.models import User
from portal.lib.models import AuditEntry

pytestmark = pytest.mark.django_db
LIST = "/staff/feedback/quarantine/"


@pytest.fixture
def staff(frank: User, client_for: Callable[[User], Client]) -> Client:
    return client_for(frank)


def intake() -> dict[str, int]:
    return dict(Intake.objects.filter(reports__gt=0).values_list("outcome", "reports"))


def mend() -> None:
    """What a fix of the reader does, seen from here: the reports can be read."""
    body = row("x").body
    Quarantined.objects.update(body=body)


def test_the_list_says_why_and_narrows_by_reason(staff: Client) -> None:
    assert "Nothing is set aside" in staff.get(LIST).content.decode()
    arrive(row("a", {}), row("b", {}))
    Quarantined.objects.filter(number=Quarantined.objects.latest("number").number).update(
        reason="KeyError: <script>"
    )
    page = staff.get(LIST).content.decode()
    assert "2 reports set aside" in page
    assert "neither a version nor a startup nor a shutdown" in page
    assert "<script>" not in page
    page = staff.get(LIST, {"reason": "KeyError: <script>"}).content.decode()
    assert page.count('data-label="Reason"') == 1
    assert "No report with this reason" in staff.get(LIST, {"reason": "x"}).content.decode()


def test_the_newest_report_stands_first_however_late_it_was_read(staff: Client) -> None:
    arrive(row("new", {}))
    arrive(row("old", {}, at=NOON - dt.timedelta(days=9)))
    old, new = Quarantined.objects.order_by("received_at")
    assert old.number > new.number
    page = staff.get(LIST).content.decode()
    assert page.index(f"{LIST}{new.number}/") < page.index(f"{LIST}{old.number}/")


def test_a_report_is_shown_as_text_that_no_browser_obeys(staff: Client) -> None:
    arrive(row("a", {"MOTD": "<img src=x>\x1b[2J\u202egnp"}))
    number = Quarantined.objects.get().number
    page = staff.get(f"{LIST}{number}/").content.decode()
    assert "MOTD\t&lt;img src=x&gt;␛[2J�gnp" in page
    assert "FEEDBACK_SERVER_UID\t\n" in page
    assert bytes(Quarantined.objects.get().server_key).hex() not in page
    Quarantined.objects.update(body=b"not packed \x00")
    assert "not packed ␀" in staff.get(f"{LIST}{number}/").content.decode()
    Quarantined.objects.update(body=pack(b"x" * 60_000))
    page = staff.get(f"{LIST}{number}/").content.decode()
    assert "The first 50,000 letters" in page
    assert "x" * 50_001 not in page
    assert staff.get(f"{LIST}{number + 1}/").status_code == 404


def test_what_cannot_be_seen_is_drawn() -> None:
    assert visible("a\tb\n\x7f\u200b\ue000ü€") == "a\tb\n␡��ü€"


def test_one_report_is_read_again_after_a_fix_and_counted_once(staff: Client) -> None:
    arrive(row("a", {}), row("b", {}))
    first, second = Quarantined.objects.order_by("number")
    mend()
    answer = staff.post(f"{LIST}{first.number}/read/", follow=True).content.decode()
    assert "1 report is read again" in answer
    assert "press again" not in answer
    assert Incoming.objects.get().number == first.number
    drain_inbox()
    week = ServerWeek.objects.get()
    assert (bytes(week.server_key), week.version) == (bytes(first.server_key), "10.11.19")
    assert intake() == {"counted": 1, "unreadable": 1}
    assert Quarantined.objects.get().number == second.number
    entry = AuditEntry.objects.get(verb="feedback.read_again")
    assert entry.detail == {"reports": 1, "numbers": [first.number]}
    assert staff.post(f"{LIST}{first.number}/read/").status_code == 404


def test_all_of_a_reason_are_read_again_a_portion_at_a_time(
    staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quarantine, "AT_ONCE", 2)
    arrive(*[row(f"s{n}", {}) for n in range(4)])
    Quarantined.objects.filter(number=Quarantined.objects.latest("number").number).update(
        reason="other"
    )
    mend()
    reason = Quarantined.objects.earliest("number").reason
    answer = staff.post(f"{LIST}read/", {"reason": reason}, follow=True).content.decode()
    assert "2 reports are read again" in answer
    assert "1 more is left: press again." in answer
    staff.post(f"{LIST}read/", {"reason": reason})
    staff.post(f"{LIST}read/", {"reason": reason})  # nothing is left, and nothing happens
    drain_inbox()
    assert Quarantined.objects.get().reason == "other"
    assert intake() == {"counted": 3, "unreadable": 1}
    assert Report.objects.count() == 3


def test_what_still_cannot_be_read_comes_back(staff: Client) -> None:
    arrive(row("a", {}))
    staff.post(f"{LIST}read/")
    assert not Quarantined.objects.exists()
    drain_inbox()
    assert Quarantined.objects.count() == 1
    assert intake() == {"unreadable": 1}
    Quarantined.objects.update(body=b"not packed")
    staff.post(f"{LIST}read/")
    drain_inbox()
    assert Quarantined.objects.get().reason == "ValueError: not a packed report"


def test_nothing_of_a_report_is_lost_on_the_way(staff: Client) -> None:
    code, word = inbox.new_code(), ask_deletion(at=NOON)
    arrive(row("a"), row("a", {"FEEDBACK_USER_INFO": f"delete:{word}"}, code=code))
    kept = Quarantined.objects.get()
    assert bytes(kept.deletion_digest or b"") == inbox.deletion_digest(code)
    mend()
    staff.post(f"{LIST}{kept.number}/read/")
    drain_inbox()
    assert not ServerWeek.objects.exists()  # the word was obeyed
    assert not Report.objects.exists()


def test_a_report_is_deleted_and_stays_counted(staff: Client) -> None:
    arrive(row("a", {}))
    number = Quarantined.objects.get().number
    page = staff.get(f"{LIST}{number}/").content.decode()
    assert "Delete this report?" in page
    assert staff.get(f"{LIST}{number}/delete/").status_code == 405
    answer = staff.post(f"{LIST}{number}/delete/", follow=True).content.decode()
    assert f"Report {number} is deleted" in answer
    assert not Quarantined.objects.exists()
    assert intake() == {"unreadable": 1}
    assert AuditEntry.objects.get(verb="feedback.quarantined_deleted").detail["number"] == number
    assert DEBIAN["VERSION"] not in str(AuditEntry.objects.latest("pk").detail)
