"""The collector asks a real MariaDB server in every way that accounts sign in, and submits."""

from __future__ import annotations

import datetime as dt
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from feedback.actions.drain import drain_inbox
from feedback.models import Report, ServerWeek
from feedback.parser import parse
from feedback.shelf import take
from portal.accounts.actions.token import issue_token
from portal.accounts.models import User
from portal.accounts.tokens import TokenScope
from portal.embedded import free_port
from tests.mariadb import ReportingServer, reporting_server
from tests.nginx import make_certificate
from tests.programs import need
from tests.test_path_server_reports import wait_for

pytestmark = [pytest.mark.proof, pytest.mark.xdist_group("mariadb")]
ROOT = Path(__file__).resolve().parent.parent
ACCOUNTS = """
CREATE OR REPLACE USER native@'%' IDENTIFIED BY 'sècret';
CREATE OR REPLACE USER ed25519@'%' IDENTIFIED VIA ed25519 USING PASSWORD('sècret');
CREATE OR REPLACE USER nobody@'%' IDENTIFIED BY 'sècret' ACCOUNT LOCK;
GRANT PROCESS ON *.* TO native@'%', ed25519@'%';
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mariadb")


@pytest.fixture(scope="module")
def fleet(home: Path) -> Iterator[str]:
    """The address of a server that listens, with TLS."""
    port = free_port()
    make_certificate(home)
    options = {
        "port": port,
        "bind_address": "127.0.0.1",
        "plugin_load_add": "auth_ed25519",
        "ssl_cert": home / "fullchain.pem",
        "ssl_key": home / "privkey.pem",
    }
    with reporting_server(home, "", **options) as server:
        run_sql(server, ACCOUNTS)
        yield f"127.0.0.1:{port}"


def run_sql(server: ReportingServer, sql: str) -> None:
    (client,) = need("mariadb")
    command = [client, "--no-defaults", f"--socket={server.socket}"]
    wait_for(server.socket.exists, "the server does not listen")
    subprocess.run(command, input=sql.encode(), check=True)


def collect(folder: Path, hosts: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    (folder / "hosts.txt").write_text(hosts)
    return subprocess.run(
        [sys.executable, "-m", "feedback.collector", str(folder / "hosts.txt"), *words],
        env=os.environ | {"COLLECTOR_PASSWORD": "sècret"} | more,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("user", ["native", "ed25519"])
@pytest.mark.parametrize("tls", ["off", "require"])
def test_every_account_gets_the_report_that_the_server_would_send(
    fleet: str, tmp_path: Path, user: str, tls: str
) -> None:
    kept = tmp_path / "reports.ndjson"
    done = collect(tmp_path, fleet, "--output", str(kept), "--user", user, "--tls", tls)
    assert done.returncode == 0, done.stderr
    assert "1 of 1 servers asked, 0 failed" in done.stderr
    values = parse(json.loads(kept.read_text())["report"].encode())
    assert len(values) > 900
    assert "MariaDB" in values["VERSION"]
    assert len(values["FEEDBACK_SERVER_UID"]) == 28


def test_a_locked_account_a_bad_certificate_and_an_absent_server_are_named(
    fleet: str, tmp_path: Path
) -> None:
    words = ["--output", str(tmp_path / "reports.ndjson")]
    assert "locked" in collect(tmp_path, fleet, *words, "--user", "nobody").stderr
    verify = collect(tmp_path, fleet, *words, "--user", "native", "--tls", "verify")
    assert "its certificate is not good" in verify.stderr
    away = collect(tmp_path, f"{fleet}\nlocalhost:1\n", *words, "--user", "native")
    assert away.returncode == 1
    assert "localhost:1: Connection refused" in away.stderr
    assert "2 of 2 servers asked, 1 failed" in away.stderr


def test_a_fleet_without_internet_is_counted(
    fleet: str, tmp_path: Path, live_server: LiveServer, charlie: User
) -> None:
    expires = timezone.now() + dt.timedelta(days=1)
    scopes = [TokenScope.SUBMIT_FEEDBACK]
    _, token = issue_token(actor=charlie, name="fleet", scopes=scopes, expires_at=expires)
    submit = ["--submit", live_server.url, "--user", "native"]
    done = collect(tmp_path, fleet, *submit, PORTAL_TOKEN=token)
    assert (done.returncode, "1 reports submitted" in done.stderr) == (0, True), done.stderr
    drain_inbox()
    assert ServerWeek.objects.described().count() == 1
    refused = collect(tmp_path, fleet, *submit, PORTAL_TOKEN="fp_wrong")
    assert refused.returncode == 3
    assert "the portal answers 401" in refused.stderr


def test_where_the_plugin_is_off_the_server_is_counted_all_the_same(
    home: Path, tmp_path: Path, live_server: LiveServer, charlie: User, fleet: str
) -> None:
    expires = timezone.now() + dt.timedelta(days=1)
    scopes = [TokenScope.SUBMIT_FEEDBACK]
    _, token = issue_token(actor=charlie, name="fleet", scopes=scopes, expires_at=expires)
    port = free_port()
    other = tmp_path / "other"
    other.mkdir()
    with reporting_server(
        other, "", port=port, feedback="OFF", sql_mode="NO_BACKSLASH_ESCAPES"
    ) as server:
        run_sql(server, "CREATE USER native@'%' IDENTIFIED BY 'sècret';")
        submit = ["--submit", live_server.url, "--user", "native"]
        done = collect(tmp_path, f"127.0.0.1:{port}", *submit, PORTAL_TOKEN=token)
    assert done.returncode == 0, done.stderr
    drain_inbox()
    [(_, values)] = take(Report.objects.all())
    assert "MariaDB" in values["VERSION"]
    assert values["InnoDB version".upper()]
    assert int(values["UPTIME"]) >= 0
    assert os.uname().nodename not in "".join(values.values())
    assert ServerWeek.objects.get().series != "other"
