"""Reads one package, in a process that was forked for it and ends with it."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
from collections.abc import Callable
from typing import BinaryIO, Final

from releases.inspector.confinement import confine_reader

PACKAGE, ANSWER = 3, 4  # the only files that a reader has open, beside three ends of nothing

Answer = dict[str, object]
Reader = Callable[[BinaryIO, int], Answer]
READERS: Final = {"deb": "releases.inspector.debs", "rpm": "releases.inspector.rpms"}


def reader_of(kind: str) -> Reader:
    """The function that reads packages of this kind. Raises KeyError."""
    reader: Reader = importlib.import_module(READERS[kind]).inspect
    return reader


def load_readers() -> None:
    """Load every library: none can be opened later."""
    for kind in READERS:
        reader_of(kind)


def read_package(kind: str) -> None:
    """Tell of the open file PACKAGE as JSON, confined from the first byte on."""
    read = reader_of(kind)
    is_alone = confine_reader(PACKAGE)
    with open(PACKAGE, "rb", closefd=False) as stream:
        told = answer_of(read, stream) | {"is_alone": is_alone}
    with contextlib.suppress(BrokenPipeError), open(ANSWER, "wb") as file:
        file.write(json.dumps(told).encode())


def answer_of(read: Reader, stream: BinaryIO) -> Answer:
    """What is told of the package: what it says of itself, or why it is refused."""
    try:
        return read(stream, os.fstat(stream.fileno()).st_size)
    except (ValueError, MemoryError, RecursionError) as error:
        return {"refused": str(error) or "reading the package takes too much memory"}
    except Exception as error:  # createrepo_c's own errors: the package cannot be read
        return {"refused": f"the package cannot be read ({type(error).__name__})"}
