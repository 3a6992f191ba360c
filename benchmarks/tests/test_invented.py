"""The two invented runs of the demonstration: labelled, and enough to see what pages can show."""

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from benchmarks import invented, tasks
from benchmarks.actions.upload import Said, upload_run
from benchmarks.models import Run, Trust
from portal.accounts.models import User

pytestmark = pytest.mark.django_db
PLACE = "/benchmarks/connectors/exampledb_connector_c_invented/?case=connectors:do_1"


@pytest.fixture
def runs(charlie: User, dana: User) -> list[Run]:
    cache.clear()
    now = timezone.now()
    kept = [
        upload_run(actor=actor, raw=raw, said=Said(), at=now).run
        for actor, raw in zip((dana, charlie), invented.runs(), strict=True)
    ]
    tasks.compute_due()
    return kept


def test_they_are_the_same_every_time() -> None:
    assert list(invented.runs()) == list(invented.runs())


def test_the_step_and_what_was_lost_again_are_found(client: Client, runs: list[Run]) -> None:
    client.get(PLACE)
    tasks.compute_due()
    text = client.get(PLACE).content.decode()
    assert "faster, 1.2" in text
    assert "slower, 0.9" in text


def test_everywhere_it_is_said_that_nobody_measured_them(client: Client, runs: list[Run]) -> None:
    for run in runs:
        assert all("(invented)" in one.subject for one in run.results.all())
        assert (run.title[:9], run.tags) == ("Invented:", ["invented"])
        assert "Nobody measured this." in client.get(run.get_absolute_url()).content.decode()


def test_two_people_reproduce_each_other_and_their_conditions_differ(
    client: Client, runs: list[Run]
) -> None:
    first, second = runs
    again = first.results.filter(trust=Trust.REPRODUCED, reproduced_by=second).count()
    assert again >= len(invented.LEVELS) - 1
    page = client.get(f"/benchmarks/machines/{first.machine}/").content.decode()
    assert "powersave" in page
    assert "performance" in page
    assert "6.12.4" in page
