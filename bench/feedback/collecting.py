"""Asking a thousand servers for their reports: the collector, and the method of pmysql.

That is a thread for each of 200 servers at a time, which connects, asks and waits; here with the
packets of the collector over blocking sockets. The servers are played by one process of their own.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from bench import Cost, Measurement, timed
from bench.feedback.intake import await_port
from feedback.collector import packets
from feedback.collector.gather import Way, gather
from feedback.collector.passwords import NATIVE, answer
from feedback.collector.reports import PLUGIN
from feedback.collector.talk import Account, Tls
from portal import embedded

SERVERS = 1_000
AT_ONCE = 200
RUNS = 5
SECONDS = 0.1
ACCOUNT = Account("feedback", "secret")


def measure() -> Iterator[Measurement]:
    port = embedded.free_port()
    fleet = subprocess.Popen([sys.executable, "-m", "bench.feedback._fleet", str(port)])
    try:
        await_port(port)
        ours = timed(lambda: _collect(port), runs=RUNS)
        theirs = timed(lambda: _threads(port), runs=RUNS)
    finally:
        fleet.terminate()
        fleet.wait(10)
    yield _row(ours, theirs, "not slower than the method of pmysql", ours.wall_s <= theirs.wall_s)
    reach = f"{SERVERS} servers in less than {SECONDS:g} s"
    yield _row(ours, theirs, reach, ours.wall_s < SECONDS)


def _row(ours: Cost, theirs: Cost, reach: str, reached: bool) -> Measurement:
    return Measurement(
        work="reports of a fleet collected",
        size=f"{SERVERS} servers, {AT_ONCE} at once, 25 kB each",
        ours=ours,
        peer=f"{AT_ONCE} threads with blocking sockets, as pmysql has them",
        theirs=theirs,
        reach=reach,
        reached=reached,
        runs=RUNS,
    )


def _collect(port: int) -> None:
    servers = {f"db{n}": ("127.0.0.1", port) for n in range(SERVERS)}
    found = list(gather({**servers}, Way(ACCOUNT, Tls(None), patience=10, at_once=AT_ONCE)))
    assert not [asked.error for asked in found if asked.error]


def _threads(port: int) -> None:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        sizes = list(pool.map(lambda _: _ask(port), range(SERVERS)))
    assert min(sizes) > 25_000


def _ask(port: int) -> int:
    """The size of what one server answers."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as server:
        greeting = packets.greeting(_packet(server))
        said = answer(NATIVE, ACCOUNT.password, greeting.challenge, over_tls=False)
        server.sendall(
            packets.framed(packets.sign_in(ACCOUNT.user, NATIVE, said, over_tls=False), 1)
        )
        assert _packet(server)[0] == packets.OK
        server.sendall(packets.framed(packets.QUERY + PLUGIN.encode(), 0))
        size = ends = 0
        while ends < 2:
            packet = _packet(server)
            size += len(packet)
            ends += packets.is_end(packet)
        return size


def _packet(server: socket.socket) -> bytes:
    return _exactly(server, int.from_bytes(_exactly(server, 4)[:3], "little"))


def _exactly(server: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = server.recv(size - len(data))
        if not piece:
            raise ConnectionError("cut off")
        data += piece
    return data
