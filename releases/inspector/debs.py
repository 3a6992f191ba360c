"""What a .deb says of itself, checked."""

from __future__ import annotations

from typing import BinaryIO

from releases.repository import deb


def inspect(stream: BinaryIO, size: int) -> dict[str, object]:
    control = deb.read(stream, size)
    source = control.fields.get("Source", control.package).split(" ")[0]
    if not deb.PACKAGE.fullmatch(source):
        raise deb.DebError("the source name is not allowed: use a-z, 0-9 and + . -")
    return {
        "name": control.package,
        "version": control.version,
        "architecture": control.architecture,
        "source": source,
        "section": control.fields.get("Section", ""),
        "control": control.text,
    }
