from __future__ import annotations

from typing import Any

import mariadb
from dbapi import Operation, address, operation, told


def loaded() -> dict[str, str]:
    return told("mariadb", f"C extension, libmariadb {mariadb.mariadbapi_version}")


def connect(job: dict[str, str]) -> Any:
    return mariadb.connect(**address(job), database=job["database"], autocommit=True)


def unprepared(connection: Any, sql: str, values: list[Any]) -> Operation:
    return operation(connection.cursor(), sql, values)


def prepared(connection: Any, sql: str, values: list[Any]) -> Operation:
    return operation(connection.cursor(binary=True), sql, values)
