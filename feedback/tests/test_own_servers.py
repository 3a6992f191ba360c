"""Servers on a private list: how they join, what their owner sees, and nobody else."""

import csv
import datetime as dt
import io
import re

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from feedback import inbox
from feedback.actions.claim import claim_server, make_claim_code
from feedback.actions.retention import forget_old
from feedback.models import ClaimCode, ClaimedServer, ServerWeek
from feedback.packing import unpack
from feedback.tests.fleets import DEBIAN, NOON, add_ended_series, arrive, fleet, row
from portal.accounts.actions.account import close_account
from portal.accounts.models import User
from portal.lib.models import AuditEntry
from tests.cast import sign_in

pytestmark = pytest.mark.django_db
PAGE = "/statistics/servers/"


@pytest.fixture(autouse=True)
def today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOON)


@pytest.fixture
def charlies(charlie: User) -> Client:
    return sign_in(charlie)


def code_of(user: User) -> str:
    return make_claim_code(actor=user, at=NOON).code


def saying(word: str, uid: str = "mine") -> inbox.Row:
    return row(uid, {**DEBIAN, "FEEDBACK_USER_INFO": word})


def test_a_server_that_sends_the_code_joins_the_list_and_the_word_is_not_kept(
    charlie: User, charlies: Client
) -> None:
    assert "No server yet" in charlies.get(PAGE).content.decode()
    page = charlies.post(PAGE + "code/", follow=True).content.decode()
    word = re.search(r"feedback_user_info = (claim:[A-Z2-7-]+)", page)
    assert word
    said = saying(word[1].lower())
    assert b"claim" not in unpack(said.body)
    arrive(said, *fleet(3))
    page = charlies.get(PAGE).content.decode()
    assert "10.11.19" in page
    assert "Debian 12" in page
    assert ClaimedServer.objects.get().user == charlie
    assert AuditEntry.objects.filter(verb="feedback.server_claimed").count() == 1


def test_saying_it_again_changes_nothing_and_a_code_of_nobody_is_ignored(
    charlie: User,
) -> None:
    code = code_of(charlie)
    arrive(saying(f"claim:{code}"), saying(f"claim:{code.replace('-', '')}"))
    arrive(saying("claim:AAAAAA-BBBBBB", "other"), saying(f"delete:{code}", "third"))
    assert ClaimedServer.objects.count() == 1
    assert ServerWeek.objects.count() == 3


def test_another_code_adds_servers_and_the_old_one_no_longer(charlie: User) -> None:
    old = code_of(charlie)
    arrive(saying(f"claim:{old}", "first"))
    new = code_of(charlie)
    arrive(saying(f"claim:{old}", "second"), saying(f"claim:{new}", "third"))
    assert ClaimCode.objects.get().code == new
    assert ClaimedServer.objects.of(charlie).count() == 2


def test_the_list_says_what_has_ended_how_often_it_started_and_when_it_spoke_last(
    charlie: User, charlies: Client
) -> None:
    add_ended_series()
    weekly = [NOON - dt.timedelta(weeks=weeks) for weeks in range(3)]
    starts = [row("mine", {"FEEDBACK_WHEN": "startup"}, at=at) for at in weekly]
    arrive(*starts, saying(f"claim:{code_of(charlie)}"))
    page = charlies.get(PAGE).content.decode()
    assert "support ended" in page
    assert 'data-label="Weeks with a start">3</td>' in page
    lines = list(csv.DictReader(io.StringIO(charlies.get(PAGE + "list.csv").content.decode())))
    assert [(line["version"], line["ended"]) for line in lines] == [("10.11.19", "yes")]
    assert lines[0]["last_report"] == NOON.isoformat()


def test_an_operator_of_many_servers_sees_them_by_series_and_what_needs_a_look(
    charlie: User, charlies: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOON + dt.timedelta(days=1))
    add_ended_series()
    word = f"claim:{code_of(charlie)}"
    newer = {**DEBIAN, "VERSION": "11.4.2-MariaDB", "FEEDBACK_USER_INFO": word}
    arrive(*(saying(word, f"old-{n}") for n in range(3)), *fleet(52, newer, name="new"))
    arrive(row("new-1", {"FEEDBACK_WHEN": "startup"}))
    ServerWeek.objects.filter(series="10.11").update(
        first_at=NOON - dt.timedelta(days=9), last_at=NOON - dt.timedelta(days=9)
    )
    page = charlies.get(PAGE).content.decode()
    found = re.findall(r"<dt>([^<]+)</dt><dd>(\d+)", page)
    assert found == [("Servers", "55"), ("Past their end", "3"), ("Started", "1"), ("Silent", "3")]
    first = page.partition('href="/statistics/servers/?show=10.11#list"')[2].partition("</tr>")[0]
    assert '<td class="num">3</td>' in first
    assert "1 Jan 2026" in first
    assert page.count('class="sub mono"') == 50
    for show, servers in {"10.11": 3, "ended": 3, "silent": 3, "started": 1, "9.9": 0}.items():
        shown = charlies.get(PAGE, {"show": show}).content.decode()
        assert shown.count('class="sub mono"') == servers, show
    assert "No server of this kind." in shown


def test_a_server_is_named_exported_and_taken_off_the_list_by_its_owner(
    charlie: User, charlies: Client
) -> None:
    arrive(saying(f"claim:{code_of(charlie)}"))
    server = ClaimedServer.objects.get()
    page = charlies.post(f"{PAGE}{server.pk}/name/", {"name": "=db1"}, follow=True)
    assert "=db1" in page.content.decode()
    assert "'=db1" in charlies.get(PAGE + "list.csv").content.decode()
    long = charlies.post(f"{PAGE}{server.pk}/name/", {"name": "x" * 81}, follow=True)
    assert "at most 80 letters" in long.content.decode()
    kept = charlies.get(f"{PAGE}{server.pk}.json").json()
    week = kept["weeks"][0]
    assert (week["version"], week["flavour"], week["engines"]) == (
        "10.11.19",
        "mariadb",
        ["InnoDB"],
    )
    assert (week["replication"], week["doubts"]) == ("none", [])
    assert kept["reports"][0]["values"]["VERSION"] == DEBIAN["VERSION"]
    charlies.post(f"{PAGE}{server.pk}/release/")
    assert not ClaimedServer.objects.exists()
    assert ServerWeek.objects.count() == 1


def test_a_server_that_was_claimed_and_has_told_nothing_yet_is_listed(
    charlie: User, charlies: Client
) -> None:
    code = make_claim_code(actor=charlie, at=NOON)
    claim_server(digest=bytes(code.digest), server_key=b"k" * 16, at=NOON)
    page = charlies.get(PAGE).content.decode()
    assert "not told yet" in page
    assert "none kept" in page


def test_the_list_of_a_closed_account_is_forgotten(charlie: User) -> None:
    arrive(saying(f"claim:{code_of(charlie)}"))
    close_account(actor=charlie, user=charlie)
    assert forget_old(at=NOON) == 2
    assert not ClaimedServer.objects.exists()
    assert ServerWeek.objects.count() == 1


def test_the_queries_do_not_grow_with_the_servers(
    charlie: User, charlies: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    word = f"claim:{code_of(charlie)}"
    arrive(*[saying(word, f"server-{n}") for n in range(12)])
    with django_assert_max_num_queries(13):
        charlies.get(PAGE)
