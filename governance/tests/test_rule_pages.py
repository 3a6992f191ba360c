"""Rules in words, in every version, for everybody."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from governance.models import Body, Motion, RuleSet
from governance.rules.changes import RULE_FIELDS
from governance.rules.forms import GROUPS
from governance.tests.conftest import START, make_rules, make_vote
from portal.accounts.models import User

pytestmark = pytest.mark.django_db
TODAY = START.date()
ORDINARY = "/governance/rules/board/ordinary"


def read(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status
    return " ".join(answer.content.decode().split())


def test_the_list_shows_what_is_in_force_what_comes_and_ready_sets(
    client: Client, board: Body
) -> None:
    make_rules(board, name="Tomorrow's rules", since=TODAY + timedelta(days=1), note="Bylaw 9.")
    page = read(client, "/governance/rules/")
    assert "Ordinary decisions" in page
    assert "Tomorrow&#x27;s rules" in page
    assert "General resolution after Debian" in page
    assert "/governance/rules/new/" not in page


def test_without_rules_the_list_says_what_will_be_here(client: Client, db: None) -> None:
    assert "No rules yet" in read(client, "/governance/rules/")


def test_a_version_is_told_in_words_with_the_numbers_of_the_body(
    client: Client, board: Body
) -> None:
    page = read(client, f"{ORDINARY}/1/")
    assert "More than half of all voting seats, vacant ones included, must take part" in page
    assert "Of 7, that is 4." in page
    assert "Bylaw 5.4" in page


def test_a_version_shows_what_it_changed_and_which_votes_it_decided(
    client: Client, board: Body, motion: Motion
) -> None:
    make_rules(board, threshold="two_thirds", since=TODAY, note="Resolution 2026-09.")
    first = read(client, f"{ORDINARY}/1/")
    assert "No longer in force" in first
    assert motion.title in first
    assert "it never changes" in first
    second = read(client, f"{ORDINARY}/2/")
    assert "<del>more than half of the base</del>" in second
    assert "<ins>two thirds of the base</ins>" in second
    assert "Resolution 2026-09." in second


def test_the_address_without_a_version_leads_to_the_one_in_force(
    client: Client, board: Body
) -> None:
    make_rules(board, since=TODAY + timedelta(days=1))
    assert client.get(f"{ORDINARY}/")["Location"] == f"{ORDINARY}/1/"
    make_rules(board, subject="later", since=TODAY + timedelta(days=1))
    later = "/governance/rules/board/later"
    assert client.get(f"{later}/")["Location"] == f"{later}/1/"
    read(client, "/governance/rules/board/unknown/", 404)
    read(client, f"{ORDINARY}/9/", 404)


def test_a_version_is_data_for_programs(client: Client, board: Body) -> None:
    answer = client.get(f"{ORDINARY}/1.json")
    assert answer["Access-Control-Allow-Origin"] == "*"
    data = answer.json()
    assert (data["body"], data["version"], data["quorum"]) == ("board", 1, "majority")
    assert (data["seconds_needed"], data["consent_days"]) == (1, 60)


@pytest.mark.parametrize("slug", ["delaware", "members-and-contributors", "debian", "apache"])
def test_a_ready_set_names_its_sources(client: Client, db: None, slug: str) -> None:
    page = read(client, f"/governance/rules/ready-sets/{slug}/")
    assert "https://" in page.partition("Sources")[2]


def test_an_unknown_ready_set_is_not_found(client: Client, db: None) -> None:
    read(client, "/governance/rules/ready-sets/none/", 404)
    read(client, "/governance/rules/ready-sets/none/x/what-if/", 404)
    read(client, "/governance/rules/ready-sets/debian/none/what-if/", 404)


def test_every_column_is_on_the_form_and_in_the_comparison() -> None:
    grouped = [name for _slug, _title, _note, names in GROUPS for name in names]
    assert sorted(grouped) == sorted(["name", "since", "note", *RULE_FIELDS])
    own = {"id", "body", "subject", "version", "name", "since", "note"}
    assert {field.name for field in RuleSet._meta.fields} - own == set(RULE_FIELDS)


def test_many_versions_and_votes_are_asked_for_as_often_as_few(
    client: Client, board: Body, directors: list[User], motion: Motion
) -> None:
    few = asked(client)
    for number in range(3):
        make_vote(board, directors, f"Question {number}")
    make_rules(board, since=TODAY)
    assert asked(client) == few


def asked(client: Client) -> int:
    with CaptureQueriesContext(connection) as queries:
        read(client, f"{ORDINARY}/1/")
    return len(queries)
