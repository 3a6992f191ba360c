"""Months of a thousand to a million servers, and their pages: see `_month.py`."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

from bench import Measurement, _installation

SERVERS = (1_000, 100_000, 1_000_000)  # ten reports each


def measure() -> Iterator[Measurement]:
    with _installation.django():
        importlib.import_module("django.core.management").call_command("collectstatic", verbosity=0)
        for servers in SERVERS:
            yield from importlib.import_module("bench.feedback._month").rows(servers)
