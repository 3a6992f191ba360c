"""The ledger of a suite: which lines it has, in which order, and what an address asks for."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from benchmarks import ledger, words
from benchmarks.actions.decision import accept_run, withdraw_run
from benchmarks.documents import METRICS
from benchmarks.models import LedgerLine, Result, Run, Statistics, Suite, Trust
from benchmarks.models.ledger import METRICS as LEDGER_METRICS
from benchmarks.tests.test_pages import FAST, SLOW, page, upload
from benchmarks.tests.uploads import hyperfine, native
from portal.accounts.models import User

pytestmark = pytest.mark.django_db
PATH = "/benchmarks/connectors/?case=select_1"


def connector(user: User | None, uid: int, value: float = 1.0, **params: Any) -> Run:
    return upload(user, native([[value]] * 5, uid=uid, params=params))


def risen(run: Run, trust: Trust = Trust.OUR_RUNNER) -> None:
    Result.objects.filter(run=run).update(trust=trust)


def labels(client: Client, query: str = "") -> list[str]:
    found = client.get(f"{PATH}&trust=all&format=json{query}").json()["results"]
    return [one["version"] for one in found]


def test_a_result_has_a_line_while_its_run_is_in_the_lists(frank: User, charlie: User) -> None:
    run = connector(None, 1)
    assert not LedgerLine.objects.exists()
    accept_run(actor=frank, run=run)
    line = LedgerLine.objects.get()
    assert (line.subject, line.version, line.placement) == ("Connector/C", "3.4.1", "unknown")
    withdraw_run(actor=frank, run=run)
    assert not LedgerLine.objects.exists()


def test_a_line_follows_what_it_is_made_of(charlie: User) -> None:
    run = connector(charlie, 1, 3.0, transport="tcp", cpu_placement="same")
    line = LedgerLine.objects.get()
    assert (line.transport, line.placement, line.median) == ("tcp", "same", 3.0)
    risen(run, Trust.REPRODUCED)
    Statistics.objects.update(median=4.0)
    line.refresh_from_db()
    assert (line.trust, line.median) == (5, 4.0)
    run.delete()
    assert not LedgerLine.objects.exists()


def test_what_cannot_stand_in_one_order_does_not(client: Client, charlie: User) -> None:
    """A rate, and the processor time of the same work; times in units of their own."""
    content = native([[3000.0]] * 5)
    first = content["results"][0]
    for metric, unit, value in (
        ("cpu_time", "us", 7.0),
        ("cpu_time", "ms", 0.5),
        ("cpu_time", "ns", 900.0),
    ):
        content["results"].append(
            {**first, "metric": metric, "unit": unit, "samples": [[value]] * 5}
        )
    run = upload(charlie, content)
    everything = f"{PATH}&trust=all&format=json"

    def told(query: str) -> list[tuple[str, str]]:
        found = client.get(everything + query).json()["results"]
        return [(one["metric"], one["unit"]) for one in found]

    assert told("") == [("throughput", "op/s")]
    assert told("&metric=cpu_time") == [("cpu_time", unit) for unit in ("ns", "us", "ms")]
    assert told("&metric=speed") == [("throughput", "op/s")]
    listed = page(client, f"{PATH}&trust=all")
    assert '<option value="">operations a second</option>' in listed
    assert '<option value="cpu_time">processor time</option>' in listed
    lines = LedgerLine.objects.filter(result__run=run).order_by("result__position")
    assert [line.median for line in lines] == pytest.approx([3000, 7e-6, 5e-4, 9e-7])
    whole = client.get("/benchmarks/connectors/?case=all&trust=all&format=json").json()["results"]
    assert [one["metric"] for one in whole] == ["throughput"]


def test_each_metric_has_its_place_in_the_ledger_and_its_words() -> None:
    assert set(LEDGER_METRICS) == set(METRICS) == set(words.METRICS)


def test_lists_show_the_upper_rungs_and_offer_the_others(client: Client, charlie: User) -> None:
    run = connector(charlie, 1)
    text = page(client, PATH)
    assert "Nothing on the upper rungs yet" in text
    assert "?case=select_1&amp;trust=all" in text
    assert "Connector/C 3.4.1" in page(client, f"{PATH}&trust=all")
    connector(charlie, 2)
    risen(run)
    text = page(client, PATH)
    assert "Connector/C 3.4.1" in text
    assert "Connector/C 3.4.2" not in text
    assert "4 made by our runner" in text
    assert "Connector/C 3.4.2" in page(client, f"{PATH}&trust=2")


def test_the_best_stands_first_and_any_column_sorts(client: Client, charlie: User) -> None:
    for uid, value in ((1, 5.0), (2, 9.0), (3, 7.0)):
        connector(charlie, uid, value)
    assert labels(client) == ["3.4.2", "3.4.3", "3.4.1"]
    assert labels(client, "&sort=median") == ["3.4.1", "3.4.3", "3.4.2"]
    assert labels(client, "&sort=-subject") == ["3.4.3", "3.4.2", "3.4.1"]
    assert labels(client, "&sort=nonsense") == ["3.4.2", "3.4.3", "3.4.1"]
    for sort in ("date", "trust"):
        text = page(client, f"{PATH}&trust=all&sort=-{sort}")
        assert 'aria-sort="descending"' in text
    upload(charlie, hyperfine(SLOW, FAST, names=["slow one", "fast one"]))
    text = page(client, "/benchmarks/commands/?trust=all")
    assert text.index("fast one") < text.index("slow one")  # seconds: the fewest first


def test_a_placement_that_is_not_known_is_not_ranked_with_one_that_is(
    client: Client, charlie: User
) -> None:
    connector(charlie, 1, 9.0)
    connector(charlie, 2, 3.0, cpu_placement="same")
    connector(charlie, 3, 2.0, cpu_placement="different")
    body = page(client, f"{PATH}&trust=all").split("<tbody>")[1]
    places = [
        body.index(words)
        for words in (
            "on different CPUs",
            "Connector/C 3.4.3",
            "on the same CPU",
            "Connector/C 3.4.2",
            "CPU placement not told",
            "Connector/C 3.4.1",
        )
    ]
    assert places == sorted(places)


def test_a_list_is_narrowed_by_what_its_address_says(client: Client, charlie: User) -> None:
    connector(charlie, 1, transport="tcp", prepare="none")
    other = connector(charlie, 2, transport="unix", prepare="server", cpu_placement="same")
    assert labels(client, "&transport=unix") == ["3.4.2"]
    assert labels(client, "&prepare=none") == ["3.4.1"]
    assert labels(client, "&placement=same") == ["3.4.2"]
    assert labels(client, "&version=3.4.1") == ["3.4.1"]
    assert labels(client, f"&machine={other.machine}&since=2020-01-01") == ["3.4.2", "3.4.1"]
    assert labels(client, "&since=2099-01-01") == []
    assert labels(client, "&since=yesterday") == ["3.4.2", "3.4.1"]
    text = page(client, f"{PATH}&trust=all&transport=unix")
    assert '<option value="unix" selected>' in text
    assert '<option value="3.4.1">' in text
    assert "No results like that" in page(client, f"{PATH}&trust=all&transport=pipe")
    page(client, "/benchmarks/connectors/?case=nonsense", 404)
    page(client, "/benchmarks/nonsense/", 404)
    assert "No results of this case" in page(client, "/benchmarks/connectors/?case=connect")


def test_an_open_suite_lists_cases_that_nobody_has_defined(client: Client, charlie: User) -> None:
    upload(charlie, native([[1.0]] * 5, case="own_case"))
    assert "own_case" in page(client, "/benchmarks/connectors/?case=own_case&trust=all")


def test_a_suite_without_any_case_says_so(client: Client) -> None:
    Suite.objects.create(slug="bare", name="Bare", summary="Nothing yet", is_open=True)
    assert "No results of this case" in page(client, "/benchmarks/bare/")
    assert "Nothing on the upper rungs" in page(client, "/benchmarks/bare/?case=all")


def test_a_page_of_a_suite_costs_at_most_six_queries(
    client: Client, charlie: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for uid in range(1, 6):
        connector(charlie, uid, transport="tcp" if uid % 2 else "unix")
    for query in ("", "&trust=all", "&trust=all&transport=tcp&sort=-date", "&trust=2&page=9"):
        with django_assert_max_num_queries(6):
            page(client, PATH + query)
    with django_assert_max_num_queries(6):
        page(client, "/benchmarks/connectors/?case=all&trust=all")


def test_pages_lead_no_further_than_they_are_counted(
    client: Client, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "MOST_LINES", 2)
    for uid in range(1, 5):
        connector(charlie, uid)
    assert "Pages lead to the first 2 results" in page(client, f"{PATH}&trust=all")


def test_all_cases_stand_side_by_side_with_one_result_in_a_cell(
    client: Client, charlie: User
) -> None:
    old = connector(charlie, 1, 5.0, transport="tcp")
    upload(charlie, native([[2.0]] * 5, uid=7, case="do_1", params={"transport": "unix"}))
    Result.objects.update(version="3.4")
    LedgerLine.objects.update(version="3.4")
    path = "/benchmarks/connectors/?case=all"
    assert "Nothing on the upper rungs yet" in page(client, path)
    text = page(client, f"{path}&trust=all")
    assert text.count('<th scope="row">') == 1
    assert "5 /s" in text
    assert "2 /s" in text
    assert "no average" in text
    risen(old)
    text = page(client, path)
    assert "5 /s" in text
    assert "2 /s" not in text
    told = client.get(f"{path}&trust=all&transport=unix&since=2020-01-01&format=json").json()
    assert [one["case"] for one in told["results"]] == ["do_1"]
    assert client.get(f"{path}&trust=all&format=csv").content.count(b"\n") == 3
    assert "No results like that" in page(client, f"{path}&trust=3")


def test_connectors_of_a_suite_are_turned_over_in_pages(
    client: Client, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "CELLS_PER_PAGE", 1)
    monkeypatch.setattr(ledger, "FEWEST_CONNECTORS", 1)
    connector(charlie, 1)
    connector(charlie, 2)
    path = "/benchmarks/connectors/?case=all&trust=all"
    first, second = page(client, path), page(client, f"{path}&page=2")
    assert "Connector/C 3.4.1" in first
    assert 'rel="next"' in first
    assert "Connector/C 3.4.2" in second
    assert 'rel="prev"' in second
    assert "Connector/C 3.4.1" in page(client, f"{path}&page=x")


def test_a_suite_is_there_for_programs(client: Client, charlie: User) -> None:
    upload(charlie, hyperfine(FAST, names=["=cmd()|evil"]))
    path = "/benchmarks/commands/?trust=all"
    answer = client.get(f"{path}&format=csv")
    assert answer["Content-Type"].startswith("text/csv")
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert ",'=cmd()|evil," in answer.content.decode()
    found = client.get(f"{path}&format=json").json()
    assert found["results"][0]["subject"] == "=cmd()|evil"
    assert found["results"][0]["median"] == 1.0
    suites = client.get("/benchmarks/?format=json").json()["suites"]
    assert suites[0]["suite"] == "commands"
    assert b"commands,Whole commands" in client.get("/benchmarks/?format=csv").content


@pytest.mark.parametrize(
    ("query", "lookups"),
    [
        ({}, {}),
        ({"trust": "all", "transport": "tcp"}, {"transport": "tcp"}),
        ({"trust": "3"}, {"trust": 3}),
        ({"trust": "9", "mood": "good"}, {}),
    ],
)
def test_an_address_asks_for_known_things_only(
    query: Mapping[str, str], lookups: Mapping[str, object]
) -> None:
    assert ledger.Asked.from_query(query).lookups() == lookups
