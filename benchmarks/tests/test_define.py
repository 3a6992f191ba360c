"""Suites that people define: by form, by JSON, as further versions."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from benchmarks.actions.suite import define_suite
from benchmarks.models import Case, Suite
from benchmarks.suites import FaultError, read_suite, ready_suites
from benchmarks.views.define import EXAMPLE
from portal.accounts.models import User
from portal.lib.models import AuditEntry

SignIn = Callable[[User], Client]
NEW = "/benchmarks/suites/new/"


def suite(**changed: Any) -> dict[str, Any]:
    return {**json.loads(EXAMPLE), **changed}


def case(**changed: Any) -> dict[str, Any]:
    return {**json.loads(EXAMPLE)["cases"][0], **changed}


def fields(**changed: Any) -> dict[str, Any]:
    form = {"slug": "mine", "name": "Mine", "summary": "What I look at."}
    one = {"slug": "do_1", "name": "DO 1", "unit": "op/s", "direction": "higher", "query": "DO 1"}
    return {**form, **{f"case-{name}": value for name, value in one.items()}, **changed}


def test_ready_suites_are_what_anybody_could_send() -> None:
    for ready in ready_suites().values():
        cases = [
            {name: getattr(one, name) for name in ("slug", "name", "unit", "direction")}
            | {"definition": dict(one.definition)}
            for one in ready.cases
        ]
        data = {"slug": ready.slug, "name": ready.name, "summary": ready.summary, "cases": cases}
        assert [one.hash for one in read_suite(data).cases] == [one.hash for one in ready.cases]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "A JSON object"),
        (suite(mood="good"), "Not known here: mood"),
        (suite(slug="Big"), "slug: Small letters"),
        (suite(slug="machines"), "is the address of a page"),
        (suite(name=""), "name: A text"),
        (suite(name="a\nb"), "name: One line"),
        (suite(is_open="yes"), "is_open: true or false"),
        (suite(cases={}), "cases: A list"),
        (suite(cases=[]), "takes undefined cases"),
        (suite(cases=[1]), "cases/0: A JSON object"),
        (suite(cases=[case(), case()]), "Two cases"),
        (suite(cases=[case(unit="parsec")]), "cases/0/unit: Known units"),
        (suite(cases=[case(direction="up")]), "cases/0/direction"),
        (suite(cases=[case(definition={})]), "cases/0/definition: Say here"),
        (suite(cases=[case(definition={"query": "x" * 10_001})]), "longer than"),
        (suite(cases=[case(definition={"parameters": []})]), "definition/parameters: A JSON"),
        (suite(cases=[case(definition={"parameters": {"transport": "dove"}})]), "transport=dove"),
    ],
)
def test_a_definition_says_where_it_is_wrong(data: object, said: str) -> None:
    with pytest.raises(FaultError) as refused:
        read_suite(data)
    assert said in str(refused.value)


@pytest.mark.django_db
def test_a_suite_is_defined_by_a_form(client_for: SignIn, frank: User) -> None:
    client = client_for(frank)
    assert "The form of the file" in client.get(NEW).content.decode()
    more = {"case-more": '{"threads": 1}', "case-rows": "1", "case-transport": ["tcp", "unix"]}
    answer = client.post(NEW, fields(**more))
    assert answer.headers["Location"] == "/benchmarks/mine/"
    made = Case.objects.get()
    assert made.definition == {
        "query": "DO 1",
        "unit": "op/s",
        "rows": 1,
        "threads": 1,
        "parameters": {"transport": ["tcp", "unix"]},
    }
    entry = AuditEntry.objects.get(verb="benchmark_suite.define")
    assert (entry.actor, entry.detail["cases"]) == (frank, ["do_1"])
    assert "Change the suite" in client.get("/benchmarks/mine/").content.decode()


@pytest.mark.django_db
def test_a_changed_definition_is_a_new_version(client_for: SignIn, frank: User) -> None:
    client = client_for(frank)
    client.post(NEW, fields())
    path = "/benchmarks/suites/mine/"
    assert "Change “Mine”" in client.get(path).content.decode()
    client.post(path, fields(name="My own", **{"case-query": "DO 2"}))
    client.post(path, fields(name="My own", **{"case-query": "DO 2"}))  # changes nothing
    client.post(path, {key: value for key, value in fields().items() if "case" not in key})
    found = Case.objects.order_by("version").values_list("version", "definition__query")
    assert list(found) == [(1, "DO 1"), (2, "DO 2")]
    entries = AuditEntry.objects.filter(verb="benchmark_suite.define").order_by("pk")
    assert [entry.detail["versions"] for entry in entries] == [[1], [2], []]
    assert entries[1].detail["before"]["name"] == "Mine"
    told = client.get("/benchmarks/mine/definition.json").json()
    assert told["cases"][0]["definition"]["query"] == "DO 2"
    assert told["hashes"]["do_1"][0] == 2


@pytest.mark.django_db
def test_a_suite_is_imported_as_json_and_exported_again(client_for: SignIn, frank: User) -> None:
    client = client_for(frank)
    file = SimpleUploadedFile("suite.json", EXAMPLE.encode())
    assert client.post(NEW, {"import": "1", "file": file}).status_code == 302
    told = client.get("/benchmarks/bulk_inserts/definition.json").json()
    assert told["cases"] == json.loads(EXAMPLE)["cases"]
    path = "/benchmarks/suites/bulk_inserts/"
    again = client.post(path, {"import": "1", "text": json.dumps(told)})
    assert again.status_code == 302
    assert Case.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "posted", "said"),
    [
        (NEW, {"import": "1"}, "Choose a file"),
        (NEW, {"import": "1", "text": "{"}, "This is not JSON"),
        (NEW, {"import": "1", "text": "[]"}, "A JSON object"),
        (NEW, {"import": "1", "text": json.dumps(suite(slug="there"))}, "is there already"),
        ("/benchmarks/suites/there/", {"import": "1", "text": EXAMPLE}, "of another one"),
        (NEW, fields(slug="upload"), "is the address of a page"),
        (NEW, fields(**{"case-more": "{"}), "This is not JSON"),
        (NEW, fields(**{"case-more": "[]"}), "in braces"),
        (NEW, fields(**{"case-query": ""}), "required"),
        (NEW, fields(**{"case-more": '{"parameters": 1}'}), "a JSON object too"),
    ],
)
def test_the_form_says_what_cannot_be_taken(
    client_for: SignIn, frank: User, path: str, posted: dict[str, Any], said: str
) -> None:
    define_suite(actor=frank, definition=read_suite(suite(slug="there")))
    answer = client_for(frank).post(path, posted)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert Suite.objects.count() == 1


@pytest.mark.django_db
def test_a_file_that_is_too_large_is_not_read(client_for: SignIn, frank: User) -> None:
    file = SimpleUploadedFile("suite.json", b" " * 200_001)
    answer = client_for(frank).post(NEW, {"import": "1", "file": file})
    assert "larger than 200 kB" in answer.content.decode()


@pytest.mark.django_db
def test_what_is_defined_already_keeps_the_name_that_people_gave_it(frank: User) -> None:
    ready = ready_suites()["fleet_query"]
    define_suite(actor=frank, definition=ready)
    Suite.objects.update(name="All at once")
    assert define_suite(actor=None, definition=ready).name == "All at once"
