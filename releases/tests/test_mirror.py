"""A mirror from its proposal to its end, as operator, manager and visitor see it."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.models import AuditEntry, OutboxMail
from releases.actions.mirror import change_state, edit_mirror, forget_unconfirmed, propose_mirror
from releases.errors import RefusedError
from releases.models import Mirror, Release
from releases.tests import factory
from tests.cast import sign_in

pytestmark = pytest.mark.django_db
NOW = timezone.now()
FORM = {
    "name": "North",
    "operator": "University of Somewhere",
    "contact_email": "noc@north.example",
    "country": "DE",
    "base_url": "https://mirror.north.example/exampledb",
    "rsync_url": "",
    "weight": "100",
    "parts": ["repo", "yum"],
}


@pytest.fixture(autouse=True)
def _nobody_came_before() -> None:
    cache.clear()


def propose(**changed: Any) -> Any:
    return Client().post("/mirrors/propose/", FORM | changed)


def link() -> str:
    found = re.search(r"/mirrors/confirm/\S+", OutboxMail.objects.latest("pk").text)
    assert found is not None
    return found[0]


def test_an_operator_proposes_confirms_and_a_manager_turns_it_on(dana: User) -> None:
    factory.make_series()
    assert propose().url == "/mirrors/propose/sent/"
    mirror = Mirror.objects.get()
    assert (mirror.slug, mirror.state) == ("mirror-north-example", "proposed")
    assert mirror.base_url == "https://mirror.north.example/exampledb/"
    manager = sign_in(dana)
    state = f"/releases/manage/mirrors/{mirror.slug}/state/"
    refused = manager.post(state, {"to": "active"}, follow=True)
    assert "has not followed the link" in refused.content.decode()
    assert Client().get(link()).status_code == 200
    mirror.refresh_from_db()
    assert mirror.confirmed_at is None, "programs that look into letters follow links"
    assert "is confirmed" in Client().post(link()).content.decode()
    assert (
        "North is active now."
        in manager.post(state, {"to": "active"}, follow=True).content.decode()
    )
    mirror.refresh_from_db()
    assert (mirror.state, mirror.health) == ("active", "unknown")
    assert list(Mirror.objects.due(timezone.now())) == [mirror]
    assert not Mirror.objects.offered(timezone.now()).exists()
    verbs = AuditEntry.objects.filter(verb__startswith="mirror").order_by("pk")
    assert list(verbs.values_list("verb", "actor")) == [
        ("mirror.propose", None),
        ("mirror.confirm", None),
        ("mirror.active", dana.pk),
    ]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"base_url": "http://mirror.north.example/"}, "An address such as https://"),
        ({"base_url": "https://user:secret@north.example/"}, "An address such as https://"),
        ({"base_url": "https://north.example/?to=evil"}, "An address such as https://"),
        ({"base_url": "https://north.example/a/../b/"}, ""),
        ({"base_url": "javascript:alert(1)"}, "valid URL"),
        ({"base_url": ""}, "is still empty"),
        ({"weight": "0"}, "greater than or equal to 1"),
        ({"parts": []}, "is still open"),
        ({"country": "XX"}, "valid choice"),
    ],
)
def test_a_proposal_that_cannot_be_is_explained_and_loses_nothing(
    changed: dict[str, Any], words: str
) -> None:
    answer = propose(**changed)
    if words:
        assert answer.status_code == 200
        assert words in answer.content.decode()
        assert "University of Somewhere" in answer.content.decode()
        assert not OutboxMail.objects.exists()


def test_the_same_address_is_proposed_once() -> None:
    propose()
    again = propose(base_url="HTTPS://Mirror.North.example/exampledb/")
    assert "already exists" in again.content.decode()
    assert propose(base_url="https://mirror.north.example/other/").status_code == 302
    assert set(Mirror.objects.values_list("slug", flat=True)) == {
        "mirror-north-example",
        "mirror-north-example-2",
    }


def test_proposals_are_throttled() -> None:
    for number in range(5):
        contact = f"noc@m{number}.example"
        answer = propose(base_url=f"https://m{number}.example/", contact_email=contact)
        assert answer.status_code == 302
    assert "Too many proposals" in propose().content.decode()
    assert Mirror.objects.count() == 5


def test_a_contact_gets_two_letters_until_one_is_answered() -> None:
    for number in range(2):
        assert propose(base_url=f"https://m{number}.example/").status_code == 302
    third = {"base_url": "https://m3.example/", "contact_email": "NOC@north.example"}
    refused = propose(**third)
    assert "Follow the links in our letters" in refused.content.decode()
    assert "University of Somewhere" in refused.content.decode(), "nothing that was typed is lost"
    assert OutboxMail.objects.count() == 2
    assert Client().post(link()).status_code == 200
    assert propose(**third).status_code == 302


def test_a_letter_says_nothing_that_a_proposer_wrote_but_the_address() -> None:
    propose(name="Your account is locked", operator="Call 555-0100")
    letter = OutboxMail.objects.get()
    assert letter.subject == "Confirm your mirror"
    assert "locked" not in letter.text
    assert "555" not in letter.text


def test_a_link_is_good_for_a_week_and_for_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    propose()
    assert Client().post("/mirrors/confirm/other/").status_code == 404
    assert Client().post(link()).status_code == 200
    assert Client().post(link()).status_code == 200, "twice does no harm"
    monkeypatch.setattr("releases.actions.mirror.CONFIRMED_WITHIN", dt.timedelta(seconds=-1))
    assert Client().post(link()).status_code == 404


def test_an_unconfirmed_proposal_is_forgotten() -> None:
    propose()
    factory.make_mirror()
    assert forget_unconfirmed(at=timezone.now()) == 0
    assert forget_unconfirmed(at=timezone.now() + dt.timedelta(days=8)) == 1
    assert Mirror.objects.get().slug == "north"


def test_the_database_knows_no_mirror_without_https() -> None:
    for url in ("http://north.example/", "https://north.example", "https://a@b/", "//b/"):
        with pytest.raises(IntegrityError), transaction.atomic():
            factory.make_mirror(base_url=url)
    with pytest.raises(IntegrityError), transaction.atomic():
        factory.make_mirror(active_since=None)


def test_states_follow_each_other(dana: User) -> None:
    mirror = factory.synced(factory.make_mirror())
    paused = change_state(actor=dana, mirror=mirror, to="paused", at=NOW)
    assert not Mirror.objects.offered(timezone.now()).exists()
    resumed = change_state(actor=dana, mirror=paused, to="active", at=NOW)
    assert (resumed.health, resumed.next_probe_at) == ("unknown", NOW)
    assert not mirror.sightings.exists(), "what was seen before does not count"
    retired = change_state(actor=dana, mirror=mirror, to="retired", at=NOW)
    for wrong in ("paused", "proposed", "", "gone"):
        with pytest.raises(RefusedError):
            change_state(actor=dana, mirror=retired, to=wrong, at=NOW)


def test_a_manager_adds_and_edits(dana: User, release: Release) -> None:
    manager = sign_in(dana)
    page = manager.post("/releases/manage/mirrors/new/", FORM)
    assert page["Location"] == "/releases/manage/mirrors/mirror-north-example/"
    mirror = factory.synced(Mirror.objects.get())
    assert mirror.confirmed_at is not None
    assert not OutboxMail.objects.exists()
    product = release.series.product
    record = FORM | {"weight": "500", "parts": ["repo", "yum"]}
    assert "Saved." in manager.post(page["Location"], record, follow=True).content.decode()
    mirror.refresh_from_db()
    assert (mirror.weight, mirror.health) == (500, "healthy"), "nothing that was probed changed"
    manager.post(page["Location"], record | {"products": [str(product.pk)]})
    mirror.refresh_from_db()
    assert mirror.health == "unknown"
    entry = AuditEntry.objects.filter(verb="mirror.edit").latest("pk")
    assert entry.detail == {"changed": ["products"]}
    factory.make_mirror()
    taken = manager.post(page["Location"], FORM | {"base_url": "https://north.example/exampledb/"})
    assert "already exists" in taken.content.decode()
    twice = manager.post("/releases/manage/mirrors/new/", FORM)
    assert "already exists" in twice.content.decode()
    http = manager.post("/releases/manage/mirrors/new/", FORM | {"base_url": "http://x.example/"})
    assert "An address such as https://" in http.content.decode()


def test_what_the_form_does_not_see_the_action_refuses(dana: User) -> None:
    values = FORM | {"base_url": "http://north.example/", "weight": 1}
    with pytest.raises(RefusedError, match="https"):
        propose_mirror(actor=dana, values=dict(values), at=NOW)
    with pytest.raises(RefusedError, match="https"):
        edit_mirror(actor=dana, mirror=factory.make_mirror(), values=dict(values), at=NOW)


def test_a_manager_of_some_products_decides_nothing_about_mirrors(dana: User) -> None:
    factory.make_series()
    factory.make_mirror()
    assert sign_in(dana).get("/releases/manage/mirrors/").status_code == 200
    factory.make_series(slug="other")
    for path in ("", "new/", "north/"):
        assert sign_in(dana).get(f"/releases/manage/mirrors/{path}").status_code == 403


def test_managers_see_every_state(dana: User) -> None:
    factory.make_series()
    empty = sign_in(dana).get("/releases/manage/mirrors/").content.decode()
    assert "No mirror is in use" in empty
    for state in ("proposed", "active", "retired"):
        factory.make_mirror(state, state=state)
    page = sign_in(dana).get("/releases/manage/mirrors/").content.decode()
    assert all(name in page for name in ("Proposed", "Active", "Retired"))


def test_the_public_sees_mirrors_and_never_their_contacts(release: Release) -> None:
    assert "No mirror yet" in Client().get("/mirrors/").content.decode()
    factory.synced(factory.make_mirror())
    since = NOW - dt.timedelta(hours=9)
    lag: dict[str, Any] = {"health": "lagging", "behind": 2, "behind_since": since}
    late = factory.make_mirror("late", country="JP", health_since=NOW, probed_at=NOW, **lag)
    late.probes.create(at=NOW - dt.timedelta(hours=3), health="lagging")
    late.probes.create(at=NOW - dt.timedelta(hours=3), health="broken", reason="no connection")
    late.probes.create(at=NOW - dt.timedelta(hours=9), health="unknown")
    late.probes.create(at=NOW - dt.timedelta(days=5), health="broken")
    factory.make_mirror("quiet", state="paused")
    factory.make_mirror("secret", state="proposed")
    page = Client().get("/mirrors/").content.decode()
    assert "1 healthy mirror" in page
    assert "2 publications" in page
    assert "9\xa0hours" in page
    assert page.count('class="o1"') == 2, "one broken hour, drawn wide and small"
    answer = Client().get("/mirrors/status.json")
    assert answer["Access-Control-Allow-Origin"] == "*"
    names = [found["mirror"] for found in answer.json()["mirrors"]]
    assert names == ["late", "north", "quiet"]
    for text in (page, answer.content.decode()):
        assert "secret" not in text
        assert "mirror@" not in text


def test_the_pages_for_operators_are_there() -> None:
    page = Client().get("/mirrors/run/").content.decode()
    assert "portal_mirror.py --url http" in page
    client = Client().get("/mirrors/portal_mirror.py")
    assert client.content.startswith(b"#!/usr/bin/env python3")
    assert "healthy" not in Client().get("/mirrors/propose/sent/").content.decode()
