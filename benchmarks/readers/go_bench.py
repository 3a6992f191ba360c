"""Output of `go test -bench`, with `-count` a line for each repetition in one process.

The `-N` at the end of a name is GOMAXPROCS, not part of it. Parts "name=value" of the name are
parameters. A file may hold several packages: "pkg" counts for the lines after it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Final

from benchmarks.documents import Document, Measured, RefusedError, Subject
from benchmarks.readers.content import File
from benchmarks.readers.names import left_out, parameters, slug
from benchmarks.readers.numbers import number

_LINE: Final = re.compile(r"^Benchmark(\S+)\s+(\d+)\s+(.+)$")
_STARTED: Final = re.compile(r"^Benchmark\S*\s*$")
_FAILED: Final = re.compile(r"^\s*(?:--- )?FAIL\b")
_OTHER: Final = re.compile(r"(?<=\s)(?!ns/op)[A-Za-z][\w-]*/\S{1,20}")
_FACT: Final = re.compile(r"^(goos|goarch|pkg|cpu): (.+)$")


def recognises(file: File) -> bool:
    lines = file.text.splitlines()
    return file.data is None and any(_LINE.match(line) and "ns/op" in line for line in lines)


def read(file: File) -> Document:
    facts: dict[str, str] = {}
    left: list[str] = []
    groups: dict[tuple[str, str, str], list[tuple[str, float]]] = defaultdict(list)
    for at, line in enumerate(file.text.splitlines(), start=1):
        if fact := _FACT.match(line):
            facts[fact[1]] = fact[2].strip()
        elif _FAILED.match(line):
            left.append(f"line {at}, a failure of the tool")
        elif _STARTED.match(line):
            left.append(f"line {at}, a benchmark without a result")
        elif found := _LINE.match(line):
            left += _OTHER.findall(found[3])
            name, _dash, processors = found[1].rpartition("-")
            if not processors.isdigit():
                name, processors = found[1], "1"
            groups[(facts.get("pkg", "go"), name, processors)].append(
                (f"line {at}", _nanoseconds(found[3], f"line {at}"))
            )
    return Document(
        format="go-bench",
        results=[_read_group(*key, rows) for key, rows in groups.items()],
        tool={"name": "go test -bench"},
        environment=_environment(facts),
        remarks=["All repetitions come from one process: no verdict.", *left_out(left)],
    )


def _nanoseconds(values: str, place: str) -> float:
    found = re.search(r"(?<!\S)(\S{1,40}) ns/op", values)
    if found is None:
        raise RefusedError(place, "This line has no ns/op.")
    try:
        return number(float(found[1]), place)
    except ValueError:
        raise RefusedError(place, "The number before ns/op cannot be read.") from None


def _read_group(
    package: str, name: str, processors: str, rows: list[tuple[str, float]]
) -> Measured:
    base, *parts = name.split("/")
    pairs = [part.partition("=") for part in parts]
    params = parameters((key, value) for key, sign, value in pairs if sign)
    rest = "/".join(part for part in parts if "=" not in part)
    return Measured(
        place=rows[0][0],
        name=name,
        case=slug(base),
        subject=Subject(f"{package} {rest}".strip()),
        metric="latency",
        unit="ns",
        direction="lower",
        samples=[[value for _place, value in rows]],
        params={**params, "gomaxprocs": processors},
    )


def _environment(facts: dict[str, str]) -> dict[str, object]:
    cpu = {"model": facts.get("cpu"), "arch": facts.get("goarch")}
    known = {key: value for key, value in cpu.items() if value}
    return {"cpu": known, "os": {"name": facts["goos"]}} if "goos" in facts else {"cpu": known}
