"""The managers' pages of advisories, as a release manager uses them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from releases.models import Advisory, Release
from releases.tests import advisories, factory

MANAGE = "/releases/manage/advisories/"


def _filled(**changes: str) -> dict[str, str]:
    series = Release.objects.get(version="12.3.1").series_id
    return {
        "summary": "A crafted name can stop the server.",
        "details": "Revoke `CREATE`.",
        "vector": "CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:H",
        "cve_ids": "CVE-2026-12345\n\nCVE-2026-12346",
        "references": "https://issues.example.org/1",
        "credits": "Grace Okafor",
        f"affected_{series}": "on",
        f"introduced_{series}": "12.3.1",
        f"fixed_{series}": str(Release.objects.get(version="12.3.10").pk),
        **changes,
    }


@pytest.mark.django_db
def test_from_the_form_to_the_public_page_and_back(
    dana: User, client: Client, client_for: Callable[[User], Client]
) -> None:
    advisories.releases(actor=dana, at=timezone.now())
    manager = client_for(dana)
    new = f"{MANAGE}new/exampledb/"
    assert "12.3 is affected" in manager.get(new).content.decode()
    wrong = manager.post(new, _filled(vector="high"))
    assert "The CVSS vector is not valid" in wrong.content.decode()
    assert "CVE-2026-12346" in wrong.content.decode()  # nothing that was typed is lost
    nothing = {name: text for name, text in _filled().items() if "affected" not in name}
    assert "Tick at least one" in manager.post(new, nothing).content.decode()
    bad_link = manager.post(new, _filled(references="javascript:alert(1)"))
    assert bad_link.status_code == 200
    assert not Advisory.objects.exists()
    assert manager.post(new, _filled()).status_code == 302
    advisory = Advisory.objects.get()
    assert advisory.cve_ids == ["CVE-2026-12345", "CVE-2026-12346"]
    assert str(advisory) in manager.get(MANAGE).content.decode()

    publish = f"{advisory.manage_url}publish/"
    for data in ({"confirm": "yes"}, {"confirm": str(advisory), "public_from": "soon"}):
        manager.post(publish, data)
        assert client.get(advisory.get_absolute_url()).status_code == 404
    manager.post(publish, {"confirm": str(advisory)})
    assert client.get(advisory.get_absolute_url()).status_code == 200
    for query in ("product=exampledb", "severity=medium", "q=12346", "q=crafted"):
        assert str(advisory) in client.get(f"/advisories/?{query}").content.decode()
    for query in ("severity=low", "product=nothing", "q=nothing"):
        page = client.get(f"/advisories/?{query}").content.decode()
        assert "Nothing fits" in page

    edit = f"{advisory.manage_url}edit/"
    assert "What changed" in manager.get(edit).content.decode()
    assert "Say what changed" in manager.post(edit, _filled()).content.decode()
    manager.post(edit, _filled(summary="It reads memory.", reason="Worse than thought."))
    assert "Worse than thought." in client.get(advisory.get_absolute_url()).content.decode()
    withdraw = f"{advisory.manage_url}withdraw/"
    assert "Say why" in manager.post(withdraw, follow=True).content.decode()
    manager.post(withdraw, {"reason": "A mistake."})
    assert "A mistake." in client.get(advisory.get_absolute_url()).content.decode()


@pytest.mark.django_db
def test_an_embargo_is_set_and_members_are_told_from_the_page(
    dana: User, alice: User, client_for: Callable[[User], Client]
) -> None:
    advisories.entitle()
    advisory = advisories.draft(actor=dana, at=timezone.now())
    manager = client_for(dana)
    notify = f"{advisory.manage_url}notify/"
    assert "Set the end of the embargo first" in manager.post(notify, follow=True).content.decode()
    day = (timezone.now() + dt.timedelta(days=7)).strftime("%Y-%m-%dT%H:%M")
    data = {"confirm": str(advisory), "public_from": day}
    page = manager.post(f"{advisory.manage_url}publish/", data, follow=True).content.decode()
    assert "is under embargo" in page
    assert f"{alice}, Acme" in page
    assert day in page  # the date is there to be changed, not to be lost
    assert "1 person is told." in manager.post(notify, follow=True).content.decode()
    assert "Everyone who is entitled was told." in manager.get(advisory.manage_url).content.decode()


@pytest.mark.django_db
def test_a_fix_that_is_still_a_draft_is_named_before_publishing(
    dana: User, client_for: Callable[[User], Client]
) -> None:
    advisories.releases(actor=dana, at=timezone.now())
    fix = factory.make_draft("12.3.11")
    manager = client_for(dana)
    manager.post(f"{MANAGE}new/exampledb/", _filled(**{f"fixed_{fix.series_id}": str(fix.pk)}))
    page = Advisory.objects.get().manage_url
    assert f'href="{fix.manage_url}"' in manager.get(page).content.decode()
    Release.objects.filter(pk=fix.pk).update(published_at=timezone.now())
    assert "It waits for a release" not in manager.get(page).content.decode()
