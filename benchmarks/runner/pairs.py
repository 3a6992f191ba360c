"""Chosen pairs of results against each other as one table, corrected as one table. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.statistics import Contrast, Finding, Side, contrast, judge

Result = Mapping[str, Any]
PLACES = {"same": "one CPU", "different": "two CPUs"}
WORDS = {"better": "faster", "worse": "slower", "not_shown": "no difference shown"}


def table(questions: Sequence[Mapping[str, Any]], documents: Sequence[Result]) -> Iterator[str]:
    """A row for each question that the documents can answer; A is so many times as fast as B."""
    asked = []
    for question in questions:
        sides = [_find(question, side, documents) for side in ("a", "b")]
        found = _contrast(*sides)
        if found is not None:
            asked.append((question, found))
    yield "| question | case | A | B | A is as fast as B | 95 % interval | verdict |"
    yield "|---|---|---|---|--:|--:|---|"
    findings = judge([found for _question, found in asked])
    for (question, _found), finding in zip(asked, findings, strict=True):
        yield _row(question, finding)


def _find(question: Mapping[str, Any], side: str, documents: Sequence[Result]) -> Result | None:
    """The wall time of the side of a question: subject by the beginning of its name."""
    wanted = {**question.get("params", {}), **question.get(f"{side}_params", {})}
    for data in documents:
        if data["run"]["tool"]["suite"].partition("@")[0] != question["suite"]:
            continue
        for one in data["results"]:
            subject = f"{one['subject']['name']} {one['subject'].get('version', '')}"
            fits = wanted.items() <= one["params"].items() and subject.startswith(question[side])
            if fits and one["case"] == question["case"] and one["metric"] != "cpu_time":
                return one if "samples" in one else None
    return None


def _contrast(a: Result | None, b: Result | None) -> Contrast | None:
    if a is None or b is None:
        return None
    sides = Side(a["samples"], "pairs/a"), Side(b["samples"], "pairs/b")
    return contrast(*sides, direction="higher" if a["direction"] == "higher" else "lower")


def _row(question: Mapping[str, Any], finding: Finding) -> str:
    found = finding.contrast
    words = WORDS.get(str(finding.verdict), "no verdict")
    interval = "" if found.low is None else f"{found.low:.2f} to {found.high:.2f}"
    names = (_name(question, side) for side in ("a", "b"))
    cells = [question["about"], f"`{question['case']}`", *names]
    return f"| {' | '.join(cells)} | {found.ratio:.2f} times | {interval} | {words} |"


def _name(question: Mapping[str, Any], side: str) -> str:
    own = question.get(f"{side}_params", {})
    words = [f"{own['thread']} thread"] if "thread" in own else []
    words += [str(own["transport"])] if "transport" in own else []
    words += [PLACES.get(str(own["cpu_placement"]), "")] if "cpu_placement" in own else []
    return ", ".join([question[side], *words])
