"""Staff name bylaws and record what was adopted before, on the staff pages."""

import pytest

from governance.models import Body, Bylaws, Version
from governance.tests.bylaws import CHANGED, TEXT, make_bylaws, make_version
from portal.accounts.models import User
from tests.cast import sign_in

pytestmark = pytest.mark.django_db
NEW = "/staff/governance/version/add/"


def test_bylaws_are_named(board: Body, frank: User) -> None:
    sent = {
        "slug": "charter",
        "name": "Charter",
        "cited_as": "Charter",
        "body": board.pk,
        "subject": "ordinary",
        "position": 1,
    }
    staff = sign_in(frank)
    assert staff.post("/staff/governance/bylaws/add/", sent).status_code == 302
    named = Bylaws.objects.get()
    changed = sent | {"name": "The charter"}
    staff.post(f"/staff/governance/bylaws/{named.pk}/change/", changed)
    named.refresh_from_db()
    assert str(named) == "The charter"


def test_versions_are_recorded_the_oldest_first(board: Body, frank: User) -> None:
    bylaws = make_bylaws(board)
    staff = sign_in(frank)
    sent = {
        "bylaws": bylaws.pk,
        "text": TEXT,
        "adopted_on": "2020-01-01",
        "effective_on": "2020-02-01",
        "note": "Founded.",
    }
    assert staff.post(NEW, sent).status_code == 302
    version = Version.objects.get()
    assert (version.number, version.note) == (1, "Founded.")
    early = staff.post(NEW, sent | {"effective_on": "2019-01-01"})
    assert "after it was adopted" in early.content.decode()
    spoilt = staff.post(NEW, sent | {"text": "Words."})
    assert "There is no article" in spoilt.content.decode()
    assert Version.objects.count() == 1


def test_a_version_is_looked_at_and_never_changed(board: Body, frank: User) -> None:
    version = make_version(make_bylaws(board))
    page = f"/staff/governance/version/{version.pk}/change/"
    staff = sign_in(frank)
    assert "It is called Example." in staff.get(page).content.decode()
    assert staff.post(page, {"text": CHANGED}).status_code == 403
