"""Thousands of connections that send a byte a second stop nobody who has a report to send."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import pytest

from feedback.models import Incoming
from feedback.tests.clients import report
from feedback.tests.conftest import database_url
from portal.embedded import free_port

HONEST = 100
LONGEST = 1.0  # seconds for an honest report
MEMORY = 400 * 2**20
BEGUN = b"POST /rest/v1/post HTTP/1.0\r\nContent-Length: 25000\r\n\r\n"


@contextmanager
def receiver_process(files: int) -> Iterator[tuple[int, psutil.Process]]:
    """A receiver that may open so many files; its port and process."""
    port = free_port()
    environ = os.environ | {
        "RECEIVER_PORT": str(port),
        "LISTEN_HOST": "127.0.0.1",
        "DATABASE_URL": database_url(),
        "FEEDBACK_PEPPER": "pepper",
    }
    limited = ["sh", "-c", f'ulimit -n {files} && exec "$@"', "sh"]
    words = [*limited, sys.executable, "-m", "feedback.receiver"]
    process = subprocess.Popen(words, env=environ)
    try:
        yield port, psutil.Process(process.pid)
    finally:
        process.kill()
        process.wait()


async def connected(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    for _ in range(200):
        with contextlib.suppress(OSError):
            return await asyncio.open_connection("127.0.0.1", port)
        await asyncio.sleep(0.05)
    raise AssertionError("no connection is taken")


async def honest(port: int, number: int) -> float:
    """How long a report takes that is sent as a server sends it."""
    began = time.monotonic()
    reader, writer = await connected(port)
    writer.write(report({"VERSION": "11.4.2-MariaDB"}, f"honest-{number}"))
    answer = await reader.read()
    writer.close()
    assert answer.endswith(b"<h1>ok</h1>")
    return time.monotonic() - began


async def among_slow_ones(port: int, process: psutil.Process, slow: int) -> list[float]:
    """What honest senders need while so many others send a byte a second."""
    writers = [(await connected(port))[1] for _ in range(slow)]
    for writer in writers:
        writer.write(BEGUN)

    async def dribble() -> None:
        while True:
            for number, writer in enumerate(writers):
                writer.write(b"x")
                if number % 100 == 0:
                    await asyncio.sleep(100 / slow)

    dribbling = asyncio.create_task(dribble())
    await asyncio.sleep(1)
    times = [await honest(port, number) for number in range(HONEST)]
    assert process.memory_info().rss < MEMORY
    dribbling.cancel()
    for writer in writers:
        writer.transport.abort()
    return times


def dribble_and_measure(slow: int, files: int) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < slow + 500:
        pytest.skip(f"needs {slow + 500} open files; this system allows {most}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with receiver_process(files) as (port, process):
        times = asyncio.run(among_slow_ones(port, process, slow))
    assert max(times) < LONGEST
    assert Incoming.objects.count() == HONEST


@pytest.mark.proof
def test_more_slow_senders_than_places_stop_nobody(transactional_db: None) -> None:
    dribble_and_measure(1_500, files=1_000)


@pytest.mark.proof
def test_two_thousand_slow_senders_stop_nobody(transactional_db: None) -> None:
    dribble_and_measure(2_000, files=4_000)


@pytest.mark.proof_full
def test_ten_thousand_slow_senders_stop_nobody(transactional_db: None) -> None:
    dribble_and_measure(10_000, files=13_000)
