"""The list of servers to ask: one a line, `host`, `host:port`, `[address]:port`, `/socket`."""

from __future__ import annotations

from typing import Final

PORT: Final = 3306
Address = tuple[str, int] | str


class HostError(ValueError):
    """A line that names no server; the text says which."""


def hosts(text: str) -> dict[str, Address]:
    """Each server of the list once, by its name as it was written; `#` begins a remark."""
    found: dict[str, Address] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if name := line.partition("#")[0].strip():
            try:
                found[name] = address(name)
            except ValueError as error:
                raise HostError(f"line {number}: {name!r} is no host: {error}") from error
    return found


def address(name: str) -> Address:
    """Where a server listens.

    >>> address("db1.example.org"), address("[::1]:3307"), address("/run/mysqld/mysqld.sock")
    (('db1.example.org', 3306), ('::1', 3307), '/run/mysqld/mysqld.sock')
    """
    if name.startswith("/"):
        return name
    if any(letter.isspace() for letter in name):
        raise ValueError("it has a space in it")
    if name.startswith("["):
        host, _, rest = name[1:].partition("]")
        return host, _port(rest.removeprefix(":"))
    if name.count(":") > 1:
        return name, PORT
    host, _, port = name.partition(":")
    return host, _port(port)


def _port(text: str) -> int:
    if not text:
        return PORT
    if not text.isascii() or not text.isdigit() or not 0 < int(text) < 65_536:
        raise ValueError("its port is no number from 1 to 65535")
    return int(text)
