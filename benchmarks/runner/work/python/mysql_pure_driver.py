from __future__ import annotations

from typing import Any

import mysql.connector
from dbapi import Operation, address, operation, told


def loaded() -> dict[str, str]:
    return told("mysql-connector-python", "pure Python")


def connect(job: dict[str, str]) -> Any:
    return mysql.connector.connect(
        **address(job),
        database=job["database"],
        autocommit=True,
        use_pure=True,
        ssl_disabled=True,
        charset="utf8mb4",
        collation="utf8mb4_general_ci",
    )


def unprepared(connection: Any, sql: str, values: list[Any]) -> Operation:
    return operation(connection.cursor(), sql.replace("?", "%s"), values)


def prepared(connection: Any, sql: str, values: list[Any]) -> Operation:
    return operation(connection.cursor(prepared=True), sql, values)
