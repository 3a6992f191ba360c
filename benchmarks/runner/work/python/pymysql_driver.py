from __future__ import annotations

from typing import Any

import pymysql
from dbapi import Operation, UnsupportedError, address, operation, told


def loaded() -> dict[str, str]:
    return told("pymysql", "pure Python")


def connect(job: dict[str, str]) -> Any:
    return pymysql.connect(**address(job), database=job["database"], autocommit=True)


def unprepared(connection: Any, sql: str, values: list[Any]) -> Operation:
    return operation(connection.cursor(), sql.replace("?", "%s"), values)


def prepared(connection: Any, sql: str, values: list[Any]) -> Operation:
    raise UnsupportedError("PyMySQL has no server-side prepared statements")
