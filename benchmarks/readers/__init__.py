"""From a file of a benchmark tool to a `Document`. One pure module for each format.

To add a format: copy the nearest module, give it `recognises` and `read`, add its line to
`READERS`, and test it against a real file and its trap.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from benchmarks.documents import Document, RefusedError
from benchmarks.readers import (
    bmf,
    content,
    go_bench,
    google_benchmark,
    hyperfine,
    jmh,
    limits,
    names,
    native,
    pyperf,
    pytest_benchmark,
    slap_csv,
    sysbench,
    tinybench,
)
from benchmarks.readers.content import File


@dataclass(frozen=True, slots=True)
class Reader:
    """``recognises`` looks at the content only; ``read`` raises `RefusedError` with the place."""

    name: str
    recognises: Callable[[File], bool]
    read: Callable[[File], Document]


READERS: Final[Mapping[str, Reader]] = {
    "native": Reader("the portal's own format", native.recognises, native.read),
    "hyperfine": Reader("hyperfine", hyperfine.recognises, hyperfine.read),
    "jmh": Reader("JMH", jmh.recognises, jmh.read),
    "google-benchmark": Reader(
        "Google Benchmark", google_benchmark.recognises, google_benchmark.read
    ),
    "pytest-benchmark": Reader(
        "pytest-benchmark", pytest_benchmark.recognises, pytest_benchmark.read
    ),
    "pyperf": Reader("pyperf", pyperf.recognises, pyperf.read),
    "tinybench": Reader("tinybench", tinybench.recognises, tinybench.read),
    "bmf": Reader("Bencher Metric Format", bmf.recognises, bmf.read),
    "go-bench": Reader("go test -bench", go_bench.recognises, go_bench.read),
    "sysbench": Reader("sysbench", sysbench.recognises, sysbench.read),
    "slap-csv": Reader("mariadb-slap", slap_csv.recognises, slap_csv.read),
}


@dataclass(frozen=True, slots=True)
class Taken:
    """What was understood of an upload, and the file as it may be kept: without host names, users,
    paths and passwords. ``sent`` is the file with them, for its signature; it is never stored.
    ``is_signed`` says that the file itself has a member for one.
    """

    document: Document
    original: bytes
    sha256: str
    sent: bytes
    is_signed: bool


def take(raw: bytes, *, now: dt.datetime) -> Taken:
    """Unpack, recognise, clean, read and check an upload. Raises `RefusedError`."""
    file = content.opened(raw)
    for slug, reader in READERS.items():
        if reader.recognises(file):
            document = replace(reader.read(file), format=slug)
            limits.check(document, now=now)
            is_signed = slug == "native" and "signature" in file.data
            return Taken(names.told_apart(document), file.kept, file.sha256, file.sent, is_signed)
    known = ", ".join(reader.name for reader in READERS.values())
    raise RefusedError("", f"No known format. The portal reads files of {known}.")
