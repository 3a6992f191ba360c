"""Runs the measurements of all domains, or of the ones named on the command line.

python -m bench                     all, and the page about them
python -m bench feedback            one domain
python -m bench feedback.month      one module of it
python -m bench --page              docs/benchmarks.md from the results there are
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

from bench import Cost, Measurement, _page

FOLDER = Path(__file__).resolve().parent
RESULTS = FOLDER / "results"
DOCUMENTS = FOLDER.parent / "docs"
SHOWN = "shown"  # how the reach of a figure begins that nothing is asked of


def domains() -> dict[str, list[str]]:
    """The parts of each domain, by its name: modules of this package, one or several."""
    found: dict[str, list[str]] = {}
    for path in sorted(FOLDER.rglob("*.py")):
        parts = path.relative_to(FOLDER).with_suffix("").parts
        if not any(part.startswith("_") for part in parts) and parts[0] != "results":
            found.setdefault(parts[0], []).append(".".join(parts))
    return found


def main(wanted: list[str]) -> int:
    if wanted == ["--page"]:
        print(_page.write(RESULTS, DOCUMENTS))
        return 0
    known = domains()
    every = [part for parts in known.values() for part in parts]
    known |= {part: [part] for part in every}
    if unknown := set(wanted) - known.keys():
        print(f"No measurements called {', '.join(unknown)}. There are: {', '.join(known)}.")
        return 1
    chosen = [part for name in wanted for part in known[name]] if wanted else every
    if len(chosen) > 1:  # each in a process of its own: a process has one database
        commands = [[sys.executable, "-m", "bench", part] for part in chosen]
        ended = max(subprocess.run(command, check=False).returncode for command in commands)
        return ended or (0 if wanted else main(["--page"]))
    _measure(*chosen)
    return 0


def _measure(part: str) -> None:
    print(f"\n{part}", flush=True)
    rows = []
    for row in importlib.import_module(f"bench.{part}").measure():
        _print(row)
        rows.append(row)
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps([row.as_json() for row in rows], indent=2)
    (RESULTS / f"{part}.json").write_text(text + "\n")


def _print(row: Measurement) -> None:
    """At once: a measurement that fails late takes nothing back that was measured before."""
    theirs = f", {row.peer} {_times(row.theirs)}" if row.theirs else ""
    verdict = ": reached" if row.reached else ": NOT REACHED"
    if row.reach.startswith(SHOWN):
        verdict = ""
    print(
        f"  {row.work} ({row.size}): {_times(row.ours)}, {row.ours.rss_mb:.0f} MB{theirs};"
        f" {row.reach}{verdict}; median of {row.runs}",
        flush=True,
    )


def _times(cost: Cost) -> str:
    return f"{cost.wall_s * 1000:.2f} ms wall, {cost.cpu_s * 1000:.2f} ms cpu"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
