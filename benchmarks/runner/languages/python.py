"""Python: each driver in a folder of its own, so that versions and dependencies never meet."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from benchmarks.runner import cache
from benchmarks.runner.drivers import Driver


def install(driver: Driver) -> None:
    name, _, version = driver.package.removeprefix("pkg:pypi/").partition("@")
    words = [sys.executable, "-m", "pip", "install", "-q", "--target", str(_folder(driver))]
    words += ["--no-binary", name] if driver.from_source else []
    cache.run([*words, "--upgrade", f"{name}=={version}"])


def missing(driver: Driver) -> str:
    return "" if any(_folder(driver).glob("*.dist-info")) else "not installed"


def command(driver: Driver) -> list[str]:
    return [_interpreter(), "-s", str(cache.WORK / "python" / "worker.py")]


def words(driver: Driver, job: Mapping[str, str]) -> dict[str, str]:
    return {"module": driver.module}


def environment(driver: Driver) -> dict[str, str]:
    return {"PYTHONPATH": str(_folder(driver)), "PYTHONDONTWRITEBYTECODE": "1"}


def _folder(driver: Driver) -> Path:
    return cache.folder("python", driver.package.removeprefix("pkg:pypi/"))


def _interpreter() -> str:
    """The Python below a virtual environment: what is installed there must not be found."""
    below = Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"
    return str(below) if below.exists() else sys.executable
