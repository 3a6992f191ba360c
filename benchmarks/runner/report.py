"""Files of the portal's format as tables in Markdown, and as a picture. Pure but for reading."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.documents import RATES
from benchmarks.evidence import EXECUTED
from benchmarks.runner import pairs
from benchmarks.runner.chart import Mark, Panel, chart
from benchmarks.statistics import describe
from benchmarks.suites import ready_suites

_UNITS: Final = {"op/s": "operations in a second", "s": "seconds", "row/s": "rows in a second"}


@dataclass(frozen=True, slots=True)
class Line:
    """One result with its interval; ``cpu`` is processor time of the client in µs an operation."""

    case: str
    title: str
    who: str
    how: str
    unit: str
    median: float
    low: float
    high: float
    processes: int
    cpu: float | None
    executed: float | None
    claimed: bool

    @property
    def saw(self) -> str:
        """What the server's counters say of the preparation."""
        if self.executed is None:
            return "not asked"
        prepared = self.executed >= EXECUTED
        if self.claimed and not prepared:
            return "**text, though prepared was asked for**"
        if prepared and not self.claimed:
            return "**prepared, though text was asked for**"
        return "prepared" if prepared else "text"


def show(files: Sequence[str], svg: str, questions: str = "") -> int:
    """Print the tables, those of ``questions`` first; draw them where ``svg`` names a file."""
    text: list[str] = []
    documents = [json.loads(Path(name).read_text()) for name in files]
    if questions:
        text += pairs.table(json.loads(Path(questions).read_text()), documents)
    panels: list[Panel] = []
    for data in documents:
        lines = sorted(_lines(data), key=_place)
        text += [*_table(data, lines), *_failed(data["results"])]
        panels += _panels(lines)
    if svg:
        Path(svg).write_text(chart(panels))
    sys.stdout.write("\n".join([*text, ""]))
    return 0


def _place(line: Line) -> tuple[str, float]:
    """Cases in their order, the best first."""
    return line.case, -line.median if line.unit in RATES else line.median


def _lines(data: Mapping[str, Any]) -> Iterator[Line]:
    results = data["results"]
    suite = ready_suites()[data["run"]["tool"]["suite"].partition("@")[0]]
    titles = {case.slug: case.name for case in suite.cases}
    spent = {_key(one): one for one in results if one["metric"] == "cpu_time" and "samples" in one}
    for at, one in enumerate(results):
        if one["metric"] == "cpu_time" or "samples" not in one:
            continue
        found = describe(one["samples"], key=f"report/{at}")
        cpu = spent.get(_key(one))
        yield Line(
            case=one["case"],
            title=titles.get(one["case"], one["case"]),
            who=_who(one),
            how=_how(one["params"]),
            unit=one["unit"],
            median=found.median,
            low=found.median if found.low is None else found.low,
            high=found.median if found.high is None else found.high,
            processes=found.processes,
            cpu=describe(cpu["samples"], key=f"report/{at}/cpu").median if cpu else None,
            executed=one.get("evidence", {}).get("stmt_execute_per_op"),
            claimed=one["params"].get("prepare") == "server",
        )


def _key(one: Mapping[str, Any]) -> str:
    return json.dumps([one["case"], one["subject"], one["params"]], sort_keys=True)


def _who(one: Mapping[str, Any]) -> str:
    subject = one["subject"]
    return f"{subject['name']} {subject.get('version', '')}".strip().replace("-MariaDB", "")


def _how(params: Mapping[str, Any]) -> str:
    words = [] if params["transport"] == "embedded" else [str(params["transport"])]
    words += [f"{params['link']} library"] if params.get("link") == "static" else []
    words += [f"{params['thread']} thread"] if "thread" in params else []
    words += ["prepared"] if params["prepare"] == "server" else []
    return ", ".join([*words, pairs.PLACES.get(str(params["cpu_placement"]), "placement unknown")])


def _table(data: Mapping[str, Any], lines: Sequence[Line]) -> Iterator[str]:
    run, noise = data["run"], data["environment"]["noise"]
    yield f"\n### `{run['tool']['suite'].partition('@')[0]}`\n"
    yield (
        f"{run['started_at'][:16].replace('T', ' ')} UTC, seed {run['seed']}, other "
        f"work took {noise['foreign_cpu_share']:.1%} of the processors, the host "
        f"{noise['steal_share']:.1%}.\n"
    )
    for case in dict.fromkeys(line.case for line in lines):
        chosen = [line for line in lines if line.case == case]
        yield f"{chosen[0].title} (`{case}`), {_UNITS.get(chosen[0].unit, chosen[0].unit)}:\n"
        yield "| connector | how | median | 95 % interval | processes | client µs | server saw |"
        yield "|---|---|--:|--:|--:|--:|---|"
        for line in chosen:
            cpu = "" if line.cpu is None else _number(line.cpu)
            yield (
                f"| {line.who} | {line.how} | {_number(line.median)} | {_number(line.low)} to "
                f"{_number(line.high)} | {line.processes} | {cpu} | {line.saw} |"
            )
        yield ""


def _failed(results: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Who could not run and why, each reason once."""
    failed: dict[tuple[str, str], list[str]] = {}
    for one in results:
        if "error" in one:
            how = f"{one['case']}, {_how(one['params'])}"
            failed.setdefault((_who(one), one["error"].replace("|", "/")), []).append(how)
    if failed:
        yield "| could not run | what | why |\n|---|---|---|"
    for (who, reason), hows in failed.items():
        yield f"| {who} | {'; '.join(dict.fromkeys(hows))} | {reason[:300]} |"


def _number(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value else "0"


def _panels(lines: Sequence[Line]) -> Iterator[Panel]:
    for case in dict.fromkeys(line.case for line in lines):
        chosen = [line for line in lines if line.case == case]
        marks = [Mark(f"{one.who}, {one.how}", one.median, one.low, one.high) for one in chosen]
        yield Panel(f"{chosen[0].title}, {_UNITS.get(chosen[0].unit, chosen[0].unit)}", marks)
