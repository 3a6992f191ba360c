from __future__ import annotations

from typing import Any

import aiomysql
from dbapi import Operation, UnsupportedError, address, operation_async, told


def loaded() -> dict[str, str]:
    return told("aiomysql", "pure Python on PyMySQL, asyncio")


async def connect(job: dict[str, str]) -> Any:
    return await aiomysql.connect(**address(job), db=job["database"], autocommit=True)


async def unprepared(connection: Any, sql: str, values: list[Any]) -> Operation:
    cursor = connection.cursor()
    cursor = await cursor if hasattr(cursor, "__await__") else cursor
    return operation_async(cursor, sql.replace("?", "%s"), values)


async def prepared(connection: Any, sql: str, values: list[Any]) -> Operation:
    raise UnsupportedError("aiomysql has no server-side prepared statements")
