"""Sealed ballots: checking one, and a thousand that are cast by a hundred voters at once.

The box is its own process, on a PostgreSQL that flushes; a receipt leaves when its ballot is on the
disk. The processor time is that of the box alone: who votes and the database have their own.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil

from bench import Cost, Measurement, timed
from governance.box.client import SocketBallotBox
from governance.registrar.client import SocketRegistrar
from governance.sealed import ballot, blind, wire
from governance.tests import offices, sealed_election
from governance.tests.offices import CONTRIBUTORS, Election
from portal import embedded

BALLOTS, VOTERS, RUNS = 1000, 100, 5
CHECK_REACH = 0.0008  # seconds for one ballot
SIGNATURES = 50
OPEN = {"opens_at": "2026-01-01T00:00:00+00:00", "closes_at": "2036-01-01T00:00:00+00:00"}


def measure() -> Iterator[Measurement]:
    election = Election(changed=dict(OPEN))
    lines = election.lines(BALLOTS // 10)
    yield _checking(election, lines)
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder)
        environ: dict[str, str] = {}
        with embedded.provided(state / "services", environ):
            os.environ["DATABASE_URL"] = environ["DATABASE_URL"]
            election.keep_keys(state)
            yield _casting(election, state)
            yield _signing(election, state)


def _checking(election: Election, lines: list[bytes]) -> Measurement:
    contest = election.manifest.contest(CONTRIBUTORS)

    def check() -> None:
        for line in lines:
            found = wire.read_ballot(line)
            ballot.check(
                found, contest=contest.name, registrar=contest.registrar, size=contest.size
            )

    whole = timed(check, runs=RUNS)
    one = Cost(whole.wall_s / len(lines), whole.cpu_s / len(lines), whole.rss_mb)
    reach = f"at most {CHECK_REACH * 1000} ms of a processor"
    return Measurement("check", "one ballot", one, reach, one.cpu_s <= CHECK_REACH, RUNS)


def _casting(election: Election, state: Path) -> Measurement:
    voters = [sealed_election.voter(CONTRIBUTORS) for _ in range(VOTERS)]
    times = BALLOTS // VOTERS
    papers = [
        [election.line(who, sequence=number) for number in range(1, times + 1)] for who in voters
    ]
    with offices.own_address() as url:
        process = offices.start("box", state, url)
        try:
            box = SocketBallotBox(state / "box.sock")
            offices.wait(box)
            box.open(election.text, election.signatures)
            with ThreadPoolExecutor(VOTERS) as pool:
                cost = _cost(
                    process.pid,
                    lambda: list(pool.map(lambda each: [box.cast(line) for line in each], papers)),
                )
        finally:
            process.kill()
            process.wait()
    size = f"{BALLOTS} ballots of {VOTERS} at once"
    return Measurement("cast", size, cost, "shown; stored before each receipt", True, 1)


def _signing(election: Election, state: Path) -> Measurement:
    public = sealed_election.registrar_key(CONTRIBUTORS).public_key()
    roll = len(election.manifest.contest(CONTRIBUTORS).roll)
    asked = [(number, blind.blind(public, b"bench")[0]) for number in range(1, roll + 1)]
    with offices.own_address() as url:
        process = offices.start("registrar", state, url)
        try:
            registrar = SocketRegistrar(state / "registrar.sock")
            offices.wait(registrar)
            registrar.open(election.text, election.signatures)
            cost = _cost(
                process.pid,
                lambda: [
                    registrar.sign(CONTRIBUTORS, *asked[turn % roll]) for turn in range(SIGNATURES)
                ],
            )
        finally:
            process.kill()
            process.wait()
    one = Cost(cost.wall_s / SIGNATURES, cost.cpu_s / SIGNATURES, cost.rss_mb)
    return Measurement("sign blindly", "one pseudonym", one, "shown", True, 1)


def _cost(number: int, work: Callable[[], object]) -> Cost:
    """On the clock; of the process with this number."""
    process = psutil.Process(number)
    before, began = process.cpu_times(), time.perf_counter()
    work()
    wall, after = time.perf_counter() - began, process.cpu_times()
    cpu = after.user + after.system - before.user - before.system
    return Cost(wall, cpu, process.memory_info().rss / 2**20)
