"""A real MariaDB server with feedback switched on, as its distribution packages it."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.programs import need

HERE = Path(__file__).resolve().parent
PLUGIN = "feedback plugin:"
REPLIED = "server replied 'ok'"


@dataclass
class ReportingServer:
    """A running mariadbd."""

    process: subprocess.Popen[bytes]
    log: Path
    socket: Path

    def said(self) -> str:
        """Its error log so far; the plugin writes into it what it was answered."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def oks(self) -> int:
        """How many of its reports were answered with ok."""
        return self.said().count(REPLIED)

    def gave_up(self) -> bool:
        """Whether its shutdown interrupted its own sending of a report, as it wakes all threads by
        a signal (seen in one life of some thirty): nothing of that report has left it.
        """
        return f"[ERROR] {PLUGIN}" in self.said().rpartition("Normal shutdown")[2]

    def stop(self) -> float:
        """Ask it to shut down; how many seconds that took."""
        began = time.monotonic()
        self.process.terminate()
        self.process.wait(90)
        return time.monotonic() - began


@contextmanager
def reporting_server(folder: Path, url: str, **more: object) -> Iterator[ReportingServer]:
    """Run mariadbd on data of its own in `folder`, made on the first call, with `feedback_url` at
    `url`; `more` are further options of the server (`feedback_http_proxy="host:port"`).
    """
    server, install, compiler = need("mariadbd", "mariadb-install-db", "gcc")
    library, data = folder / "shorter_waits.so", folder / "data"
    account = ["--user=root"] if os.geteuid() == 0 else []
    if not data.exists():
        source = str(HERE / "shorter_waits.c")
        subprocess.run([compiler, "-shared", "-fPIC", "-o", str(library), source], check=True)
        subprocess.run(
            [install, "--no-defaults", f"--datadir={data}", *account, "--skip-test-db"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
    options = {
        "datadir": data,
        "socket": folder / "s",
        "pid-file": folder / "pid",
        "log-error": folder / "error.log",
        "feedback": "ON",
        "feedback-url": url,
        "innodb-buffer-pool-size": "8M",
        "innodb-log-file-size": "4M",
        **{name.replace("_", "-"): value for name, value in more.items()},
    }
    (folder / "error.log").unlink(missing_ok=True)
    words = [f"--{name}={value}" for name, value in options.items()]
    network = [] if "port" in more else ["--skip-networking"]
    process = subprocess.Popen(
        [server, "--no-defaults", *network, *account, *words],
        env=os.environ | {"LD_PRELOAD": str(library)},
    )
    try:
        yield ReportingServer(process, folder / "error.log", folder / "s")
    finally:
        process.terminate()
        process.wait(90)
