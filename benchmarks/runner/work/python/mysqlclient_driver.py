from __future__ import annotations

from typing import Any

import MySQLdb
from dbapi import Operation, UnsupportedError, address, operation, told


def loaded() -> dict[str, str]:
    return told("mysqlclient", f"C extension, libmariadb {MySQLdb.get_client_info()}")


def connect(job: dict[str, str]) -> Any:
    return MySQLdb.connect(**address(job), database=job["database"], autocommit=True)


def unprepared(connection: Any, sql: str, values: list[Any]) -> Operation:
    return operation(connection.cursor(), sql.replace("?", "%s"), values)


def prepared(connection: Any, sql: str, values: list[Any]) -> Operation:
    raise UnsupportedError("mysqlclient has no server-side prepared statements")
