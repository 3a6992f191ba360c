"""Staff write rules, read in words what they mean, and keep them."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from governance.models import Body, Motion, RuleSet
from governance.tests.conftest import make_rules
from governance.tests.test_admin import rules_form
from portal.accounts.models import User
from portal.lib.models import AuditEntry
from tests.cast import sign_in

pytestmark = pytest.mark.django_db
NEXT = "/governance/rules/board/ordinary/1/next/"
NEW = "/governance/rules/new/"


@pytest.fixture
def staff(frank: User) -> Client:
    return sign_in(frank)


def sent(**changed: object) -> dict[str, object]:
    today = timezone.localdate().isoformat()
    return rules_form(RuleSet.objects.get(version=1), since=today, **changed)


def test_what_was_chosen_is_read_in_words_before_it_is_kept(staff: Client, board: Body) -> None:
    answer = staff.post(NEXT, sent(threshold="two_thirds", preview="yes"))
    page = answer.content.decode()
    assert "Two thirds of those who take part must say yes." in page
    assert "<ins>two thirds of the base</ins>" in page
    assert "Keep this version" in page
    assert RuleSet.objects.count() == 1


def test_a_version_is_kept_with_its_reason(staff: Client, board: Body) -> None:
    changed = sent(threshold="two_thirds", note="Resolution 2026-11.", keep="yes")
    answer = staff.post(NEXT, changed)
    assert answer["Location"] == "/governance/rules/board/ordinary/2/"
    kept = RuleSet.objects.get(version=2)
    assert (kept.threshold, kept.note) == ("two_thirds", "Resolution 2026-11.")
    assert RuleSet.objects.get(version=1).threshold == "strict"
    assert AuditEntry.objects.filter(verb="rule_set.written").exists()


def test_rules_are_not_changed_backwards(staff: Client, board: Body) -> None:
    yesterday = timezone.localdate() - timedelta(days=1)
    answer = staff.post(NEXT, sent(keep="yes") | {"since": yesterday.isoformat(), "note": "Mine."})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Rules are not changed backwards" in page
    assert "Mine." in page


def test_what_is_wrong_is_told_and_nothing_typed_is_lost(staff: Client, board: Body) -> None:
    answer = staff.post(NEXT, sent(threshold="ratio", ratio=1, name="Third thoughts", keep="yes"))
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "1 : 1 would carry a tie" in page
    assert "Third thoughts" in page
    without = staff.post(NEXT, sent(quorum_clause="", keep="yes"))
    assert "Clause of the quorum" in without.content.decode()
    assert RuleSet.objects.count() == 1


def test_the_first_rules_begin_with_a_ready_set(staff: Client, board: Body) -> None:
    page = staff.get(NEW, {"start": "debian:general"}).content.decode()
    assert 'value="debian:general" selected' in page
    where = {"body": "board", "subject": "general", "start": "debian:general"}
    form = staff.get(NEW, where).content.decode()
    assert "Constitution 4.2, A.5.2" in form
    path = f"{NEW}?body=board&subject=general&start=debian:general"
    kept = staff.post(path, sent(name="General", threshold="simple", keep="yes"))
    assert kept["Location"] == "/governance/rules/board/general/1/"


def test_the_first_rules_begin_with_usual_values(staff: Client, board: Body) -> None:
    form = staff.get(NEW, {"body": "board", "subject": "budget"})
    assert form.status_code == 200
    assert "Write the first version" in form.content.decode()
    assert staff.get(NEW, {"body": "board", "subject": ""}).status_code == 422


def test_who_asks_for_rules_that_are_there_writes_their_next_version(
    staff: Client, board: Body
) -> None:
    answer = staff.get(NEW, {"body": "board", "subject": "ordinary"})
    assert answer["Location"] == NEXT


def test_an_unused_version_is_corrected(staff: Client, board: Body) -> None:
    path = "/governance/rules/board/ordinary/1/correct/"
    assert "Correct version 1" in staff.get(path).content.decode()
    answer = staff.post(path, sent(threshold="simple", keep="yes"))
    assert answer["Location"] == "/governance/rules/board/ordinary/1/"
    assert RuleSet.objects.get().threshold == "simple"


def test_a_used_version_is_not_corrected(staff: Client, board: Body, motion: Motion) -> None:
    path = "/governance/rules/board/ordinary/1/correct/"
    answer = staff.get(path, follow=True)
    assert "Votes used this version. Write the next one instead." in answer.content.decode()


def test_a_vote_that_opens_while_somebody_corrects_keeps_its_rules(
    staff: Client, board: Body, motion: Motion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page looked before the vote was opened; the action looks again."""
    monkeypatch.setattr(RuleSet, "is_pinned", property(looks_free()))
    path = "/governance/rules/board/ordinary/1/correct/"
    answer = staff.post(path, sent(threshold="simple", keep="yes"))
    assert "Write a new version instead" in answer.content.decode()
    assert RuleSet.objects.get().threshold == "strict"


def looks_free() -> Callable[[RuleSet], bool]:
    """False the first time, as before the vote was opened, then the truth."""
    answers = iter([False])
    return lambda self: next(answers, True)


def test_the_list_leads_staff_to_the_editor(staff: Client, board: Body) -> None:
    assert NEW in staff.get("/governance/rules/").content.decode()
    assert NEXT in staff.get("/governance/rules/board/ordinary/1/").content.decode()
    make_rules(board)
    assert (
        "start=debian:general" in staff.get("/governance/rules/ready-sets/debian/").content.decode()
    )
