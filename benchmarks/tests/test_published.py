import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from benchmarks import demonstration, tasks
from benchmarks.models import Result, Run, Suite, Trust
from benchmarks.published import published
from benchmarks.suites import outside_vocabulary, ready_suites
from portal.accounts.models import User

PRINTED = Path(demonstration.__file__).parent / "published" / "published_results.json"


def test_the_figures_are_those_that_were_handed_down(shared_data: Path) -> None:
    ours = json.loads(PRINTED.read_text())
    assert ours == json.loads((shared_data / "benchmarks/published_results.json").read_text())


def test_every_figure_becomes_a_result_of_a_defined_case() -> None:
    count = 0
    for figures in published():
        cases = {case.slug for case in ready_suites()[figures.suite].cases}
        for one in figures.document.results:
            assert one.case in cases
            count += 1
    assert count == sum(
        len(suite["results"]) for suite in json.loads(PRINTED.read_text())["suites"]
    )


def test_parameters_of_ready_suites_and_of_figures_are_words_that_the_runner_knows() -> None:
    for suite in ready_suites().values():
        for case in suite.cases:
            assert outside_vocabulary(case.definition) == []
    for figures in published():
        for one in figures.document.results:
            assert outside_vocabulary({"parameters": one.params}) == []
    assert outside_vocabulary({"parameters": {"transport": ["tcp", "carrier"], "mood": 1}}) == [
        "transport=carrier",
        "mood",
    ]


@pytest.mark.django_db
def test_the_demonstration_is_loaded_once_and_says_what_is_not_ours(
    client: Client, frank: User
) -> None:
    now = timezone.now()
    demonstration.load(actor=frank, at=now)
    tasks.compute_due()
    before = Result.objects.count()
    demonstration.load(actor=frank, at=now)
    assert Result.objects.count() == before
    assert Suite.objects.count() == len(ready_suites())
    text = client.get("/benchmarks/fast_queries/?trust=0").content.decode()
    assert "MariaDB-JDBC 1.1.2" in text
    assert "22,104 /s" in text
    assert "0 published elsewhere" in text
    assert "Published, not reproduced here: MariaDB blog 2013" in text
    assert 'class="fill hollow"' in text
    assert "under 100 ms" in client.get("/benchmarks/fleet_query/?trust=all").content.decode()
    options = client.get("/benchmarks/build_and_link_options/?trust=all").content.decode()
    assert "−13 %" in options
    assert "10 % … 30 %" in options
    measured = client.get("/benchmarks/fast_queries/?trust=2").content.decode()
    assert "claimed prepared, server saw text" in measured
    assert "4 made by our runner" in client.get("/benchmarks/protocol/").content.decode()
    assert "a picture only" in client.get("/benchmarks/connectors/?case=connect").content.decode()


@pytest.mark.django_db
def test_published_figures_get_a_bare_ratio_and_no_verdict(client: Client, frank: User) -> None:
    demonstration.load(actor=frank, at=timezone.now())
    uid = Run.objects.get(suite__slug="fast_queries", trust=Trust.PUBLISHED).uid
    path = f"/benchmarks/compare/?a={uid}:mariadb-jdbc_1.1.2&b={uid}:connectorj_5.1.24"
    client.get(path)
    tasks.compute_due()
    text = client.get(path).content.decode()
    assert "Published, not reproduced here" in text
    assert "no samples on a side" in text
    assert "1.13×" in text
    assert "faster" not in text.split("<table", 1)[0].split("<h1>")[1]


@pytest.mark.django_db
def test_suites_are_defined_by_a_command() -> None:
    told = StringIO()
    call_command("benchmark_suites", published=True, stdout=told)
    call_command("benchmark_suites", published=True, stdout=told)
    assert "fast_queries: 2 cases" in told.getvalue()
    assert "fast_queries: 13 figures, there already" in told.getvalue()
