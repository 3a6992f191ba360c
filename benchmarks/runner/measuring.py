"""One measurement in one process: started, told its job, listened to, its counters read."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer
from typing import Any, Final

from benchmarks.runner import cache, noise
from benchmarks.runner.cache import CannotError
from benchmarks.runner.languages import LANGUAGES
from benchmarks.runner.plan import JAVA_WARMUP, Measurement
from benchmarks.runner.server import DATABASE, Server

GRACE: Final = 60  # seconds of a process beyond what it was asked to take


@dataclass(frozen=True)
class Taken:
    """What one process measured: ns of wall and of own processor time for ``ops`` operations."""

    ops: int
    samples: Sequence[tuple[int, int]]
    told: dict[str, str]
    counted: dict[str, int] = field(default_factory=dict)

    @property
    def all_ops(self) -> int:
        return self.ops * len(self.samples)


class Conversation:
    """The lines between the runner and a program of `work/`."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        if process.stdin is None or process.stdout is None:
            raise TypeError("a process without pipes cannot be talked to")
        self.process, self.there, self.back = process, process.stdin, process.stdout

    def hear(self, word: str) -> dict[str, Any]:
        """Facts of the expected line. Raises `CannotError` with what the program says instead."""
        for line in self.back:
            said, _, facts = line.partition(" ")
            if said == word:
                return dict(json.loads(facts))
            if said == "error":
                raise CannotError(str(json.loads(facts)["reason"])[:900])
        raise CannotError(f"ended without a word (status {self.process.wait()})")

    def go_on(self) -> None:
        self.there.write("\n")
        self.there.flush()


def take(
    one: Measurement, server: Server, cpus: Collection[int] | None, heard: noise.Noise
) -> Taken:
    """Measure in a new process, or in several that work at the same time.

    Raises `CannotError` when the driver cannot, with its reason.
    """
    if not one.driver.is_embedded and one.work.setup:
        server.ask(";".join(one.work.setup))
    with ExitStack() as stack:
        talks = [stack.enter_context(_talking(one, server, cpus)) for _ in range(one.threads)]
        return _listen(one, server, talks, heard)


@contextmanager
def _talking(
    one: Measurement, server: Server, cpus: Collection[int] | None
) -> Iterator[Conversation]:
    """A program that was told its job; it and its folder are gone afterwards."""
    language = LANGUAGES[one.driver.language]
    with tempfile.TemporaryDirectory(prefix="connector-bench-") as folder:
        words = _words(one, server, folder)
        extra = language.environment(one.driver)
        with (Path(folder) / "errors").open("w+") as errors, noise.pinned(cpus):
            process = subprocess.Popen(
                [*language.command(one.driver), *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**os.environ, **extra},
                cwd=folder,
            )
        limit = Timer(GRACE + one.timing.warmup * 6, process.kill)
        limit.start()
        try:
            yield Conversation(process)
        except CannotError as problem:
            raise CannotError(_with(problem, Path(folder) / "errors")) from None
        finally:
            limit.cancel()
            process.kill()
            process.communicate()


def _listen(
    one: Measurement, server: Server, talks: Sequence[Conversation], heard: noise.Noise
) -> Taken:
    told = [talk.hear("ready") for talk in talks]
    pids = [talk.process.pid for talk in talks]
    cost = {} if one.driver.is_embedded else server.counting()
    counters, before = _counters(one, server), noise.now(server.pid, *pids)
    for talk in talks:
        talk.go_on()
    done = [talk.hear("done") for talk in talks]
    after = noise.now(server.pid, *pids)
    counted = {
        name: value - counters[name] - cost[name] for name, value in _counters(one, server).items()
    }
    heard.add(before, after)
    for talk in talks:
        talk.go_on()
    for said in [*told, *(talk.hear("checked") for talk in talks)]:
        if not str(said["check"]).startswith(one.work.expected):
            raise CannotError(f"wrong result: {said['check']} instead of {one.work.expected}")
    facts = {name: str(value) for name, value in told[0].items()}
    return Taken(sum(int(one["ops"]) for one in done), _together(done), facts, counted)


def _together(done: Sequence[Mapping[str, Any]]) -> list[tuple[int, int]]:
    """Samples of workers at the same time: the wall time of the last, the work of all."""
    rounds = zip(*(one["samples"] for one in done), strict=True)
    return [
        (max(int(wall) for wall, _cpu in round_), sum(int(cpu) for _wall, cpu in round_))
        for round_ in rounds
    ]


def _counters(one: Measurement, server: Server) -> dict[str, int]:
    """The embedded server has nobody whom one could ask from outside."""
    return {} if one.driver.is_embedded else server.counters()


def _words(one: Measurement, server: Server, folder: str) -> list[str]:
    timing, work = one.timing, one.work
    warmer = JAVA_WARMUP if one.driver.language == "java" else 1
    job = {
        "transport": one.transport,
        "host": server.host,
        "port": str(server.port),
        "socket": server.socket,
        "user": server.user,
        "password": server.password,
        "database": DATABASE,
        "datadir": folder,
        "thread": one.thread or "main",
        "prepare": one.prepare,
        "sql": work.sql,
        "binds": work.binds,
        "warmup": str(timing.warmup * warmer),
        "samples": str(min(timing.samples, work.most_samples)),
        "seconds": str(timing.seconds),
        "ops": str(work.ops),
    }
    job |= LANGUAGES[one.driver.language].words(one.driver, job)
    setup = [f"setup={sql}" for sql in work.setup] if one.driver.is_embedded else []
    return [f"{name}={value}" for name, value in job.items()] + setup


def _with(problem: CannotError, errors: Path) -> str:
    """The reason, or the last line of standard error where a program just died; no home folder."""
    text = str(problem)
    lines = errors.read_text(errors="replace").strip().splitlines()
    text = f"{text}: {lines[-1][:400]}" if text.startswith("ended") and lines else text
    return text.replace(f"{cache.folder()}/", "").replace(str(Path.home()), "~")
