"""What is there and how quiet the machine is, before anything is measured."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from collections.abc import Collection
from pathlib import Path

from benchmarks.runner import noise
from benchmarks.runner.cache import CannotError, folder
from benchmarks.runner.drivers import Driver, all_drivers
from benchmarks.runner.languages import LANGUAGES
from benchmarks.runner.server import ServerError, server_program

LOOK_SECONDS = 1.0
PROGRAMS = ("gcc", "java", "javac", "mvn", "node", "npm", "go")


def look(slugs: Collection[str], *, install: bool) -> int:
    """Tell everything; 1 when no server or no driver is there."""
    drivers = [one for one in all_drivers().values() if not slugs or one.slug in slugs]
    for line in [*machine(), *programs()]:
        tell(line)
    if install:
        for one in drivers:
            tell(f"installing  {one.label}: {_install(one) or 'there'}")
    tell(f"drivers     in {folder()}")
    ready = 0
    for one in drivers:
        why = LANGUAGES[one.language].missing(one)
        ready += not why
        tell(f"  {one.slug:22} {one.label:32} {why or 'there'}")
    return 0 if ready and server() else 1


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _install(driver: Driver) -> str:
    try:
        LANGUAGES[driver.language].install(driver)
    except CannotError as problem:
        return str(problem)
    return ""


def machine() -> list[str]:
    """Processors, their governor, and what others take of them at this moment."""
    before = noise.now()
    time.sleep(LOOK_SECONDS)
    after = noise.now()
    total = (after.total - before.total) or 1
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    governor = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    return [
        f"processors  {os.cpu_count()}, {cpus} of them for this process",
        f"governor    {governor.read_text().strip() if governor.exists() else 'not told'}",
        f"placement   {'same and different' if cpus > 1 else 'same only: one processor'}",
        f"busy        {(after.busy - before.busy) / total:.0%} of all processors with other work",
        f"stolen      {(after.steal - before.steal) / total:.1%} by the host",
        f"load        {os.getloadavg()[0]:.2f}",
        f"calibration {noise.calibration():.1f} ns a step, {noise.calibration():.1f} again",
        f"server      {server() or 'none: install mariadb-server or give --server'}",
        f"Python      {platform.python_version()}",
    ]


def server() -> str:
    try:
        return _first_line([server_program(), "--version"])
    except ServerError:
        return ""


def programs() -> list[str]:
    flags = {"java": "-version", "javac": "-version", "go": "version"}
    return [f"{name:11} {_first_line([name, flags.get(name, '--version')])}" for name in PROGRAMS]


def _first_line(words: list[str]) -> str:
    try:
        done = subprocess.run(words, check=False, capture_output=True, text=True, timeout=60)
    except OSError:
        return "not installed"
    lines = (done.stdout or done.stderr).splitlines()
    return lines[0] if lines else "says nothing"
