"""C: one small program, compiled on the spot against what the system has."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from benchmarks.runner import cache
from benchmarks.runner.drivers import Driver


def install(driver: Driver) -> None:
    config = _config()
    include = cache.run([config, "--cflags"]).split()
    source = str(cache.WORK / "c" / "work.c")
    program = cache.made("c") / driver.module
    cache.run(["gcc", "-O2", "-o", str(program), source, *include, *_link(driver, config)])


def _config() -> str:
    for name in ("mariadb_config", "mysql_config"):
        try:
            cache.run([name, "--version"])
        except cache.CannotError:
            continue
        return name
    raise cache.CannotError("mariadb_config is not installed (package libmariadb-dev)")


def _link(driver: Driver, config: str) -> list[str]:
    folders = [word for word in cache.run([config, "--libs"]).split() if word.startswith("-L")]
    if driver.module == "shared":
        return [*cache.run([config, "--libs"]).split(), "-lpthread"]
    if driver.module == "static":
        others = cache.run(["pkg-config", "--static", "--libs", "libmariadb"]).split()
        archive = [word.replace("-lmariadb", "-l:libmariadb.a") for word in others]
        return [*folders, *archive, "-lpthread"]
    return ["-DEMBEDDED", *folders, "-lmariadbd", "-lpthread"]


def missing(driver: Driver) -> str:
    return "" if _program(driver).exists() else "not compiled"


def command(driver: Driver) -> list[str]:
    return [str(_program(driver))]


def words(driver: Driver, job: Mapping[str, str]) -> dict[str, str]:
    return {"link": driver.module}


def environment(driver: Driver) -> dict[str, str]:
    return {}


def _program(driver: Driver) -> Path:
    return cache.folder("c", driver.module)
