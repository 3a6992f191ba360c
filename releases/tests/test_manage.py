"""The release manager's pages, as a person uses them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.accounts.roles import Role, Scope
from portal.lib.models import AuditEntry
from releases import tasks
from releases.actions.checklist import tick_item
from releases.looked_at import as_field
from releases.models import Product, Release, Series
from releases.tests import factory
from tests.cast import make_person, sign_in

PAGE = "/releases/manage/exampledb/12.3.0/"
PRODUCTS = "/releases/manage/products/"


@pytest.fixture
def browser(dana: User, monkeypatch: pytest.MonkeyPatch) -> Client:
    """dana's, with a worker that is asked and does nothing."""
    for task in (tasks.publish, tasks.sign):
        monkeypatch.setattr(task, "delay", lambda pk: None)
    return sign_in(dana)


def text(browser: Client, path: str = PAGE) -> str:
    answer = browser.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_moment_is_chosen_seen_and_cancelled(draft: Release, browser: Client) -> None:
    moment = timezone.now() + dt.timedelta(days=2)
    form = {"moment": moment.strftime("%Y-%m-%dT%H:%M"), "shown": as_field(draft)}
    answer = browser.post(f"{PAGE}schedule/", form, follow=True)
    assert b"will be published on" in answer.content
    assert "Dana publishes it on" in text(browser)
    assert "scheduled" in text(browser, "/releases/manage/")
    draft.checklist.filter(step="notes").update(is_required=True, ticked_at=None, ticked_by=None)
    assert "As things stand, it will not go out" in text(browser)
    answer = browser.post(f"{PAGE}unschedule/", follow=True)
    assert b"stays a draft" in answer.content
    Release.objects.update(schedule_failure="The tests failed.")
    assert "It was not published in time" in text(browser)
    assert "not published in time" in text(browser, "/releases/manage/")


@pytest.mark.parametrize(
    ("moment", "words"),
    [("2020-01-01T10:00", "in the future"), ("soon", "valid date"), ("", "is still")],
)
def test_a_wrong_moment_is_refused_beside_its_field(
    draft: Release, browser: Client, moment: str, words: str
) -> None:
    answer = browser.post(f"{PAGE}schedule/", {"moment": moment, "shown": as_field(draft)})
    assert answer.status_code == 400
    assert words in answer.content.decode()


def test_the_page_leads_to_what_is_to_be_done(draft: Release, browser: Client) -> None:
    page = text(browser)
    assert "Checklist, 4 of 4 done" in page
    assert 'href="#publish"' in page
    assert "Debian 12" in page
    assert "configure a repository" not in page


def test_what_is_published_can_be_tried(release: Release, browser: Client) -> None:
    tried = text(browser, "/repositories/?product=exampledb&series=12.3")
    assert 'href="/repositories/?product=exampledb&amp;series=12.3"' in text(browser)
    assert "ExampleDB 12.3 on" in tried


def test_withdrawing_by_the_page_warns_every_reader(release: Release, browser: Client) -> None:
    answer = browser.post(f"{PAGE}withdraw/", {"reason": "", "use_instead": ""})
    assert answer.status_code == 400
    answer = browser.post(f"{PAGE}withdraw/", {"reason": "It <b>loses</b> rows."}, follow=True)
    assert b"12.3.0 is withdrawn" in answer.content
    public = text(Client(), "/releases/exampledb/12.3.0/")
    assert "Withdrawn: do not use this release" in public
    assert "It &lt;b&gt;loses&lt;/b&gt; rows." in public
    assert "Configure a repository" not in public
    answer = browser.post(f"{PAGE}withdraw/", {"reason": "Again."})
    assert b"withdrawn already" in answer.content
    answer = browser.post(f"{PAGE}restore/", follow=True)
    assert b"offered again" in answer.content
    answer = browser.post(f"{PAGE}restore/", follow=True)
    assert b"not withdrawn" in answer.content


def test_the_checklist_is_ticked_added_to_and_stays_readable(
    draft: Release, browser: Client, frank: User
) -> None:
    draft.checklist.update(ticked_at=None, ticked_by=None)
    item = draft.checklist.get(step="notes")
    step = f"{PAGE}checklist/{item.pk}/"
    assert b"Ticked: The notes" in browser.post(step, {"verb": "tick"}, follow=True).content
    assert browser.post(step, {"verb": "burn"}).status_code == 404
    browser.post(f"{PAGE}checklist/", {"text": "Ask the translators.", "is_required": "on"})
    again = browser.post(f"{PAGE}checklist/", {"text": "Ask the translators."})
    assert b"has this already" in again.content
    listed = text(browser, f"{PAGE}checklist.txt")
    assert listed.startswith("Checklist of ExampleDB 12.3.0 (Alpha), ")
    assert "[x] The notes say what is new and what is known to be broken.\n    Dana, " in listed
    assert "[ ] Ask the translators. (required)\n" in listed
    assert "– Ask the translators." in text(browser)
    browser.post(step, {"verb": "untick"})
    own = draft.checklist.get(step="")
    browser.post(f"{PAGE}checklist/{own.pk}/", {"verb": "remove"})
    assert not draft.checklist.exclude(ticked_at=None).exists()
    assert not draft.checklist.filter(step="").exists()
    tick_item(actor=frank, item=item, at=timezone.now())
    Release.objects.update(published_at=timezone.now())
    page = text(browser)
    assert "Closed when the release went out" in page
    assert "Frank, " in page
    assert 'value="untick"' not in page
    assert "Add a step" not in page


def test_the_words_of_a_draft_are_edited_and_previewed(draft: Release, browser: Client) -> None:
    assert "The first build." in text(browser, f"{PAGE}edit/")
    form = {"maturity": "beta", "summary": "Second thoughts.", "notes": "# Big", "commit": "xyz"}
    assert b"valid value" in browser.post(f"{PAGE}edit/", form).content
    form["commit"] = "abcdef012345"
    assert b"Saved." in browser.post(f"{PAGE}edit/", form, follow=True).content
    assert b"Nothing was changed." in browser.post(f"{PAGE}edit/", form, follow=True).content
    page = text(browser, f"{PAGE}preview/")
    assert "Preview of a draft" in page
    assert "Second thoughts." in page
    for file in draft.files.all():
        assert file.name in page
        assert f'{draft.get_absolute_url()}{file.name}"' not in page
    assert page.count("gets its checksum when it is signed") == 1
    assert f'href="{PAGE}"' in page
    assert Client().get(f"{PAGE}preview/").status_code == 302
    Release.objects.update(published_at=timezone.now())
    assert browser.get(f"{PAGE}preview/")["Location"] == draft.get_absolute_url()
    answer = browser.post(f"{PAGE}edit/", form | {"maturity": "alpha"})
    assert b"keeps its maturity" in answer.content


def test_an_empty_draft_is_deleted_and_one_with_files_is_not(
    draft: Release, browser: Client
) -> None:
    assert b"has files" in browser.post(f"{PAGE}delete/", follow=True).content
    factory.make_draft("12.3.1")
    page = "/releases/manage/exampledb/12.3.1/"
    assert "Delete this empty draft" in text(browser, page)
    assert b"is deleted" in browser.post(f"{page}delete/", follow=True).content
    assert Release.objects.get() == draft


def test_series_are_made_and_their_end_is_moved_with_a_trace(
    draft: Release, browser: Client
) -> None:
    assert "12.3" in text(browser, PRODUCTS)
    new = f"{PRODUCTS}exampledb/series/"
    assert "New series of ExampleDB" in text(browser, new)
    form = {"name": "13.0", "support": "long", "released_on": "2027-02-01", "eol_on": ""}
    for change, words in [
        ({"name": "12.3"}, "of this name already"),
        ({"name": "next"}, "numbers with dots"),
        ({"eol_on": "2026-01-01"}, "lies after the first release"),
    ]:
        assert words in browser.post(new, form | change).content.decode()
    assert b"13.0 is saved" in browser.post(new, form, follow=True).content
    browser.post(f"{new}13.0/", form | {"eol_on": "2032-02-01", "name": "99"})
    series = Series.objects.get(name="13.0")
    assert series.eol_on == dt.date(2032, 2, 1)
    row = AuditEntry.objects.get(verb="series.edit")
    assert row.detail == {"eol_on": [None, "2032-02-01"]}


def test_a_product_is_edited_by_its_managers_and_made_by_those_of_all(
    draft: Release, browser: Client, client_for: Callable[[User], Client]
) -> None:
    page = f"{PRODUCTS}exampledb/"
    form = {
        "name": "ExampleDB",
        "slug": "exampledb",
        "kind": "server",
        "description": "The database.",
        "license": "GPL-2.0-only",
        "scale": "server",
        "package": "exampledb-server",
        "issues_url": "issues.example.org",
        "announced": "none",
        "position": "3",
    }
    assert "About the product" in text(browser, page)
    assert b"ExampleDB is saved" in browser.post(page, form, follow=True).content
    product = Product.objects.get()
    assert (product.position, product.issues_url) == (3, "https://issues.example.org")
    assert product.announced == Product.Announced.NONE
    assert AuditEntry.objects.get(verb="product.edit").detail["position"] == [100, 3]
    assert browser.get(f"{PRODUCTS}new/").status_code == 403
    chief = client_for(make_person("grace", (Role.RELEASE_MANAGER, Scope.PRODUCT, "")))
    assert "Add a product" in text(chief, PRODUCTS)
    answer = chief.post(f"{PRODUCTS}new/", form | {"slug": "manage", "name": "Other"})
    assert b"taken by a page" in answer.content
    answer = chief.post(f"{PRODUCTS}new/", form | {"slug": "other", "name": "Other"}, follow=True)
    assert b"No series yet" in answer.content


def test_all_releases_are_found_filtered_and_sorted(draft: Release, browser: Client) -> None:
    now = timezone.now()
    hour = dt.timedelta(hours=1)
    out = factory.make_draft("11.8.9", "stable")
    back = factory.make_draft("11.8.8", "stable")
    Release.objects.filter(pk__in=[out.pk, back.pk]).update(published_at=now - hour)
    Release.objects.filter(pk=back.pk).update(yanked_at=now, yank_reason="It loses rows.")
    factory.make_draft("1.0.0", slug="other")

    def rows(**query: str) -> list[str]:
        lines = b"".join(browser.get("/releases/manage/all.csv", query)).decode().splitlines()
        assert lines[0].startswith("product,version,maturity,")
        return [line.split(",")[1] for line in lines[1:]]

    assert set(rows()) == {"12.3.0", "11.8.9", "11.8.8"}
    assert rows(sort="version") == ["12.3.0", "11.8.9", "11.8.8"]
    assert rows(state="draft") == rows(maturity="alpha") == rows(q="12.3") == ["12.3.0"]
    assert rows(state="published") == ["11.8.9"]
    assert rows(state="withdrawn") == ["11.8.8"]
    assert rows(state="scheduled") == rows(product="other") == []
    assert len(rows(state="x", maturity="y", sort="z")) == 3
    page = text(browser, "/releases/manage/all/?state=withdrawn")
    assert "11.8.8" in page
    assert "11.8.9" not in page
    assert "No release fits" in text(browser, "/releases/manage/all/?q=99")


def test_the_page_leads_to_the_dates_that_a_stable_release_needs(
    draft: Release, browser: Client
) -> None:
    Release.objects.update(maturity="stable")
    page = text(browser)
    series = f"{PRODUCTS}exampledb/series/12.3/"
    assert f'href="{series}?for=12.3.0"' in page
    form = {"support": "long", "released_on": "2026-11-01", "eol_on": "2031-11-01"}
    answer = browser.post(f"{series}?for=12.3.0", form, follow=True)
    assert answer.redirect_chain == [(PAGE, 302)]
    assert b"does not say when" not in answer.content
    answer = browser.post(f"{series}?for=//evil.example", form)
    assert answer["Location"] == f"{PRODUCTS}exampledb/"


def test_the_page_says_what_withdrawing_the_only_stable_release_does(
    release: Release, browser: Client
) -> None:
    Release.objects.update(maturity="stable")
    assert "What people will see then" in text(browser)
