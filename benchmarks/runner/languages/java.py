"""Java: one program for all JDBC drivers; the jars by Maven coordinates, checked by SHA-256."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from benchmarks.runner import cache
from benchmarks.runner.drivers import Driver

GET = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"


def install(driver: Driver) -> None:
    cache.run(["javac", "-d", str(cache.made("java", "classes")), str(_source())])
    jar = _jar(driver)
    if not jar.exists():
        where = cache.made("java", "jars")
        cache.run(
            ["mvn", "-q", "-B", GET, f"-Dartifact={driver.module}", f"-DoutputDirectory={where}"]
        )
    found = hashlib.sha256(jar.read_bytes()).hexdigest()
    if found != driver.sha256:
        jar.unlink()
        raise cache.CannotError(f"the jar is another one than expected: SHA-256 {found}")


def missing(driver: Driver) -> str:
    if not (cache.folder("java", "classes") / "Work.class").exists():
        return "not compiled"
    return "" if _jar(driver).exists() else "not installed"


def command(driver: Driver) -> list[str]:
    path = f"{cache.folder('java', 'classes')}:{_jar(driver)}"
    return ["java", "-Xms1g", "-Xmx4g", "-cp", path, "Work"]


def words(driver: Driver, job: Mapping[str, str]) -> dict[str, str]:
    """The driver's own form of an address; raises `CannotError` for a transport it lacks."""
    pattern = driver.url.get(job["transport"])
    if pattern is None:
        raise cache.CannotError(f"{driver.label} has no Unix sockets without further libraries")
    more = driver.prepared if job["prepare"] == "server" else ""
    return {"url": pattern.format(**job) + more, "version": driver.version}


def environment(driver: Driver) -> dict[str, str]:
    return {}


def _source() -> Path:
    return cache.WORK / "java" / "Work.java"


def _jar(driver: Driver) -> Path:
    _group, name, version = driver.module.split(":")
    return cache.folder("java", "jars") / f"{name}-{version}.jar"
