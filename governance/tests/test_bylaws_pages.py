"""Bylaws in the browser: read on any day, compared, downloaded, corrected."""

import hashlib
from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from governance.actions.typo import decide_typo, report_typo
from governance.models import Body, Bylaws, Typo
from governance.tests.bylaws import (
    CHANGED,
    TEXT,
    discuss,
    make_bylaws,
    make_proposal,
    make_version,
)
from governance.tests.conftest import START
from portal.accounts.models import User
from tests.cast import sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db
PAGE = "/governance/bylaws/foundation/"


@shared
def bylaws(board: Body) -> Bylaws:
    return make_bylaws(board)


@shared
def two(bylaws: Bylaws) -> Bylaws:
    """With a version of 2020 and one of 2022."""
    make_version(bylaws)
    make_version(bylaws, CHANGED, date(2022, 1, 1))
    return bylaws


def body_of(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, answer
    return answer.content.decode()


def test_before_there_is_anything_pages_say_what_will_be_here(
    client: Client, bylaws: Bylaws, frank: User
) -> None:
    assert "No version yet" in body_of(client, PAGE)
    assert "Record the first version" in body_of(sign_in(frank), PAGE)
    bylaws.delete()
    assert "No bylaws yet" in body_of(client, "/governance/bylaws/")
    assert client.get(PAGE).status_code == 404


def test_the_text_in_force_with_an_address_for_each_clause(client: Client, two: Bylaws) -> None:
    html = body_of(client, PAGE)
    assert 'id="c4.2"' in html
    assert 'href="#a4"' in html
    assert "one third" in html
    assert "Version 2 is in force" not in html
    assert "one half" in body_of(client, f"{PAGE}?on=2021-06-01")
    assert "Not in force on 1 January 2019" in body_of(client, f"{PAGE}?on=2019-01-01")
    assert "That is not a date" in body_of(client, f"{PAGE}?on=soon")


def test_an_old_version_says_what_is_in_force(client: Client, two: Bylaws) -> None:
    html = body_of(client, f"{PAGE}1/")
    assert "Version 2 is in force today" in html
    assert client.get(f"{PAGE}3/").status_code == 404
    assert PAGE in body_of(client, "/governance/bylaws/")


def test_the_text_as_adopted_has_the_printed_hash(client: Client, two: Bylaws) -> None:
    answer = client.get(f"{PAGE}2.md")
    assert answer.content.decode() == CHANGED
    digest = hashlib.sha256(answer.content).hexdigest()
    assert digest[:4] in body_of(client, PAGE)
    data = client.get("/governance/bylaws/foundation.json").json()
    assert data["versions"][0]["sha256"] == digest
    assert data["versions"][0]["articles"][1]["clauses"][1]["anchor"] == "c4.2"


def test_the_pdf_is_one(client: Client, two: Bylaws, frank: User, charlie: User) -> None:
    version = two.versions.get(number=2)
    typo = report_typo(
        actor=charlie, version=version, clause="c4.2", wrong="come form", right="come from"
    )
    decide_typo(actor=frank, typo=typo, accept=True)
    answer = client.get(f"{PAGE}2.pdf")
    assert answer["Content-Type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF-")
    assert answer.content.rstrip().endswith(b"%%EOF")


def test_what_changed_between_two_versions(client: Client, two: Bylaws) -> None:
    html = body_of(client, f"{PAGE}changes/")
    assert "<del>half</del><ins>third</ins>" in html
    assert "It is called Example" not in html
    assert "It is called Example" in body_of(client, f"{PAGE}changes/?before=1&after=2&all")
    assert "<del>third</del><ins>half</ins>" in body_of(client, f"{PAGE}changes/?before=2&after=1")
    assert "Both say the same." in body_of(client, f"{PAGE}changes/?before=2&after=2")


def test_a_slip_that_was_corrected_since_is_no_change_of_the_version(
    client: Client, two: Bylaws, frank: User, charlie: User
) -> None:
    before = body_of(client, f"{PAGE}changes/")
    for number in (1, 2):
        typo = report_typo(
            actor=charlie,
            version=two.versions.get(number=number),
            clause="c4.2",
            wrong="come form",
            right="come from",
        )
        decide_typo(actor=frank, typo=typo, accept=True)
        assert body_of(client, f"{PAGE}changes/") == before
    assert "Both say the same." in body_of(client, f"{PAGE}changes/?before=2&after=2")


def test_a_slip_that_was_corrected_before_is_no_change_of_the_next_version(
    client: Client, bylaws: Bylaws, frank: User, charlie: User
) -> None:
    old = make_version(bylaws)
    typo = report_typo(
        actor=charlie, version=old, clause="c4.2", wrong="come form", right="come from"
    )
    decide_typo(actor=frank, typo=typo, accept=True)
    make_version(bylaws, CHANGED.replace("come form", "come from"), START.date())
    html = body_of(client, f"{PAGE}changes/")
    assert "1 passage changed" in html
    assert "<del>half</del><ins>third</ins> may come from" in html


def test_nothing_to_compare_is_not_found(client: Client, bylaws: Bylaws) -> None:
    assert client.get(f"{PAGE}changes/").status_code == 404


def test_the_feed_tells_of_proposals_and_versions(
    client: Client, two: Bylaws, directors: list[User]
) -> None:
    text = TEXT.replace("two years", "three years")
    discuss(make_proposal(two, directors[0], text), directors)
    items = client.get("/governance/bylaws/feed.json").json()["items"]
    assert [item["title"] for item in items] == [
        "Proposed: One third at most",
        "Bylaws, version 2",
        "Bylaws, version 1",
    ]
    answer = client.get("/governance/bylaws/feed.atom")
    again = client.get("/governance/bylaws/feed.atom", headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304
    assert client.get("/governance/bylaws/feed.rss").status_code == 404


def test_a_slip_is_reported_and_decided(
    client: Client, two: Bylaws, charlie: User, frank: User
) -> None:
    form = f"{PAGE}2/typos/new/"
    assert client.get(form)["Location"].startswith("/accounts/login/")
    reporter = sign_in(charlie)
    sent = {"clause": "c4.2", "wrong": "come form", "right": "come from"}
    first = reporter.get(form).content.decode()
    assert "Show the clause" in first
    assert 'name="wrong"' not in first
    shown = reporter.get(f"{form}?clause=c4.2").content.decode()
    assert shown.index("come form one company") < shown.index('name="wrong"')
    refused = reporter.post(form, sent | {"wrong": "comes form"})
    assert refused.status_code == 422
    assert "does not read so" in refused.content.decode()
    assert "Thank you" in reporter.post(form, sent, follow=True).content.decode()
    typo = Typo.objects.get()
    decide = f"/governance/bylaws/typos/{typo.pk}/decide/"
    refusal = reporter.post(decide, {"decision": "accept"}, follow=True).content.decode()
    assert "Another officer decides" in refusal
    done = sign_in(frank).post(decide, {"decision": "accept"}, follow=True).content.decode()
    assert "Corrected from now on." in done
    assert "come from one company" in body_of(client, PAGE)


def test_many_versions_and_corrections_are_asked_for_as_often_as_few(
    client: Client, two: Bylaws, frank: User, charlie: User
) -> None:
    few = asked(client)
    newest = make_version(two, day=date(2023, 1, 1))
    for wrong in ("board", "seats"):
        slip = {"clause": "c4.1", "wrong": wrong, "right": f"{wrong}."}
        Typo.objects.create(version=newest, reported_by=charlie, reported_at=START, **slip)
    Typo.objects.filter(wrong="seats").update(decided_by=frank, decided_at=START, is_accepted=False)
    assert asked(client) == few


def asked(client: Client) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(PAGE).status_code == 200
    return len(queries)
