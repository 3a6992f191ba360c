"""A real MariaDB server with feedback switched on, as its distribution packages it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.programs import need

HERE = Path(__file__).resolve().parent


@contextmanager
def reporting_server(folder: Path, url: str) -> Iterator[Path]:
    """Run mariadbd on data of its own with `feedback_url` at `url`; yields its error log."""
    server, install, compiler = need("mariadbd", "mariadb-install-db", "gcc")
    library = folder / "shorter_waits.so"
    source = str(HERE / "shorter_waits.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", str(library), source], check=True)
    data, log = folder / "data", folder / "error.log"
    account = ["--user=root"] if os.geteuid() == 0 else []
    subprocess.run(
        [install, "--no-defaults", f"--datadir={data}", *account, "--skip-test-db"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    options = {
        "datadir": data,
        "socket": folder / "s",
        "pid-file": folder / "pid",
        "log-error": log,
        "feedback": "ON",
        "feedback-url": url,
        "innodb-buffer-pool-size": "8M",
        "innodb-log-file-size": "4M",
    }
    words = [f"--{name}={value}" for name, value in options.items()]
    process = subprocess.Popen(
        [server, "--no-defaults", "--skip-networking", *account, *words],
        env=os.environ | {"LD_PRELOAD": str(library)},
    )
    try:
        yield log
    finally:
        process.terminate()
        process.wait(60)
