import csv
import datetime as dt
import io
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from feedback.actions.intake import count_refused
from feedback.charts import CHARTS, is_running, month_before
from feedback.inbox import Row
from feedback.labels import Cell, label_of, plain_label
from feedback.models import Outcome
from feedback.plots import thousands
from feedback.publication import SMALLEST
from feedback.statistics import context
from feedback.tests.fleets import DEBIAN, NOON, add_ended_series, arrive, fleet, row
from feedback.views.chart import month_of
from feedback.views.statistics import REST_CHARTS
from portal.lib import spreadsheet
from releases.models import Series

pytestmark = pytest.mark.django_db

ARM = {**DEBIAN, "VERSION": "11.4.2-MariaDB", "UNAME_MACHINE": "aarch64"}
UBUNTU = {**DEBIAN, "UNAME_DISTRIBUTION": "os-release: Ubuntu 24.04 LTS", "LOG_BIN": "ON"}
OCTOBER = NOON - dt.timedelta(days=28)

DECEMBER = dt.datetime(2026, 12, 2, 12, tzinfo=dt.UTC)  # November is over


@pytest.fixture(autouse=True)
def today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: DECEMBER)


@pytest.fixture
def two_months() -> None:
    """40 Debian servers since October, in November 12 with Arm and 5 of a rare series."""
    audited = {**DEBIAN, "SERVER_AUDIT VERSION": "1.4"}
    arrive(*fleet(40, audited, at=OCTOBER), *fleet(40, audited, at=NOON))
    rare = {**UBUNTU, "VERSION": "12.0.1-MariaDB"}
    arrive(*fleet(12, ARM, name="arm"), *fleet(5, rare, name="rare"), at=NOON)


def support(client: Client) -> list[dict[str, object]]:
    cells: list[dict[str, object]] = client.get("/statistics/support.json").json()["months"][-1][
        "cells"
    ]
    return cells


def without_catalogue(client: Client) -> str:
    Series.objects.all().delete()
    return client.get("/statistics/").content.decode()


def cells(client: Client, chart: str) -> dict[str, int]:
    months = client.get(f"/statistics/{chart}.json").json()["months"]
    return {cell["label"]: cell["servers"] for cell in months[-1]["cells"]}


def test_without_reports_the_page_says_how_to_start(client: Client) -> None:
    page = client.get("/statistics/").content.decode()
    assert "No statistics yet" in page
    assert f"feedback_url = {settings.BASE_URL}/rest/v1/post" in page
    assert client.get("/statistics/servers.json").json()["months"] == []
    assert client.get("/rest/v1/charts/os/").json()["values"] == {}


def test_nine_servers_are_too_few_to_show_and_ten_are_not(client: Client) -> None:
    arrive(*fleet(9))
    page = client.get("/statistics/").content.decode()
    assert "No statistics yet" in page
    assert "10.11.19" not in page
    assert client.get("/statistics/versions.json").json()["months"] == []
    arrive(row("tenth"))
    page = client.get("/statistics/").content.decode()
    assert '<th scope="row">10.11.19</th><td class="num">10</td><td class="num">100.0</td>' in page
    assert '<th scope="row">Debian 12</th>' in page


def test_the_page_shows_the_month_with_its_base_and_small_groups_hidden(
    client: Client, two_months: None
) -> None:
    page = client.get("/statistics/").content.decode()
    assert "told by 57 of them" in page
    assert '<th scope="row">10.11</th><td class="num">40</td><td class="num">70.2</td>' in page
    assert "12.0.1" not in page
    assert "Ubuntu" not in page
    assert page.count('<svg class="plot') == 4  # two charts, each wide and small
    assert "of 57" in page


def test_ranges_stand_in_their_order_and_countries_have_names(client: Client) -> None:
    def group(servers: int, processors: str, country: str) -> list[Row]:
        values = {**DEBIAN, "CPU_COUNT": processors}
        rows = fleet(servers, values, name=f"{processors}-{country}")
        return [replace(row, country=country) for row in rows]

    arrive(*group(10, "3", "FI"), *group(30, "64", ""), *group(20, "300", "DE"), *fleet(15))
    page = client.get("/statistics/").content.decode()
    where = page.partition("Where it runs")[2]
    found = re.findall(r'<th scope="row">(2 to 3|64 to 127|256 or more|unknown)</th>', where)
    assert found[:4] == ["2 to 3", "64 to 127", "256 or more", "unknown"]
    assert '<th scope="row">Finland</th><td class="num">10</td>' in page
    assert cells(client, "countries") == {"unknown": 45, "DE": 20, "FI": 10}


def test_without_a_database_of_countries_no_country_is_shown(
    client: Client, two_months: None
) -> None:
    assert 'scope="col">Country</th>' not in client.get("/statistics/").content.decode()


def test_an_earlier_month_is_chosen_by_the_filter(client: Client, two_months: None) -> None:
    page = client.get("/statistics/", {"month": "2026-10"}).content.decode()
    assert "told by 40 of them" in page
    assert '<option value="2026-10" selected>' in page
    for wrong in ("2031-01", "x", "2026-13", "0000-00"):
        latest = client.get("/statistics/", {"month": wrong}).content.decode()
        assert "told by 57 of them" in latest


def test_the_page_asks_few_queries_whatever_the_months(
    client: Client, two_months: None, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(5):
        client.get("/statistics/")


@pytest.mark.parametrize("chart", list(CHARTS))
def test_every_chart_has_json_and_csv_that_agree_and_hide_small_groups(
    client: Client, two_months: None, chart: str
) -> None:
    answer = client.get(f"/statistics/{chart}.json")
    assert answer["Access-Control-Allow-Origin"] == "*"
    told = [
        (month["month"], cell["label"], cell["servers"])
        for month in answer.json()["months"]
        for cell in month["cells"]
    ]
    assert told or chart in {"names", "doubts"}
    assert all(servers >= SMALLEST or servers == 0 for _, _, servers in told)
    text = client.get(f"/statistics/{chart}.csv")
    assert text["Content-Type"].startswith("text/csv")
    rows = list(csv.reader(io.StringIO(text.content.decode())))
    assert [(month, label, int(servers)) for month, label, servers, *_ in rows[1:]] == told


@pytest.mark.parametrize("chart", list(CHARTS))
def test_one_report_more_shows_nowhere_while_the_month_runs(
    client: Client, two_months: None, chart: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    paths = [f"/statistics/{chart}.json", f"/statistics/{chart}.csv"]
    before = [client.get(path).content for path in paths]
    arrive(row("one", {**ARM, "VERSION": "11.8.3-MariaDB", "UNAME_SYSNAME": "Windows"}))
    assert [client.get(path).content for path in paths] == before
    october, november = client.get(paths[0]).json()["months"]
    assert (october["servers"], october["rounded_to"]) == (40, 1)
    assert (november["servers"], november["rounded_to"]) == (50, 10)
    assert november["hidden_cells"] is None
    assert all(cell["servers"] % 10 == 0 for cell in november["cells"])


def test_the_page_says_that_the_running_month_is_rounded(
    client: Client, two_months: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    page = client.get("/statistics/").content.decode()
    assert "told by about 50 of them" in page
    assert "rounded down to tens" in page
    assert "57" not in re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL).split("Privacy")[0]
    earlier = client.get("/statistics/", {"month": "2026-10"}).content.decode()
    assert "told by 40 of them" in earlier


def test_a_month_is_exact_a_day_after_its_end() -> None:
    november = dt.date(2026, 11, 1)
    assert is_running(november, dt.datetime(2026, 12, 1, 23, 59, tzinfo=dt.UTC))
    assert not is_running(november, dt.datetime(2026, 12, 2, tzinfo=dt.UTC))


def test_percentages_stand_beside_the_base_they_are_taken_of(
    client: Client, two_months: None
) -> None:
    month = client.get("/statistics/architectures.json").json()["months"][-1]
    assert month["servers"] == 57
    assert sum(cell["servers"] for cell in month["cells"]) == 57
    assert month["cells"][0] == {"label": "x86_64", "servers": 45, "percent": 78.95}


def test_established_and_new_servers_are_told_apart_only_in_groups(client: Client) -> None:
    arrive(*fleet(30, at=OCTOBER), *fleet(30, at=NOON), *fleet(5, name="new"))
    assert cells(client, "servers") == {"servers": 35}
    arrive(*fleet(5, name="more"))
    assert cells(client, "servers") == {"established": 30, "first seen": 10}


def test_series_past_their_end_are_marked_by_the_catalogue(
    client: Client, two_months: None
) -> None:
    add_ended_series()
    page = client.get("/statistics/").content.decode()
    assert "70.2 % run a series without security fixes. Of 29.8 % this is not known" in page
    assert '<th scope="row">10.11, ended</th>' in page
    assert "Supported series</dt><dd>0.0" in page
    assert "of 57; 29.8 % not known" in page


def test_what_is_too_small_to_be_told_is_not_called_supported(
    client: Client, two_months: None
) -> None:
    add_ended_series("10.11")
    Series.objects.update(eol_on="2029-01-01")
    page = client.get("/statistics/").content.decode()
    shown = {c["label"]: c["percent"] for c in support(client)}
    assert shown == {"supported": 70.18, "unknown": 29.82}
    assert "Supported series</dt><dd>70.2" in page
    assert "Supported series" not in without_catalogue(client)


def test_existing_clients_get_the_form_they_know(client: Client, two_months: None) -> None:
    for name in REST_CHARTS:
        told = client.get(f"/rest/v1/charts/{name}/").json()
        assert set(told) == {"title", "values", "metadata"}
        assert told["metadata"] == {
            "computed_start_date": "2026-10-01",
            "computed_end_date": "2026-11-30",
        }
        assert all(len(line["x"]) == len(line["y"]) for line in told["values"].values())
    told = client.get("/rest/v1/charts/version-breakdown/").json()
    assert told["values"]["10.11"] == {"x": ["2026-10-01", "2026-11-01"], "y": [40, 40]}


def test_what_is_no_chart_is_not_found(client: Client) -> None:
    for path in ("/statistics/x.json", "/statistics/x.csv", "/rest/v1/charts/x/"):
        assert client.get(path).status_code == 404


def test_the_sum_of_the_reports_adds_up(client: Client) -> None:
    today = NOON.date()
    arrive(
        row("a"),
        row("a"),
        row("unknown"),
        row("t", {**DEBIAN, "FEEDBACK_USER_INFO": "mysql-test"}),
        row("broken", {}),
    )
    count_refused(outcome=Outcome.TOO_LARGE, day=today, reports=3)
    intake = context(month=None, at=NOON)["intake"]
    assert intake["received"] == 5
    assert intake["counted"] == 1 == 5 - sum(reports for _, reports in intake["less"])
    page = client.get("/statistics/reports/").content.decode()
    plain = re.sub(r' <span class="sub">.*?</span>', "", page)
    rows = re.findall(r'<th scope="row">([^<]+)</th><td>([^<]+)</td>', plain)
    assert ("Received", "5") in rows
    assert ("Refused, too large", "3") in rows
    assert ("Counted", "1") in rows


def test_the_page_of_the_reports_asks_few_queries_whatever_the_months(
    client: Client, two_months: None, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(3):
        page = client.get("/statistics/reports/").content.decode()
    received = re.findall(r'<th scope="row">Received</th><td>([^<]+)</td>', page)
    assert received == ["57", "40"]


def test_the_page_of_the_reports_says_what_will_be_there(client: Client) -> None:
    assert "No reports yet" in client.get("/statistics/reports/").content.decode()


def test_no_cell_of_a_csv_is_taken_for_a_formula() -> None:
    text = "".join(spreadsheet.lines([("=1+1", "-2", "@x", "+y", "plain", 3)]))
    assert text == "'=1+1,'-2,'@x,'+y,plain,3\r\n"


def test_labels_of_what_is_left_in_a_group() -> None:
    assert label_of(Cell("other", 12, "10.11")) == "10.11, others"
    assert plain_label(Cell("other", 12, "10.11")) == "10.11 other"
    assert label_of(Cell("other", 12, "other")) == "other"
    assert plain_label(Cell("10.11.1", 12, "10.11")) == "10.11.1"


def test_a_month_is_shown_first_when_servers_that_report_weekly_have_come(
    client: Client, two_months: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for day, month in ((10, "October"), (11, "November")):
        at = dt.datetime(2026, 11, day, 9, tzinfo=dt.UTC)
        monkeypatch.setattr(timezone, "now", lambda at=at: at)
        for path in ("/statistics/", "/statistics/charts/series/"):
            assert f"<span>{month} 2026" in client.get(path).content.decode()


def test_a_month_that_runs_is_not_said_to_have_shrunk(
    client: Client, two_months: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "in a month" in client.get("/statistics/").content.decode()
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    assert "in a month" not in client.get("/statistics/").content.decode()


def test_months_and_axis_numbers() -> None:
    assert month_before(dt.date(2026, 1, 1)) == dt.date(2025, 12, 1)
    assert month_before(dt.date(2026, 11, 1), 24) == dt.date(2024, 11, 1)
    months = [month_before(dt.date(2026, 3, 1), n) for n in range(30)]
    assert all(later > earlier for later, earlier in pairwise(months))
    assert month_of("2026-02") == dt.date(2026, 2, 1)
    assert thousands(184_207) == "184 k"
    assert thousands(1_234) == "1,234"
