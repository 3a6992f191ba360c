"""What a release changes in the advisories of its series is a revision of them, in every form."""

from __future__ import annotations

import csv
import datetime as dt
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from releases.actions.advisory import publish_advisory, withdraw_advisory
from releases.actions.release import publish_release
from releases.actions.yank import restore_release, yank_release
from releases.advisories import csaf
from releases.models import Advisory, Release
from releases.signer.local import LocalSigner
from releases.tests import advisories, factory
from releases.tests.test_updateinfo import announced, read_notices
from tests.shared import shared

FIRST = "First published."
HOUR = dt.timedelta(hours=1)


@shared(keeps="release_files")
def advisory(dana: User, release_files: Path) -> Advisory:
    """Public since yesterday; 12.3.10, which has the fix, is out."""
    return advisories.published(actor=dana, at=timezone.now() - 24 * HOUR)


def second() -> User:
    """Somebody who uploaded nothing."""
    return User.objects.get_or_create(email="second@example.org", name="Second")[0]


def publish(version: str, uploader: User, maturity: str = "stable") -> None:
    release = factory.make_draft(version, maturity)
    factory.add_files(actor=uploader, release=release)
    publish_release(actor=second(), release=release, at=timezone.now())


def yank(release: Release, actor: User) -> None:
    yank_release(actor=actor, release=release, reason="It loses data.", at=timezone.now())


def history(advisory: Advisory) -> list[str]:
    return [found.summary for found in advisory.revisions.all()]


def tracking(advisory: Advisory, client: Client) -> dict[str, object]:
    year, name = advisory.created_at.year, csaf.file_name(advisory.identifier)
    document = client.get(f"/advisories/csaf/{year}/{name}").json()
    found: dict[str, object] = document["document"]["tracking"]
    return found


def test_another_affected_release_is_a_revision_in_every_form(
    advisory: Advisory, dana: User, client: Client
) -> None:
    osv = f"/advisories/osv/{advisory.identifier}.json"
    before, was = client.get(osv).json(), tracking(advisory, client)
    publish("12.3.3", dana)
    after, now = client.get(osv).json(), tracking(advisory, client)
    assert history(advisory) == [FIRST, "Affected too: 12.3.3."]
    assert after["modified"] > before["modified"]
    assert after["affected"][0]["versions"] == ["12.3.1", "12.3.2", "12.3.3"]
    assert (was["version"], now["version"]) == ("1", "2")
    assert now["current_release_date"] == after["modified"]
    assert now["initial_release_date"] == was["initial_release_date"]
    (change,) = csv.reader(client.get("/advisories/csaf/changes.csv").content.decode().split())
    assert change[1] == after["modified"]
    page = client.get(advisory.get_absolute_url()).content.decode()
    assert "Affected too: 12.3.3." in page
    feed = client.get("/advisories/feed.atom").content.decode()
    assert str(after["modified"]).removesuffix("Z") in feed


@pytest.mark.parametrize("version", ["12.3.11", "12.4.0"])
def test_a_release_that_changes_no_word_is_none(
    advisory: Advisory, dana: User, version: str
) -> None:
    """One after the fix, or of another series."""
    publish(version, dana)
    assert history(advisory) == [FIRST]


def test_a_withdrawn_fix_is_told_with_what_to_take_instead(
    advisory: Advisory, dana: User, client: Client
) -> None:
    fixed = Release.objects.with_names().get(version="12.3.10")
    yank(fixed, dana)
    page = client.get(advisory.get_absolute_url()).content.decode()
    assert "withdrawn" in page
    year, name = advisory.created_at.year, csaf.file_name(advisory.identifier)
    document = client.get(f"/advisories/csaf/{year}/{name}").json()
    (remedy,) = document["vulnerabilities"][0]["remediations"]
    assert remedy["category"] == "none_available"
    assert remedy["details"] == "12.3.10 has the fix and was withdrawn: wait for a later release."
    publish("12.3.11", dana, "alpha")  # no replacement of a stable release
    publish("12.3.12", dana)
    page = client.get(advisory.get_absolute_url()).content.decode()
    assert "Install <a" in page
    restore_release(actor=second(), release=fixed, at=timezone.now())
    assert history(advisory) == [
        FIRST,
        "12.3.10, which has the fix, was withdrawn.",
        "The release to install is 12.3.12.",
        "The release to install is 12.3.10.",
    ]


def test_a_fix_that_comes_after_the_embargo_is_a_revision(dana: User) -> None:
    now = timezone.now()
    advisory = advisories.draft(actor=dana, at=now)
    fixed = Release.objects.with_names().get(version="12.3.10")
    Release.objects.filter(pk=fixed.pk).update(published_at=None, maturity="alpha")
    fixed.refresh_from_db()
    publish_advisory(actor=dana, advisory=advisory, at=now, public_from=now + HOUR)
    publish("12.3.3", dana)
    assert history(advisory) == [FIRST], "under embargo it says at first what is true then"
    factory.add_files(actor=dana, release=fixed)
    publish_release(actor=second(), release=fixed, at=now + 2 * HOUR)
    assert history(advisory) == [FIRST, "Fixed in 12.3.10. The release to install is 12.3.10."]
    advisory.refresh_from_db()
    assert advisory.modified_at == now + 2 * HOUR


def test_a_withdrawn_advisory_is_kept_true_as_well(advisory: Advisory, dana: User) -> None:
    withdraw_advisory(actor=dana, advisory=advisory, reason="A mistake.", at=timezone.now())
    publish("12.3.3", dana)
    assert history(advisory)[2:] == ["Affected too: 12.3.3."]
    assert not Advisory.objects.in_force(timezone.now()).exists()


def test_updateinfo_tells_when_the_advisory_changed(
    dana: User, signer: LocalSigner, client: Client
) -> None:
    earlier = timezone.now() - dt.timedelta(minutes=1)  # dates there are whole seconds
    fixed = factory.published(actor=dana, signer=signer, version="12.3.10")
    Release.objects.filter(pk=fixed.pk).update(published_at=earlier)
    advisory = advisories.published(actor=dana, at=earlier)
    announced(advisory, signer)
    (before,) = read_notices(client)
    publish("12.3.3", dana)
    assert list(Advisory.objects.unqueued(timezone.now())) == [advisory], "the sweep finds it"
    announced(advisory, signer)
    (after,) = read_notices(client)
    assert (before.get("version"), after.get("version")) == ("1", "2")
    dates = [[found.find(name) for name in ("issued", "updated")] for found in (before, after)]
    (issued, updated), (still, later) = [
        [d.get("date") for d in row if d is not None] for row in dates
    ]
    assert still == issued
    assert str(later) > str(updated)
