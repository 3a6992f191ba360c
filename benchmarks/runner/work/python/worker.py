"""One measurement of one Python driver in its own process, told by `key=value` arguments.

It says `ready`, waits for a line, measures, says `done`, waits again: the runner reads the
server's counters in between. work/README.md has the whole conversation. Standard library only.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import json
import platform
import sys
import time
from collections.abc import Awaitable, Callable
from itertools import repeat
from typing import Any

Operation = Callable[[], Any]


def main(words: list[str]) -> int:
    job = dict(word.split("=", 1) for word in words)
    try:
        driver = importlib.import_module(job["module"])
        if inspect.iscoroutinefunction(driver.connect):
            asyncio.run(measure_async(driver, job))
        else:
            measure(driver, job)
    except Exception as error:
        say("error", reason=f"{type(error).__name__}: {error}"[:900])
        return 1
    return 0


def say(word: str, **facts: Any) -> None:
    print(word, json.dumps(facts), flush=True)


def parameters(text: str) -> list[Any]:
    """`i:42;d:1.5;s:3` as 42, 1.5 and "xxx"."""
    kinds: dict[str, Callable[[str], Any]] = {
        "i": int,
        "d": float,
        "s": lambda size: "x" * int(size),
    }
    return [kinds[one[0]](one[2:]) for one in text.split(";") if one]


def checked(rows: Any) -> str:
    """What came back, in the form that every language says it in; a number counts written rows."""
    rows = rows if isinstance(rows, list | tuple) else []
    return f"{len(rows)} x {len(rows[0])}: {rows[0][0]}" if rows else "0 x 0: "


def operation_of(driver: Any, connection: Any, job: dict[str, str]) -> Any:
    sql, values = job["sql"], parameters(job.get("binds", ""))
    if sql == "CONNECT":
        return lambda: driver.connect(job).close()
    if job["prepare"] == "server":
        return driver.prepared(connection, sql, values)
    return driver.unprepared(connection, sql, values)


def steps(job: dict[str, str], rate: float) -> int:
    """Operations of one sample: as many as fit into its time, or a fixed number."""
    return int(job["ops"]) or max(1, round(rate * float(job["seconds"])))


def measure(driver: Any, job: dict[str, str]) -> None:
    connection = driver.connect(job)
    operation = operation_of(driver, connection, job)
    before = checked(operation())
    begun, done, warm = time.perf_counter(), 0, float(job["warmup"])
    while (spent := time.perf_counter() - begun) < warm or not done:
        operation()
        done += 1
    count = steps(job, done / (spent or time.perf_counter() - begun))
    ready(driver, before)
    samples = [timed(operation, count) for _ in range(int(job["samples"]))]
    finished(samples, count)
    say("checked", check=checked(operation()))


def timed(operation: Operation, count: int) -> tuple[int, int]:
    """Wall and processor time of so many operations, in ns."""
    cpu, wall = time.process_time_ns(), time.perf_counter_ns()
    for _ in repeat(None, count):
        operation()
    return time.perf_counter_ns() - wall, time.process_time_ns() - cpu


async def measure_async(driver: Any, job: dict[str, str]) -> None:
    connection = await driver.connect(job)
    operation = await operation_async_of(driver, connection, job)
    before = checked(await operation())
    begun, done, warm = time.perf_counter(), 0, float(job["warmup"])
    while (spent := time.perf_counter() - begun) < warm or not done:
        await operation()
        done += 1
    count = steps(job, done / (spent or time.perf_counter() - begun))
    ready(driver, before)
    samples = [await timed_async(operation, count) for _ in range(int(job["samples"]))]
    finished(samples, count)
    say("checked", check=checked(await operation()))


async def operation_async_of(driver: Any, connection: Any, job: dict[str, str]) -> Any:
    async def connect() -> None:
        (await driver.connect(job)).close()

    return connect if job["sql"] == "CONNECT" else await operation_of(driver, connection, job)


async def timed_async(operation: Callable[[], Awaitable[Any]], count: int) -> tuple[int, int]:
    cpu, wall = time.process_time_ns(), time.perf_counter_ns()
    for _ in repeat(None, count):
        await operation()
    return time.perf_counter_ns() - wall, time.process_time_ns() - cpu


def ready(driver: Any, check: str) -> None:
    runtime = f"{platform.python_implementation()} {platform.python_version()}"
    say("ready", **driver.loaded(), runtime=runtime, check=check)
    sys.stdin.readline()


def finished(samples: list[tuple[int, int]], count: int) -> None:
    say("done", ops=count, samples=samples)
    sys.stdin.readline()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
