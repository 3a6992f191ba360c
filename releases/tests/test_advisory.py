"""An advisory from the draft to the day it is withdrawn, and who sees what of it when."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.models import AuditEntry
from releases.actions.advisory import (
    Span,
    Statement,
    change_advisory,
    draft_advisory,
    publish_advisory,
    withdraw_advisory,
)
from releases.actions.release import delete_draft
from releases.advisory import concerning, facts_of
from releases.errors import RefusedError
from releases.models import Advisory, AffectedRange, Release, Series
from releases.tests import advisories, factory

NOW = dt.datetime(2026, 11, 20, 12, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)
VECTOR = "CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:H"


@pytest.mark.django_db
def test_versions_in_the_range_are_affected_and_the_fix_is_not(dana: User) -> None:
    advisory = advisories.published(actor=dana, at=NOW)
    found = Advisory.objects.with_ranges().get(pk=advisory.pk)
    (span,) = facts_of([found], at=NOW)[0].ranges
    assert (list(span.affected), span.fixed) == (["12.3.1", "12.3.2"], "12.3.10")
    releases = {found.version: found for found in Release.objects.with_names()}
    assert concerning(releases["12.3.0"], at=NOW) == ([], [])
    assert concerning(releases["12.3.2"], at=NOW) == ([advisory], [])
    assert concerning(releases["12.3.10"], at=NOW) == ([], [advisory])
    assert concerning(releases["12.3.2"], at=NOW - HOUR) == ([], [])
    assert list(AffectedRange.objects.touching(releases["12.3.2"])) == [advisory.ranges.get()]
    factory.make_draft("12.3.11", "stable")
    after = Release.objects.with_names().get(version="12.3.11")
    assert not AffectedRange.objects.touching(after).exists(), "what is long fixed is not read"


@pytest.mark.django_db
def test_identifiers_count_through_the_year_and_the_score_follows_the_vector(dana: User) -> None:
    first, second = (advisories.draft(actor=dana, at=NOW) for _ in range(2))
    later = advisories.draft(actor=dana, at=NOW + dt.timedelta(days=60))
    names = [found.identifier for found in (first, second, later)]
    assert names == ["EXAMPLEDB-2026-0001", "EXAMPLEDB-2026-0002", "EXAMPLEDB-2027-0001"]
    assert (str(first.score), first.severity) == ("6.5", "medium")
    worse = "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N"
    changed = change_advisory(
        actor=dana, advisory=first, statement=advisories.statement(vector=worse), at=NOW
    )
    assert (str(changed.score), changed.severity) == ("9.3", "critical")
    verbs = AuditEntry.objects.filter(verb__startswith="advisory.").values_list("verb", flat=True)
    assert sorted(verbs) == ["advisory.change", *["advisory.draft"] * 3]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"vector": "CVSS:3.1/AV:N"}, "CVSS vector"),
        ({"vector": "high"}, "CVSS vector"),
        ({"cve_ids": ["CVE-26-1"]}, "CVE number"),
        ({"introduced": "yesterday"}, "a version is numbers"),
        ({"introduced": "12.3.11"}, "comes after"),
        ({"foreign": True}, "of one product"),
        ({"elsewhere": True}, "same series"),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_reason(
    dana: User, changes: dict[str, object], word: str
) -> None:
    advisories.releases(actor=dana, at=NOW)
    if changes.pop("foreign", False):
        changes = {"spans": [Span(factory.make_series("1.0", "tool"))]}
    if changes.pop("elsewhere", False):
        other = factory.make_draft("12.4.0")
        series = Release.objects.get(version="12.3.1").series
        changes = {"spans": [Span(series, "", other)]}
    with pytest.raises(RefusedError, match=word):
        advisories.draft(actor=dana, at=NOW, **changes)
    assert not Advisory.objects.exists()


@pytest.mark.django_db
def test_a_fix_is_published_before_the_advisory_that_names_it(dana: User) -> None:
    advisory = advisories.draft(actor=dana, at=NOW)
    Release.objects.filter(version="12.3.10").update(published_at=None)
    with pytest.raises(RefusedError, match=r"Publish ExampleDB 12\.3\.10 first"):
        publish_advisory(actor=dana, advisory=advisory, at=NOW)
    embargoed = publish_advisory(actor=dana, advisory=advisory, at=NOW, public_from=NOW + HOUR)
    found = Advisory.objects.with_ranges().get(pk=embargoed.pk)
    assert facts_of([found], at=NOW + HOUR)[0].ranges[0].fixed == ""  # a draft has no name yet


@pytest.mark.django_db
def test_an_embargo_ends_by_itself_may_be_moved_and_lifted(dana: User) -> None:
    advisory = advisories.draft(actor=dana, at=NOW)
    publish_advisory(actor=dana, advisory=advisory, at=NOW, public_from=NOW + HOUR)
    moved = publish_advisory(actor=dana, advisory=advisory, at=NOW, public_from=NOW + 2 * HOUR)
    assert moved.is_embargoed(NOW + HOUR)
    assert not Advisory.objects.published(NOW + HOUR).exists()
    assert Advisory.objects.in_force(NOW + 2 * HOUR).get() == advisory
    assert [found.number for found in moved.revisions.all()] == [1]
    for wrong in (NOW - HOUR, NOW + dt.timedelta(days=400)):
        with pytest.raises(RefusedError, match="within a year"):
            publish_advisory(actor=dana, advisory=advisory, at=NOW, public_from=wrong)
    lifted = withdraw_advisory(actor=dana, advisory=advisory, reason="Not ready.", at=NOW)
    assert (lifted.published_at, lifted.withdrawn_at) == (None, None)


@pytest.mark.django_db
def test_a_public_advisory_keeps_its_history(dana: User) -> None:
    advisory = advisories.published(actor=dana, at=NOW)
    with pytest.raises(RefusedError, match="public already"):
        publish_advisory(actor=dana, advisory=advisory, at=NOW)
    said = advisories.statement(summary="A user can read the memory of the server.")
    with pytest.raises(RefusedError, match="Say what changed"):
        change_advisory(actor=dana, advisory=advisory, statement=said, at=NOW)
    change_advisory(
        actor=dana, advisory=advisory, statement=said, at=NOW + HOUR, reason="Worse than thought."
    )
    with pytest.raises(RefusedError, match="Say why"):
        withdraw_advisory(actor=dana, advisory=advisory, reason=" ", at=NOW + 2 * HOUR)
    withdraw_advisory(actor=dana, advisory=advisory, reason="A mistake.", at=NOW + 2 * HOUR)
    with pytest.raises(RefusedError, match="withdrawn already"):
        withdraw_advisory(actor=dana, advisory=advisory, reason="Again.", at=NOW + 3 * HOUR)
    advisory.refresh_from_db()
    told = [found.summary for found in advisory.revisions.all()]
    assert told == ["First published.", "Worse than thought.", "Withdrawn: A mistake."]
    assert not Advisory.objects.in_force(NOW + 3 * HOUR).exists()


@pytest.mark.django_db
def test_an_advisory_that_says_nothing_of_a_series_is_not_published(dana: User) -> None:
    advisories.releases(actor=dana, at=NOW)
    advisory = advisories.draft(actor=dana, at=NOW, spans=[])
    with pytest.raises(RefusedError, match="which series"):
        publish_advisory(actor=dana, advisory=advisory, at=NOW)


@pytest.mark.django_db
@pytest.mark.parametrize("fields", [{"withdrawn_at": NOW, "withdrawal": "x"}, {"score": 11}])
def test_the_database_keeps_the_promises(dana: User, fields: dict[str, object]) -> None:
    advisory = advisories.draft(actor=dana, at=NOW)
    with pytest.raises(IntegrityError), transaction.atomic():
        Advisory.objects.filter(pk=advisory.pk).update(**fields)


@pytest.mark.django_db
def test_what_is_not_public_is_404_everywhere(
    dana: User, client: Client, client_for: Callable[[User], Client]
) -> None:
    now = timezone.now()
    advisory = advisories.draft(actor=dana, at=now)
    for state in ("draft", "embargoed"):
        answers = {path: client.get(path).status_code for path in advisories.paths(advisory)}
        assert answers == dict.fromkeys(answers, 404), state
        for path in advisories.LISTS:
            answer = client.get(path)
            assert answer.status_code == 200
            assert b"2026-0001" not in answer.content, (state, path)
            assert b"stop the server" not in answer.content, (state, path)
        assert client_for(dana).get(advisory.manage_url).status_code == 200
        publish_advisory(actor=dana, advisory=advisory, at=now, public_from=now + HOUR)
    Advisory.objects.update(published_at=now, modified_at=now)
    answers = {path: client.get(path).status_code for path in advisories.paths(advisory)}
    assert answers == dict.fromkeys(answers, 200)
    assert all(
        advisory.identifier.lower() in client.get(path).content.decode().lower()
        for path in advisories.LISTS
        if path.endswith((".json", ".atom", ".txt", ".csv")) and "provider" not in path
    )


def test_the_page_of_a_release_says_what_it_has_and_what_it_fixes(
    dana: User, client: Client
) -> None:
    advisory = advisories.published(actor=dana, at=timezone.now())
    affected = client.get("/releases/exampledb/12.3.2/").content.decode()
    assert "This release has faults" in affected
    assert advisory.summary in affected
    fixing = client.get("/releases/exampledb/12.3.10/").content.decode()
    assert "It fixes:" in fixing
    assert "This release has faults" not in fixing
    assert advisory.summary not in client.get("/releases/exampledb/12.3.0/").content.decode()


@pytest.mark.django_db
def test_products_whose_addresses_begin_alike_count_for_themselves(dana: User) -> None:
    numbers = []
    for slug in ("server-2026", "server", "server"):
        series = Series.objects.filter(product__slug=slug).first() or factory.make_series(
            "1.0", slug
        )
        statement = Statement("A fault.", "Mended.", VECTOR, [Span(series)])
        numbers.append(
            draft_advisory(
                actor=dana, product=series.product, statement=statement, at=NOW
            ).identifier
        )
    assert numbers == ["SERVER-2026-2026-0001", "SERVER-2026-0001", "SERVER-2026-0002"]


@pytest.mark.django_db
def test_a_draft_that_an_advisory_names_as_the_fix_is_not_deleted(dana: User) -> None:
    release = factory.make_draft("12.3.1")
    statement = Statement("A fault.", "Mended.", VECTOR, [Span(release.series, "", release)])
    draft_advisory(actor=dana, product=release.series.product, statement=statement, at=NOW)
    with pytest.raises(RefusedError, match="Another page names this draft"):
        delete_draft(actor=dana, release=release, at=NOW)
    assert Release.objects.filter(pk=release.pk).exists()
