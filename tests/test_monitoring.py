"""The dashboard and the alerts against /metrics and docs/operations.md: no name is invented."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings
from redis import Redis

from portal import measured

ROOT = Path(__file__).resolve().parent.parent
ALERTS = ROOT / "deploy/prometheus/alerts.yml"
GROUPS: list[dict[str, Any]] = yaml.safe_load(ALERTS.read_text())["groups"]
RULES: list[dict[str, Any]] = [rule for group in GROUPS for rule in group["rules"]]
BOARD: dict[str, Any] = json.loads((ROOT / "deploy/grafana/portal.json").read_text())
QUERIES = [target["expr"] for panel in BOARD["panels"] for target in panel["targets"]]
NAME = re.compile(r"\bportal_\w+")
KNOWN = {"up"}  # of Prometheus itself


@pytest.fixture
def told(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> dict[str, set[str]]:
    """Names of samples in /metrics, with the labels of each."""
    for name in ("RECEIVER_URL", "TWIN_URL"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    settings.METRICS_TOKEN = "a-long-token"
    measured.count_request("home", 200, 0.01)
    with Redis.from_url(settings.REDIS_URL) as redis:
        redis.hset(measured.TASKS, mapping={"x.y failure": 1, "x.y seconds": 0.5})
        answer = client.get("/metrics", headers={"authorization": "Bearer a-long-token"})
        redis.delete(measured.TASKS)
    assert answer.status_code == 200
    families = list(text_string_to_metric_families(answer.content.decode()))
    names: dict[str, set[str]] = {family.name: set() for family in families}
    for family in families:
        for sample in family.samples:
            names.setdefault(sample.name, set()).update(sample.labels)
    return names


@pytest.mark.django_db
def test_every_metric_of_dashboard_and_alerts_is_told(told: dict[str, set[str]]) -> None:
    used = {
        name
        for text in [*QUERIES, *(rule["expr"] for rule in RULES)]
        for name in NAME.findall(text)
    }
    assert used - told.keys() == set()
    assert len(used) > 12


@pytest.mark.django_db
def test_every_metric_of_ours_is_on_the_dashboard(told: dict[str, set[str]]) -> None:
    ours = {name for name in told if name.startswith("portal_")}
    shown = {name for text in QUERIES for name in NAME.findall(text)}
    families = {re.sub(r"_(?:bucket|count|sum|total|created)$", "", name) for name in shown}
    assert {re.sub(r"_(?:bucket|count|sum|total|created)$", "", name) for name in ours} == families


@pytest.mark.django_db
def test_queues_that_are_rows_say_how_many_wait_and_how_long(client: Client, told: Any) -> None:
    assert told["portal_waiting"] == {"what"}
    assert told["portal_waiting_oldest_seconds"] == {"what"}
    assert told["portal_request_seconds_bucket"] == {"view", "status", "le"}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule["alert"]))
def test_every_alert_has_a_section_that_says_what_to_do(rule: dict[str, Any]) -> None:
    assert f"### {rule['alert']}\n" in (ROOT / "docs/operations.md").read_text()
    assert rule["labels"]["severity"] in {"page", "ticket"}
    assert rule["annotations"]["summary"]


def test_no_section_is_left_of_an_alert_that_is_gone() -> None:
    sections = re.findall(r"^### (Portal\w+)$", (ROOT / "docs/operations.md").read_text(), re.M)
    assert sections == [rule["alert"] for rule in RULES]


def test_prometheus_reads_the_rules() -> None:
    program = shutil.which("promtool")
    if program is None:
        pytest.skip("needs promtool")
    done = subprocess.run(
        [program, "check", "rules", ALERTS], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
