"""A server that asks for it itself is forgotten, late reports of it too."""

import datetime as dt
import re

import pytest
from django.test import Client

from feedback import inbox
from feedback.actions.deletion import ASKED_FOR, BURIED_FOR, ask_deletion
from feedback.actions.retention import forget_old
from feedback.models import (
    Count,
    Deletion,
    Incoming,
    Intake,
    Period,
    Quarantined,
    Report,
    ServerWeek,
    Tombstone,
)
from feedback.tests.fleets import DEBIAN, NOON, arrive, fleet, row
from portal.lib.models import AuditEntry

pytestmark = pytest.mark.django_db


def saying(code: str, *, at: dt.datetime = NOON) -> inbox.Row:
    return row("mine", {**DEBIAN, "FEEDBACK_USER_INFO": f"delete:{code}"}, at=at)


def test_all_that_is_kept_of_the_server_goes_and_of_no_other() -> None:
    earlier = NOON - dt.timedelta(days=20)
    arrive(row("mine", at=earlier), row("mine", {}, at=earlier), *fleet(11, at=earlier))
    arrive(saying(ask_deletion(at=NOON)))
    assert ServerWeek.objects.count() == Report.objects.count() == 11
    assert not Quarantined.objects.exists()
    assert not Incoming.objects.exists()
    assert Deletion.objects.get().rows == 5
    assert AuditEntry.objects.get(verb="feedback.server_deleted").subject_id
    counted = Count.objects.filter(chart="servers", period__unit=Period.Unit.MONTH)
    assert sum(counted.values_list("servers", flat=True)) == 11


def test_the_page_gives_a_code_once_and_tells_when_it_was_obeyed(client: Client) -> None:
    assert "feedback_user_info" not in client.get("/privacy/server/").content.decode()
    page = client.post("/privacy/server/").content.decode()
    code = re.search(r"delete:([A-Z2-7-]+)", page)
    assert code
    status = f"/privacy/server/{code[1]}/"
    assert status in page
    assert "No server has sent this code yet" in client.get(status).content.decode()
    arrive(saying(code[1]))
    assert "2 rows were deleted" in client.get(status).content.decode()
    assert client.get("/privacy/server/AAAAAA/").status_code == 404


def test_what_comes_late_from_a_deleted_server_is_not_taken_again() -> None:
    arrive(saying(ask_deletion(at=NOON)))
    arrive(row("mine", at=NOON + dt.timedelta(hours=1)))
    assert not ServerWeek.objects.exists()
    assert Intake.objects.get(outcome="buried").reports == 1
    arrive(row("mine", at=NOON + BURIED_FOR + dt.timedelta(hours=1)))
    assert ServerWeek.objects.count() == 1


def test_a_late_report_does_not_bury_one_of_the_same_batch_that_is_not_late() -> None:
    arrive(saying(ask_deletion(at=NOON)))
    later = NOON + BURIED_FOR + dt.timedelta(hours=1)
    arrive(row("mine", at=NOON + dt.timedelta(hours=1)), row("mine", at=later))
    assert Intake.objects.get(outcome="buried").reports == 1
    assert [week.first_at for week in ServerWeek.objects.all()] == [later]


def test_a_code_deletes_one_server_once() -> None:
    code = ask_deletion(at=NOON)
    arrive(saying(code), row("other", {**DEBIAN, "FEEDBACK_USER_INFO": f"delete:{code}"}))
    assert ServerWeek.objects.count() == 1
    assert Tombstone.objects.count() == 1


def test_tombstones_and_old_codes_are_forgotten() -> None:
    arrive(saying(ask_deletion(at=NOON)))
    assert forget_old(at=NOON + BURIED_FOR - dt.timedelta(hours=1)) == 0
    assert forget_old(at=NOON + ASKED_FOR + dt.timedelta(hours=1)) == 2
    assert not Tombstone.objects.exists()
    assert not Deletion.objects.exists()
