"""Reports into facts, and onto the disk: see `_reading.py`, which knows Django."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

from bench import Measurement, _installation


def measure() -> Iterator[Measurement]:
    with _installation.django():
        yield from importlib.import_module("bench.feedback._reading").rows()
