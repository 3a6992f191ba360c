import datetime as dt
import re

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from feedback.catalogue import Catalogue
from feedback.charts import CHARTS
from feedback.crossed import FACTS, WITHIN, Within
from feedback.models import CrossCount
from feedback.tests.fleets import DEBIAN, NOON, add_ended_series, arrive, fleet

pytestmark = pytest.mark.django_db

OCTOBER = NOON - dt.timedelta(days=28)
DECEMBER = dt.datetime(2026, 12, 2, 12, tzinfo=dt.UTC)
UBUNTU = {**DEBIAN, "UNAME_DISTRIBUTION": "os-release: Ubuntu 24.04 LTS", "FEATURE_JSON": "4"}
NEWER = {"VERSION": "11.4.2-MariaDB", "MEM_TOTAL": str(8 * 2**30)}
ARM = {"UNAME_MACHINE": "aarch64"}


@pytest.fixture(autouse=True)
def today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: DECEMBER)


@pytest.fixture
def crossing() -> None:
    """Two series on two systems; one of four groups has Arm machines, too."""
    arrive(*fleet(30, at=OCTOBER))
    arrive(
        *fleet(30),
        *fleet(20, UBUNTU, name="ubuntu"),
        *fleet(15, DEBIAN | NEWER, name="newer"),
        *fleet(12, UBUNTU | NEWER, name="both"),
        *fleet(14, UBUNTU | NEWER | ARM, name="arm"),
    )


def cells(client: Client, chart: str, **within: str) -> dict[str, int]:
    months = client.get(f"/statistics/{chart}.json", within).json()["months"]
    return {cell["label"]: cell["servers"] for cell in months[-1]["cells"]} if months else {}


def test_a_chart_is_told_within_a_series_a_system_and_both(client: Client, crossing: None) -> None:
    assert cells(client, "systems", series="10.11") == {"Debian": 30, "Ubuntu": 20}
    assert cells(client, "series", system="Debian") == {"10.11": 30, "11.4": 15}
    assert cells(client, "architectures", series="11.4") == {"x86_64": 27, "aarch64": 14}
    both = cells(client, "architectures", series="11.4", system="Ubuntu")
    assert both == {"aarch64": 14, "x86_64": 12}
    assert cells(client, "series", **{"with": "architectures:aarch64"}) == {"11.4": 14}
    assert cells(client, "systems", series="11.4", **{"with": "memory:8"}) == {
        "Ubuntu": 26,
        "Debian": 15,
    }


def test_questions_are_told_within_a_series_with_the_base_of_each(
    client: Client, crossing: None
) -> None:
    months = client.get("/statistics/features.json", {"series": "11.4"}).json()
    assert months["within"] == {"series": "11.4"}
    [json] = [c for c in months["months"][-1]["cells"] if c["label"] == "JSON functions"]
    assert json == {"label": "JSON functions", "servers": 26, "percent": 63.41, "of_servers": 41}
    assert "63.4" in client.get("/statistics/charts/features/", {"series": "11.4"}).content.decode()


def test_what_is_told_already_or_not_at_all_narrows_nothing_down(
    client: Client, crossing: None
) -> None:
    assert cells(client, "series", series="11.4") == {}
    assert cells(client, "versions", series="11.4") == {}
    assert cells(client, "architectures", **{"with": "memory:8"}) == {}
    assert cells(client, "architectures", series="9.9") == {}
    assert cells(client, "architectures", **{"with": "nonsense:8"}) == {}
    assert cells(client, "architectures", month="nonsense") == {"x86_64": 77, "aarch64": 14}
    page = client.get("/statistics/charts/architectures/", {"series": "9.9"}).content.decode()
    assert "Too few servers to be told so" in page


@pytest.mark.parametrize(
    ("chart", "asked"),
    [
        ("architectures", "with=memory:8"),  # two further facts
        ("series", "with=memory:8&with=architectures:aarch64"),
        ("series", "architectures=aarch64"),
        ("versions", "series=11.4"),
        ("systems", "with=nonsense:8"),
    ],
)
def test_what_is_never_told_says_so_and_why_instead_of_too_few_servers(
    client: Client, crossing: None, chart: str, asked: str
) -> None:
    page = client.get(f"/statistics/charts/{chart}/?{asked}").content.decode()
    assert "This is not told" in page
    assert "subtract one from another" in page
    assert "Too few servers" not in page
    told = client.get(f"/statistics/{chart}.json?{asked}").json()
    assert told["months"] == []
    assert "within a series, a system or both" in told["not_told"]
    assert client.get(f"/statistics/{chart}.json").json()["not_told"] == ""


def test_a_line_that_misses_months_says_why(client: Client, crossing: None) -> None:
    page = client.get("/statistics/charts/series/").content.decode()
    assert "11.4 is not drawn in every month: where it is missing, fewer than ten" in page
    assert "10.11 is not" not in page
    assert "is not drawn" not in client.get("/statistics/charts/tls/").content.decode()
    page = client.get("/statistics/").content.decode()
    assert "11.4 is not drawn in every month" in page
    assert "There it is part of “other”." in page


def test_a_month_that_runs_is_not_told_within_anything(
    client: Client, crossing: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    assert CrossCount.objects.filter(period__start="2026-11-01").exists()
    assert cells(client, "architectures", series="11.4") == {}
    page = client.get("/statistics/charts/architectures/", {"series": "10.11"}).content.decode()
    assert "October 2026" in page
    assert '<option value="2026-11"' not in page


def test_who_asks_for_a_part_of_a_month_that_runs_reads_why_another_is_shown(
    client: Client, crossing: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    asked = {"month": f"{NOON:%Y-%m}", "series": "10.11"}
    page = client.get("/statistics/charts/systems/", asked).content.decode()
    assert f"{NOON:%B %Y} is not over: it is not told for a part of the servers." in page
    assert f"<span>{OCTOBER:%B %Y}</span>" in page
    del asked["series"]
    assert (
        "is not over: it is"
        not in client.get("/statistics/charts/systems/", asked).content.decode()
    )


def test_two_months_are_compared_in_servers_and_percentage_points(
    client: Client, crossing: None
) -> None:
    page = client.get("/statistics/charts/systems/", {"compare": "2026-10"}).content.decode()
    assert "compared with October 2026" in page
    rows = dict(re.findall(r'<tr><th scope="row">([^<]+)</th>(.*?)</tr>', page, re.DOTALL))
    numbers = re.findall(r">([\d.,—]+)<", rows["Debian"])
    assert numbers == ["45", "49.5", "30", "100.0", "15", "50.5"]
    assert 'class="soft down"' in rows["Debian"]
    assert re.findall(r">([\d.,—]+)<", rows["Ubuntu"]) == ["46", "50.5", "—", "—", "—", "—"]


def test_the_drawing_shows_percent_or_servers_and_is_an_image_too(
    client: Client, crossing: None
) -> None:
    percent = client.get("/statistics/systems.svg").content.decode()
    servers = client.get("/statistics/systems.svg", {"unit": "servers"}).content.decode()
    assert "50 %" in percent
    assert "50 %" not in servers
    assert percent.startswith("<svg xmlns=")
    assert 'stroke="#0a6047"' in percent
    within = client.get("/statistics/architectures.svg", {"series": "11.4"})
    assert within["Content-Type"] == "image/svg+xml"
    assert "aarch64" in within.content.decode()
    assert client.get("/statistics/systems.svg", {"system": "Debian"}).status_code == 404
    assert client.get("/statistics/nothing.svg").status_code == 404


@pytest.mark.parametrize("name", list(CHARTS))
def test_every_chart_has_a_page_of_few_queries(
    client: Client,
    crossing: None,
    name: str,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    within = {} if not Within(series="10.11").fits(name) else {"series": "10.11"}
    for asked in ({}, {"compare": "2026-10", "unit": "servers"}, within):
        with django_assert_max_num_queries(5):
            answer = client.get(f"/statistics/charts/{name}/", asked)
        assert answer.status_code == 200


def test_a_page_without_numbers_says_when_there_will_be_some(client: Client) -> None:
    page = client.get("/statistics/charts/tls/").content.decode()
    assert "No numbers yet" in page
    assert client.get("/statistics/charts/nothing/").status_code == 404


def test_only_what_is_told_is_offered(client: Client, crossing: None) -> None:
    page = client.get("/statistics/charts/architectures/").content.decode()
    chosen = page.partition('id="series"')[2].partition("</select>")[0]
    assert re.findall(r'value="([^"]+)"', chosen) == ["10.11", "11.4"]
    assert 'id="with"' not in page
    page = client.get("/statistics/charts/series/").content.decode()
    assert 'value="memory:8">8 to 15<' in page
    assert 'id="series"' not in page


def test_support_and_lag_follow_from_the_catalogue() -> None:
    catalogue = Catalogue(
        {"10.11": dt.date(2026, 6, 1), "11.4": None},
        {"11.4": [(dt.date(2026, 1, 1), 1), (dt.date(2026, 4, 1), 2), (dt.date(2026, 9, 1), 3)]},
    )
    assert catalogue.is_ended("10.11", dt.date(2026, 6, 1))
    assert not catalogue.is_ended("10.11", dt.date(2026, 5, 31))
    assert catalogue.ended(dt.date(2027, 1, 1)) == {"10.11"}
    lags = [catalogue.lag("11.4", patch, dt.date(2026, 8, 31)) for patch in (0, 1, 2, 3, 9)]
    assert lags == [2, 1, 0, 0, 0]
    assert catalogue.lag("10.11", 3, dt.date(2026, 8, 31)) is None


def test_servers_past_the_end_of_their_series_are_a_chart(client: Client, crossing: None) -> None:
    add_ended_series()
    assert cells(client, "support") == {"past its end": 50, "unknown": 41}
    page = client.get("/statistics/charts/support/").content.decode()
    assert '<th scope="row">Past its end</th><td class="num">50</td>' in page


def test_every_fact_belongs_to_a_chart() -> None:
    assert set(WITHIN) | set(FACTS) <= set(CHARTS)
