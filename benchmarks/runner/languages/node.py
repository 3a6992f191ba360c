"""Node: each driver in a folder of its own, installed by npm."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from benchmarks.runner import cache
from benchmarks.runner.drivers import Driver


def install(driver: Driver) -> None:
    where = cache.made("node", driver.slug)
    name = driver.package.removeprefix("pkg:npm/")
    cache.run(["npm", "install", "--no-audit", "--no-fund", "--prefix", str(where), name])


def missing(driver: Driver) -> str:
    return "" if (_folder(driver) / "node_modules" / driver.module).exists() else "not installed"


def command(driver: Driver) -> list[str]:
    return ["node", str(cache.WORK / "node" / "work.mjs")]


def words(driver: Driver, job: Mapping[str, str]) -> dict[str, str]:
    return {"driver": f"./{driver.module}.mjs"}


def environment(driver: Driver) -> dict[str, str]:
    return {"DRIVERS": str(_folder(driver))}


def _folder(driver: Driver) -> Path:
    return cache.folder("node", driver.slug)
