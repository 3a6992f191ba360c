"""Measure a client against itself on a real server.

`python -m benchmarks.tests.against_itself.record` writes samples.csv.gz: one line a process in the
order of measuring, with the number of its comparison, its case, its side (A or B, drawn by lot
within the comparison) and the nanoseconds an operation took in each iteration.
"""

from __future__ import annotations

import getpass
import gzip
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
CASES = {
    "do_1": "DO 1",
    "do_1_prepared": "prepared DO 1",
    "select_1": "SELECT 1",
    "select_100_rows": "SELECT seq FROM test.hundred",
    "insert": "INSERT INTO test.taken VALUES (1)",
}
COMPARISONS, PROCESSES, ITERATIONS, OPERATIONS = 50, 10, 8, 100
SEED = 20261122
PINNED = ("taskset", "-c", "1")  # client and server on one processor: "same"


def plan() -> list[tuple[int, str, str]]:
    """Number, case and side of each process: cases and sides shuffled within each comparison."""
    chance = random.Random(SEED)
    found = []
    for number in range(COMPARISONS):
        block = [(number, case, side) for case in CASES for side in "AB" for _ in range(PROCESSES)]
        chance.shuffle(block)
        found += block
    return found


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="aa-") as name:
        folder = Path(name)
        program, socket = folder / "client", folder / "s.sock"
        flags = subprocess.check_output(["mariadb_config", "--include", "--libs"], text=True)
        subprocess.run(["gcc", "-O2", "-o", program, HERE / "client.c", *flags.split()], check=True)
        account = ["--no-defaults", f"--user={getpass.getuser()}", f"--datadir={folder / 'data'}"]
        subprocess.run(
            ["mariadb-install-db", *account, "--auth-root-authentication-method=normal"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        server = subprocess.Popen(
            [*PINNED, "mariadbd", *account, f"--socket={socket}", "--skip-networking"],
            stderr=(folder / "log").open("w"),
        )
        try:
            wait(socket)
            ask(socket, "CREATE OR REPLACE DATABASE test")
            ask(socket, "CREATE TABLE test.hundred AS SELECT seq FROM test.seq_1_to_100")
            ask(socket, "CREATE TABLE test.taken (a INT) ENGINE=MyISAM")
            write(program, socket)
        finally:
            server.terminate()
            server.wait(60)


def wait(socket: Path) -> None:
    for _ in range(300):
        if socket.exists():
            return
        time.sleep(0.1)
    sys.exit("the server did not start")


def ask(socket: Path, query: str) -> None:
    subprocess.run(["mariadb", "--no-defaults", "-uroot", "-S", socket, "-e", query], check=True)


def write(program: Path, socket: Path) -> None:
    with gzip.open(HERE / "samples.csv.gz", "wt") as file:
        for number, case, side in plan():
            command = [*PINNED, str(program), str(socket), CASES[case]]
            command += [str(ITERATIONS), str(OPERATIONS), "root"]
            taken = subprocess.check_output(command, text=True)
            file.write(f"{number},{case},{side},{taken}")


if __name__ == "__main__":
    main()
