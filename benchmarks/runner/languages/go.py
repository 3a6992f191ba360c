"""Go: one program with its driver, at the version that go.mod and go.sum pin."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from benchmarks.runner import cache
from benchmarks.runner.drivers import Driver


def install(driver: Driver) -> None:
    cache.made("go")
    cache.run(["go", "build", "-o", str(_program()), "."], cwd=cache.WORK / "go")


def missing(driver: Driver) -> str:
    return "" if _program().exists() else "not compiled"


def command(driver: Driver) -> list[str]:
    return [str(_program())]


def words(driver: Driver, job: Mapping[str, str]) -> dict[str, str]:
    return {}


def environment(driver: Driver) -> dict[str, str]:
    return {}


def _program() -> Path:
    return cache.folder("go", "work")
