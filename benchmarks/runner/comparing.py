"""Two files of the portal's format against each other, offline, with the portal's arithmetic."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.statistics import FEWEST, Side, contrast, judge

Result = Mapping[str, Any]


def show(a: str, b: str) -> int:
    """Print a line for each case that both sides have; 1 when there is none."""
    pairs = list(_pairs(_results(a), _results(b)))
    known = []
    for ours, theirs in pairs:
        sides = (
            Side(ours["samples"], f"a/{_key(ours)}"),
            Side(theirs["samples"], f"b/{_key(theirs)}"),
        )
        found = contrast(*sides, direction=ours.get("direction", "lower"))
        if found is not None:
            known.append((ours, theirs, found))
    findings = judge([found for _a, _b, found in known])
    for (ours, theirs, found), finding in zip(known, findings, strict=True):
        interval = "" if found.low is None else f", {found.low:.2f} to {found.high:.2f}"
        few = min(found.processes) < FEWEST
        words = "fewer than five processes" if few else str(finding.verdict).replace("_", " ")
        _tell(f"{ours['case']} ({_way(ours)}) {_label(ours)} against {_label(theirs)}: ")
        _tell(f"{found.ratio:.2f} times{interval}: {words}\n")
    if not known:
        _tell("The two have no case with samples in common.\n")
    return 0 if known else 1


def _tell(text: str) -> None:
    sys.stdout.write(text)


def _results(text: str) -> list[Result]:
    """The results of `FILE`, or of one subject of it as `FILE:name version`."""
    path, subject = text, ""
    if not Path(path).exists():
        path, _, subject = text.partition(":")
    data = json.loads(Path(path).read_text())
    found = [one for one in data["results"] if "samples" in one]
    return [one for one in found if not subject or _label(one).lower() == subject.lower()]


def _label(one: Result) -> str:
    subject = one["subject"]
    return f"{subject['name']} {subject.get('version', '')}".strip()


def _way(one: Result) -> str:
    params = one.get("params", {})
    words = [str(params[name]) for name in ("transport", "cpu_placement") if name in params]
    return ", ".join([*words, f"prepare {params.get('prepare', 'unknown')}", one["metric"]])


def _key(one: Result) -> tuple[str, ...]:
    params = one.get("params", {})
    facts = (f"{name}={params[name]}" for name in sorted(params))
    return one["case"], one["metric"], one["unit"], *facts


def _pairs(ours: list[Result], theirs: list[Result]) -> Iterator[tuple[Result, Result]]:
    """The same case, metric and parameters; the same subject first where a side has several."""
    for one in ours:
        others = [other for other in theirs if _key(other) == _key(one)]
        named = [other for other in others if other["subject"]["name"] == one["subject"]["name"]]
        if named or others:
            yield one, (named or others)[0]
