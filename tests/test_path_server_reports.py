"""A server reports: a real MariaDB server, the real processes, and the page that everybody sees."""

from __future__ import annotations

import contextlib
import re
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import requests
from celery import Celery

from feedback.facts import facts_of
from feedback.fleet import body, fleet, values
from feedback.parser import server_key
from feedback.tests.clients import post, send
from tests.mariadb import reporting_server
from tests.programs import need
from tests.stack import Stack

pytestmark = pytest.mark.proof
PATIENCE = 60.0  # seconds


def wait_for(what: Callable[[], Any], why: str) -> Any:
    deadline = time.monotonic() + PATIENCE
    while not (found := what()):
        if time.monotonic() > deadline:
            pytest.fail(why)
        time.sleep(0.1)
    return found


def next_roll_up(stack: Stack) -> None:
    """What beat does every few seconds: the real worker reads the inbox and counts."""
    with Celery(broker=stack.env["REDIS_URL"], set_as_current=False) as app:
        app.send_task("feedback.tasks.drain", queue="feedback")
        wait_for(lambda: not waiting(stack), "the inbox is not read")
        app.send_task("feedback.tasks.roll_up", queue="feedback")
        stale = "SELECT 1 FROM feedback_period WHERE changes <> counted_changes"
        wait_for(lambda: not stack.sql(stale), "the periods are not counted")


def waiting(stack: Stack) -> int:
    return int(stack.sql("SELECT count(*) FROM feedback_incoming")[0][0])


def shown(stack: Stack, chart: str) -> dict[str, int]:
    """The cells of the latest month of a chart."""
    months = requests.get(f"{stack.url}/statistics/{chart}.json", timeout=10).json()["months"]
    return {cell["label"]: cell["servers"] for cell in months[-1]["cells"]}


def counted(stack: Stack, distribution: str) -> int:
    """The servers of a distribution in the latest month, before publication rounds them."""
    query = """SELECT c.servers FROM feedback_count c JOIN feedback_period p ON p.id = c.period_id
        WHERE p.unit = 'month' AND c.chart = 'system' AND c.label = %s ORDER BY p.start DESC"""
    rows = stack.sql(query, (distribution,))
    return int(rows[0][0]) if rows else 0


def port_of(stack: Stack) -> int:
    return int(stack.env["PORT"])


def what_this_machine_runs() -> dict[str, str]:
    """Version and distribution as a MariaDB server of this machine tells them."""
    (program,) = need("mariadbd")
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"Ver (\S+)", told)
    name = re.search(r'^PRETTY_NAME="?([^"\n]+)', Path("/etc/os-release").read_text(), re.M)
    assert found
    assert name
    return {"VERSION": found[1], "Uname_distribution": f"os-release: {name[1]}"}


def test_the_tenth_server_of_its_version_is_real_and_brings_it_onto_the_page(
    stack: Stack, tmp_path: Path
) -> None:
    mine = what_this_machine_runs()
    facts = facts_of({key.upper(): value for key, value in mine.items()})
    for server in fleet(9, seed=7):
        report = body(server.uid, values(server, 50) | mine | {"Uname_sysname": "Linux"})
        assert send(port_of(stack), post(report)).endswith(b"<h1>ok</h1>")
    next_roll_up(stack)
    before = counted(stack, facts.distribution)
    assert facts.version not in shown(stack, "versions")

    with reporting_server(tmp_path, f"{stack.url}/rest/v1/post") as real:
        wait_for(lambda: real.oks() >= 2, "the server did not log two answers")
    next_roll_up(stack)

    assert shown(stack, "versions")[facts.version] == 10
    after = counted(stack, facts.distribution)
    assert after == before + 1
    assert shown(stack, "distributions")[facts.distribution] == after - after % 10
    page = requests.get(f"{stack.url}/statistics/", timeout=10).text
    assert f'<th scope="row">{facts.version}</th><td class="num">10</td>' in page
    assert f'<th scope="row">{facts.distribution}</th>' in page


def test_reports_that_got_ok_survive_the_death_of_receiver_and_worker(stack: Stack) -> None:
    """Senders repeat what got no answer, as servers do; nothing is lost and nothing doubled."""
    uids = [f"survivor-{number}" for number in range(600)]
    pepper = stack.env["FEEDBACK_PEPPER"].encode()
    unanswered = 0

    def deliver(uid: str) -> None:
        nonlocal unanswered
        request = post(body(uid, {"VERSION": "10.11.1-MariaDB"}))
        while True:
            answer = b""
            try:
                answer = send(port_of(stack), request)
            except OSError:
                time.sleep(0.05)
            if answer:
                assert answer.endswith(b"<h1>ok</h1>")
                return
            unanswered += 1
            time.sleep(0.05)

    with (
        Celery(broker=stack.env["REDIS_URL"], set_as_current=False) as app,
        ThreadPoolExecutor(16) as pool,
    ):
        sending = [pool.submit(deliver, uid) for uid in uids]
        wait_for(lambda: sum(one.done() for one in sending) > 100, "no report was answered")
        stack.kill("receiver")
        time.sleep(0.3)
        stack.start("receiver")
        app.send_task("feedback.tasks.drain", queue="feedback")
        time.sleep(0.2)
        stack.kill("worker")
        for one in sending:
            one.result(timeout=PATIENCE)
        stack.start("worker")
        stack.wait_ready()
    next_roll_up(stack)
    assert unanswered > 0
    keys = [server_key(uid.encode(), pepper) for uid in uids]
    query = "SELECT count(*), count(DISTINCT server_key) FROM {} WHERE server_key = ANY(%s)"
    for table in ("feedback_report", "feedback_serverweek"):
        assert stack.sql(query.format(table), (keys,)) == [(600, 600)]


def test_without_a_receiver_the_door_answers_reports_with_silence(stack: Stack) -> None:
    stack.kill("receiver")
    try:
        request = post(body("silence", {"VERSION": "10.11.1-MariaDB"}))
        with contextlib.suppress(ConnectionResetError):
            assert send(port_of(stack), request) == b""
        assert requests.get(f"{stack.url}/statistics/", timeout=10).status_code == 200
    finally:
        stack.start("receiver")
        stack.wait_ready()
    assert send(port_of(stack), request).endswith(b"<h1>ok</h1>")


def test_a_connection_of_the_web_that_turns_to_a_report_keeps_it_too(stack: Stack) -> None:
    """One look at the first request line decides; a later report on that connection is kept."""
    with requests.Session() as session:
        session.get(f"{stack.url}/health/live", timeout=10)
        text = body("keep-alive", {"VERSION": "10.11.1-MariaDB"})
        answer = session.post(f"{stack.url}/rest/v1/post", data=text, timeout=10)
    assert answer.text.startswith("<h1>ok, deletion code ")
    next_roll_up(stack)
    key = server_key(b"keep-alive", stack.env["FEEDBACK_PEPPER"].encode())
    query = "SELECT count(*) FROM feedback_report WHERE server_key = %s"
    assert stack.sql(query, (key,)) == [(1,)]
