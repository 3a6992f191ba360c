"""What the drivers of the DB-API have in common."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from typing import Any

Operation = Callable[[], Any]


class UnsupportedError(Exception):
    """The driver cannot do this; the text is what the table of the portal says."""


def address(job: dict[str, str], *, socket: str = "unix_socket") -> dict[str, Any]:
    """Keyword arguments of `connect` for the transport that is asked for."""
    found: dict[str, Any] = {"user": job["user"], "password": job["password"]}
    if job["transport"] == "unix":
        return {**found, socket: job["socket"]}
    return {**found, "host": job["host"], "port": int(job["port"])}


def told(distribution: str, implementation: str) -> dict[str, str]:
    """The version that is installed, which `__version__` of PyMySQL for one does not say."""
    return {"version": version(distribution), "loaded": implementation}


def operation(cursor: Any, sql: str, values: list[Any]) -> Operation:
    """One execution; rows are fetched where there are some."""
    execute, fetch, given = cursor.execute, cursor.fetchall, (tuple(values),) if values else ()

    def with_rows() -> Any:
        execute(sql, *given)
        return fetch()

    def without_rows() -> None:
        execute(sql, *given)

    if is_batch(sql, values):
        return lambda: cursor.executemany(sql, [(value,) for value in values])
    return with_rows if sql.startswith("SELECT") else without_rows


def is_batch(sql: str, values: list[Any]) -> bool:
    """An INSERT of one column with more values than that: a row for each."""
    return sql.startswith("INSERT") and len(values) > 1


def operation_async(cursor: Any, sql: str, values: list[Any]) -> Operation:
    execute, fetch, given = cursor.execute, cursor.fetchall, (tuple(values),) if values else ()

    async def with_rows() -> Any:
        await execute(sql, *given)
        return await fetch()

    async def without_rows() -> None:
        await execute(sql, *given)

    async def batch() -> None:
        await cursor.executemany(sql, [(value,) for value in values])

    if is_batch(sql, values):
        return batch
    return with_rows if sql.startswith("SELECT") else without_rows
