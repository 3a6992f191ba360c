"""The demonstration loads through the actions, and a second time changes nothing."""

import pytest
from django.utils import timezone
from pytest_django import Settings

from portal.accounts import demonstration as people
from portal.accounts.models import User
from portal.lib.models import AuditEntry
from releases import demonstration, tasks
from releases.demonstration_plan import SERIES
from releases.models import File, Publication, Release, Repository
from releases.signer.local import LocalSigner


@pytest.mark.django_db
def test_the_demonstration_is_loaded_once_and_published(
    settings: Settings, signer: LocalSigner, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DEMONSTRATION_PASSWORD = "only for this test"
    # two series of each product are enough here: the others are made the same way
    planned = [one for one in SERIES if one.name in {"12.3", "10.6", "3.3", "4.0"}]
    monkeypatch.setattr(demonstration, "SERIES", planned)
    monkeypatch.setattr(demonstration, "FIRST", ("12.3",))
    monkeypatch.setattr(demonstration, "DRAFT", demonstration.DRAFT)
    at = timezone.now()
    people.load(actor=None, at=at)
    frank = people.person(people.FRANK)
    demonstration.load(actor=frank, at=at)
    first = Release.objects.published(at).count()
    lines = load_more(frank, at)
    assert first == 1
    assert len(lines) == 3
    tasks.sweep()
    assert not Publication.objects.unfinished().exists()
    assert Repository.objects.live().count() == Repository.objects.count() > 5
    assert not File.objects.unsigned(timezone.now()).exists()
    before = counts()
    demonstration.load(actor=frank, at=at)
    load_more(frank, at)
    assert counts() == before


def load_more(frank: User, at: object) -> list[str]:
    found = []
    steps = demonstration.load_more(actor=frank, at=at)  # type: ignore[arg-type]
    for line in steps:
        found.append(line)
        if len(found) == 3:
            break
    return found


def counts() -> list[int]:
    models = (Release, File, Publication, AuditEntry)
    return [model._default_manager.count() for model in models]
