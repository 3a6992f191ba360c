"""Two runs that nobody measured, for the demonstration alone. Pure, and the same every time.

A connector of the demonstration foundation over twelve versions, on one machine that two people
have set up differently: without them no page of the demonstration would show a change point, a
reproduced result, or conditions that differ. Title, notes, tag, processor, tool and the name of
the connector say that they are invented.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, Final

SUBJECT: Final = "ExampleDB Connector/C (invented)"
# Operations a second: a step up with 3.3.0, and a part of it lost with 3.4.0.
LEVELS: Final = {
    "3.2.4": 60_000,
    "3.2.5": 60_300,
    "3.2.6": 59_800,
    "3.2.7": 60_100,
    "3.3.0": 77_500,
    "3.3.6": 78_100,
    "3.3.10": 77_800,
    "3.3.15": 78_000,
    "3.4.0": 70_200,
    "3.4.5": 70_000,
    "3.4.7": 70_400,
    "3.4.8": 70_300,
}
PROCESSES: Final = 12
SAMPLES: Final = 5
NOTES: Final = (
    "Nobody measured this. The numbers were drawn by `benchmarks/invented.py`, so that the"
    " demonstration has a connector whose speed changes over its versions."
)
SETTINGS: Final = (("performance", "6.1.0", "11.8.3"), ("powersave", "6.12.4", "11.8.5"))


def runs() -> Iterator[bytes]:
    """The run of the first person, and that of a second one who repeats it half a year later."""
    for number, (governor, kernel, server) in enumerate(SETTINGS, 1):
        document = {
            "schema": "bench-upload/1",
            "run": _run(number),
            "environment": _environment(governor, kernel, server),
            "results": [_result(number, version, level) for version, level in LEVELS.items()],
        }
        yield json.dumps(document).encode()


def _run(number: int) -> dict[str, Any]:
    return {
        "id": f"1e7e17ed-0000-4000-8000-{number:012}",
        "started_at": f"2026-{5 * number:02}-04T09:00:00Z",
        "title": f"Invented: a connector over its versions, run {number}",
        "notes": NOTES,
        "tags": ["invented"],
        "tool": {"name": "invented", "version": "1", "suite": "connectors@1"},
        "order": "interleaved",
    }


def _environment(governor: str, kernel: str, server: str) -> dict[str, Any]:
    return {
        "cpu": {"model": "Invented processor", "arch": "x86_64", "cores": 8, "governor": governor},
        "memory_bytes": 32 * 10**9,
        "os": {"name": "Debian GNU/Linux", "version": "12", "kernel": kernel},
        "server": {"product": "other", "version": server, "same_host": True},
    }


def _result(number: int, version: str, level: int) -> dict[str, Any]:
    return {
        "case": "do_1",
        "subject": {"name": SUBJECT, "version": version},
        "metric": "throughput",
        "unit": "op/s",
        "direction": "higher",
        "params": {
            "transport": "unix",
            "prepare": "none",
            "threads": 1,
            "tls": False,
            "cpu_placement": "different",
        },
        "samples": _samples(f"{number} {version}", level),
    }


def _samples(seed: str, level: int) -> list[list[float]]:
    """Processes scatter by 2 %, what one of them measures by 1 % around that."""
    chance = random.Random(seed)  # noqa: S311 - numbers, not secrets
    return [
        [round(middle * chance.gauss(1, 0.01), 1) for _ in range(SAMPLES)]
        for middle in (level * chance.gauss(1, 0.02) for _ in range(PROCESSES))
    ]
