"""Ways to change a bundle: by a bit, by a value, and as somebody would who hides it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from hashlib import sha256
from random import Random
from typing import Any

from governance.bundle import chain
from governance.recount import bundle
from governance.recount.files import BALLOTS, BLOCKS, RESULT

Files = dict[str, bytes]
Path = tuple[str | int, ...]
_TOKEN = re.compile(
    rb'(?P<key>"(?P<name>[^"]*)" ?:)|(?P<text>"(?:[^"\\]|\\.)*")|(?P<number>[-\w.]+)|(?P<end>\n)'
    rb"|(?P<mark>[^\w\n])"
)


def flipped(data: bytes, at: int, bit: int) -> bytes:
    return data[:at] + bytes([data[at] ^ (1 << bit)]) + data[at + 1 :]


def classes(data: bytes) -> dict[tuple[str, str], list[int]]:
    """The places of a text by what stands there: below which key, and a key, a value or a mark."""
    found: dict[tuple[str, str], list[int]] = {}
    name = ""
    for token in _TOKEN.finditer(data):
        if token["key"]:
            name = token["name"].decode(errors="replace")
        kind = token.lastgroup or ""
        kind = "key" if kind == "name" else kind
        found.setdefault((name, kind), []).extend(range(token.start(), token.end()))
    return found


def places(data: bytes, chosen: Random, most: int) -> Iterator[int]:
    """Some places of every class of a text."""
    for each in classes(data).values():
        yield from sorted(chosen.sample(each, min(most, len(each))))


def hidden(files: Files, name: str, data: bytes) -> Files:
    """The file changed by somebody who has everything agree that nobody signed."""
    found = files | {name: data}
    if name != RESULT:
        result = json.loads(found[RESULT])
        result["inputs"][name] = sha256(data).hexdigest()
        found[RESULT] = chain.canonical(result)
    return bundle.summed(found)


def altered(data: bytes, name: str) -> Iterator[tuple[Path, bytes]]:
    """The text with another value in one place, for every value in it; written as it has to be."""
    if name in {BALLOTS, BLOCKS}:
        lines = data.splitlines()
        for number, line in enumerate(lines):
            for path, document in _altered(json.loads(line)):
                text = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
                every = [*lines[:number], text, *lines[number + 1 :]]
                yield (number, *path), b"".join(b"%b\n" % each for each in every)
    else:
        for path, document in _altered(json.loads(data)):
            yield path, chain.canonical(document)


def _altered(document: Any) -> Iterator[tuple[Path, Any]]:
    for path in _paths(document):
        other = deepcopy(document)
        holder = other
        for step in path[:-1]:
            holder = holder[step]
        holder[path[-1]] = _another(holder[path[-1]])
        yield path, other


def _paths(document: Any, at: Path = ()) -> Iterator[Path]:
    inside = (
        document.items()
        if isinstance(document, dict)
        else enumerate(document)
        if isinstance(document, list)
        else ()
    )
    if at and not (isinstance(document, dict | list) and document):
        yield at
    for step, value in inside:
        yield from _paths(value, (*at, step))


def _another(value: Any) -> Any:
    """Of the same kind, as far as there is one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value[:-1] + ("b" if value[-1:] == "a" else "a")
    return {"0": 0} if value == {} else [0] if value == [] else 0
