"""One address fills neither the inbox nor the table of codes by the forms of the site."""

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from feedback.models import Deletion, Incoming
from feedback.views import deletion, report

pytestmark = pytest.mark.django_db
REPORT = b"FEEDBACK_SERVER_UID\tabcdefghijklmnopqrstuvwxyz0=\nVERSION\t11.4.2-MariaDB\nUPTIME\t10\n"


@pytest.fixture(autouse=True)
def _fresh_counters() -> None:
    cache.clear()


def shown(client: Client) -> object:
    return client.post("/statistics/report/", {"report": SimpleUploadedFile("r.txt", REPORT)})


def test_a_preview_is_kept_so_many_times_and_no_more(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was shown once is signed for an hour: without a limit it could be sent without end."""
    monkeypatch.setattr(report, "AN_HOUR", 2)
    signed = shown(client).context["signed"]  # type: ignore[attr-defined]
    kept = [
        client.post("/statistics/report/keep/", {"report": signed}).status_code for _each in "123"
    ]
    assert kept == [200, 200, 429]
    assert Incoming.objects.count() == 2


def test_files_are_read_so_many_times_and_no_more(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "AN_HOUR", 2)
    answers = [shown(client) for _each in "123"]
    assert [answer.status_code for answer in answers] == [200, 200, 429]  # type: ignore[attr-defined]
    assert b"Try again in an hour" in answers[-1].content  # type: ignore[attr-defined]


def test_codes_of_deletion_are_given_so_many_times_and_no_more(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deletion, "AN_HOUR", 2)
    answers = [client.post("/privacy/server/").status_code for _each in "123"]
    assert answers == [200, 200, 429]
    assert Deletion.objects.count() == 2
