"""Machines, drivers that could not run, and badges."""

from typing import Any

import pytest
from django.test import Client

from benchmarks import badges
from benchmarks.evidence import claimed_prepared
from benchmarks.models import Result, Trust
from benchmarks.tests.test_pages import FAST, page, upload
from benchmarks.tests.uploads import ENVIRONMENT, hyperfine, native
from portal.accounts.models import User

BADGE = "/benchmarks/badge.svg?suite=connectors&case=select_1&subject=Connector/C"


@pytest.mark.django_db
def test_a_machine_shows_its_runs_and_what_differed(client: Client, charlie: User) -> None:
    assert "No machine is known yet" in page(client, "/benchmarks/machines/")
    kernels = ["6.1", "6.1", "6.12"]
    for uid, kernel in enumerate(kernels, start=1):
        environment = {**ENVIRONMENT, "os": {"name": "Debian", "kernel": kernel}}
        run = upload(charlie, native([[1.0]] * 5, uid=uid, environment=environment))
    upload(charlie, hyperfine(FAST))  # of a machine that is not known
    path = f"/benchmarks/machines/{run.machine}/"
    assert path in page(client, "/benchmarks/machines/")
    text = page(client, path)
    assert "<h1>Some CPU, 2 cores, 16 GB</h1>" in text
    differed = text.split("What differed between them", 1)[1].split("<h2>")[0]
    assert "<code>6.1</code>" in differed
    assert "(2)" in differed
    assert "Debian" not in differed
    assert "mariadb" in text.split("The same in every run", 1)[1]
    assert client.get(f"{path}?format=json").json()["facts"]["cpu model"] == "Some CPU"
    assert client.get(f"{path}?format=csv").content.count(b"\n") == 4
    assert client.get("/benchmarks/machines/?format=json").json()["machines"][0]["runs"] == 3
    assert b"Some CPU" in client.get("/benchmarks/machines/?format=csv").content
    page(client, "/benchmarks/machines/nonsense/", 404)


@pytest.mark.django_db
def test_a_machine_with_one_run_has_no_difference(client: Client, charlie: User) -> None:
    run = upload(charlie, native([[1.0]] * 5))
    assert "Nothing that was told" in page(client, f"/benchmarks/machines/{run.machine}/")


def failing(**more: Any) -> dict[str, Any]:
    content = native([[1.0]] * 5)
    results = content["results"]
    broken = {**results[0], "case": "do_1", "error": "needs OpenSSL 3.2", **more}
    del broken["samples"]
    return {**content, "results": [*results, broken, {**broken, "case": "connect"}]}


@pytest.mark.django_db
def test_a_driver_that_could_not_run_stands_there_with_its_reason(
    client: Client, charlie: User
) -> None:
    path = "/benchmarks/compatibility/"
    assert "Everything ran" in page(client, path)
    upload(charlie, failing())
    text = page(client, path)
    for words in ("needs OpenSSL 3.2", "do_1, connect", "1 result in this run", "mariadb 11.8.9"):
        assert words in text
    assert "Everything ran" in page(client, f"{path}?suite=commands")
    told = client.get(f"{path}?suite=connectors&format=json").json()["refusals"]
    assert [(one["reason"], one["ran"]) for one in told] == [("needs OpenSSL 3.2", 1)]
    assert client.get(f"{path}?format=csv").content.count(b"\n") == 2


@pytest.mark.django_db
def test_a_badge_shows_one_result_and_is_kept_for_a_while(client: Client, charlie: User) -> None:
    upload(charlie, native([[1000.0], [1001.0], [1002.0], [1003.0], [1004.0]]))
    answer = client.get(BADGE)
    text = answer.content.decode()
    assert answer["Content-Type"] == "image/svg+xml"
    assert "select 1" in text
    assert "1,002 /s ±" in text
    assert "trust 2" in text
    assert "max-age" in answer["Cache-Control"]
    again = client.get(BADGE, headers={"if-none-match": answer["ETag"]})
    assert again.status_code == 304
    Result.objects.update(trust=Trust.OUR_RUNNER)
    assert (
        "trust 4" in client.get(BADGE, headers={"if-none-match": answer["ETag"]}).content.decode()
    )
    assert "no result yet" in client.get(f"{BADGE}&transport=pipe").content.decode()
    page(client, "/benchmarks/badge.svg?suite=connectors", 404)
    page(client, "/benchmarks/badge.svg?suite=nonsense&case=a&subject=b", 404)


@pytest.mark.django_db
def test_a_single_process_makes_a_badge_without_an_interval(client: Client, charlie: User) -> None:
    upload(charlie, native([[5.0]], params={"transport": "tcp"}))
    text = client.get(BADGE).content.decode()
    assert "select 1, tcp" in text
    assert "±" not in text


@pytest.mark.django_db
def test_the_markdown_of_a_badge_can_be_copied(client: Client, charlie: User) -> None:
    path = "/benchmarks/badges/"
    assert "Nothing to show yet" in page(client, path)
    upload(charlie, native([[1.0]] * 5))
    assert "Next" in page(client, path)
    assert "select_1" in page(client, f"{path}?suite=connectors")
    text = page(client, f"{path}?suite=connectors&case=select_1&subject=Connector/C")
    assert "[![Connector/C, select 1](http" in text
    assert "subject=Connector%2FC" in text


@pytest.mark.django_db
def test_a_suite_without_results_has_no_badge(client: Client, charlie: User) -> None:
    upload(charlie, native([[1.0]] * 5)).delete()
    assert "No results in this suite" in page(client, "/benchmarks/badges/?suite=connectors")


def test_a_badge_says_what_it_shows_and_takes_any_name() -> None:
    drawn = badges.draw("a<b", "5 /s", "good")
    assert "<title>a&lt;b: 5 /s</title>" in drawn
    assert drawn.count("<rect") == 2


@pytest.mark.parametrize(
    ("params", "evidence", "claimed"),
    [
        ({"prepare": "server"}, {"stmt_execute_per_op": 0}, True),
        ({"prepare": "server"}, {"stmt_execute_per_op": 1.0}, False),
        ({"prepare": "client"}, {"stmt_execute_per_op": 0.0}, False),
        ({"prepare": "server"}, {}, False),
    ],
)
def test_the_server_says_whether_a_statement_was_prepared(
    params: dict[str, Any], evidence: dict[str, Any], claimed: bool
) -> None:
    assert claimed_prepared(params, evidence) is claimed
