"""Real files, damaged: each is read or refused with its place, never an exception.

What is read stays within the caps, and the numbers that are there are all in the document or told
of in its remarks.
"""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from math import isfinite
from pathlib import Path
from typing import Any, Final

import pytest

from benchmarks.documents import Document, RefusedError
from benchmarks.readers import READERS, limits, take
from benchmarks.tests.test_formats import REAL
from benchmarks.tests.test_readers import NOW

ODD: Final[tuple[Any, ...]] = (
    *(None, True, 0, -1, 1.5, "", "x", [], {}, [1], {"a": 1}, [[]], [None], 1e308, "NaN", 10**30),
    *(float("nan"), float("inf"), "a\nb", "\x07", "/home/eve/x", {"name": 7}),
)
PIECES: Final = (b"NaN", b"-", b"1e999", b"\n", b'"', b",", b"0", b"\x07", b"\xff", b"ns/op")
NAMES: Final = ("x", "params", "error", "unit", "name", "stats", "runs", "metadata")


def odd(chance: random.Random) -> Any:
    """Something that belongs nowhere; its own each time, since later damage may go into it."""
    return copy.deepcopy(chance.choice(ODD))


def places(data: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if at:
        yield at
    entries: Any = ()
    if isinstance(data, dict):
        entries = data.items()
    elif isinstance(data, list):
        entries = enumerate(data[:4])
    for step, value in entries:
        yield from places(value, (*at, step))


def damaged_data(data: Any, chance: random.Random) -> Any:
    data = copy.deepcopy(data)
    for _time in range(chance.choice([1, 1, 2, 3])):
        found = list(places(data))
        if not found:
            break
        *parents, last = chance.choice(found)
        here = data
        for step in parents:
            here = here[step]
        what = chance.random()
        if what < 0.6:
            here[last] = odd(chance)
        elif what < 0.8:
            del here[last]
        elif isinstance(here, dict):
            here[chance.choice(NAMES)] = odd(chance)
        else:
            here.append(odd(chance))
    return data


def damaged_bytes(raw: bytes, chance: random.Random) -> bytes:
    found = bytearray(raw)
    for _time in range(chance.choice([1, 1, 2, 5])):
        at = chance.randrange(len(found) + 1)
        what = chance.random()
        if what < 0.3:
            found[at : at + 1] = bytes([chance.randrange(256)])
        elif what < 0.5:
            del found[at : at + chance.randrange(1, 30)]
        elif what < 0.7:
            found[at:at] = chance.choice(PIECES)
        elif what < 0.85:
            del found[at:]
        else:
            begin = chance.randrange(len(found) + 1)
            found[at:at] = found[begin : begin + 40]
    return bytes(found)


def taken(raw: bytes) -> Document | None:
    """The document, checked; None for a refusal that says why."""
    try:
        document = take(raw, now=NOW).document
    except RefusedError as error:
        if not error.reason:
            raise
        return None
    limits.check(document, now=NOW)
    for one in document.results:
        values = [value for process in one.samples for value in process]
        assert all(isfinite(value) and value >= 0 for value in values)
        assert values or one.summary or one.error
    return document


def walk(folder: Path, name: str, *, seed: int, times: int) -> Counter[str]:
    chance = random.Random(f"{name} {seed}")
    raw = (folder / name).read_bytes()
    data = json.loads(raw) if name.endswith(".json") else None
    found: Counter[str] = Counter()
    for _time in range(times):
        if data is not None and chance.random() < 0.75:
            damaged = json.dumps(damaged_data(data, chance)).encode()
        else:
            damaged = damaged_bytes(raw, chance)
        found["read" if taken(damaged) else "refused"] += 1
    return found


@pytest.mark.parametrize("name", REAL)
def test_a_damaged_file_is_read_or_refused(folder: Path, name: str) -> None:
    found = walk(folder, name, seed=1, times=20)
    assert found["read"]
    assert found["refused"]


@pytest.mark.proof
@pytest.mark.parametrize("name", REAL)
def test_many_damaged_files_are_read_or_refused(folder: Path, name: str) -> None:
    walk(folder, name, seed=2, times=300)


@pytest.mark.proof_full
@pytest.mark.parametrize("name", REAL)
def test_very_many_damaged_files_are_read_or_refused(folder: Path, name: str) -> None:
    walk(folder, name, seed=3, times=30_000)


LISTS: Final[dict[str, Callable[[Any], list[Any]]]] = {
    "hyperfine.json": lambda data: data["results"],
    "jmh.json": lambda data: data,
    "pytest-benchmark.json": lambda data: data["benchmarks"],
    "pyperf.json": lambda data: data["benchmarks"],
    "tinybench.json": lambda data: data,
    "native.json": lambda data: data["results"],
}


@pytest.mark.parametrize("name", LISTS)
def test_no_result_is_dropped_in_silence(folder: Path, name: str) -> None:
    """As many results come out as stand in the file, in their order."""
    data = json.loads((folder / name).read_bytes())
    entries = LISTS[name](data)
    entries += copy.deepcopy(entries)
    document = taken(json.dumps(data).encode())
    assert document is not None
    assert len(document.results) == len(entries)


@pytest.mark.parametrize("name", LISTS)
def test_every_damaged_entry_is_told_of_by_its_place(folder: Path, name: str) -> None:
    """An entry that is no object makes the file unknown or is refused: it is never skipped."""
    data = json.loads((folder / name).read_bytes())
    entries = LISTS[name](data)
    entries.append(7)
    assert taken(json.dumps(data).encode()) is None


def test_every_reader_is_damaged() -> None:
    assert set(REAL.values()) == READERS.keys()
