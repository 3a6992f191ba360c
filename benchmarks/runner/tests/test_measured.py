"""The files of the report: whole, ours, and read by the portal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.readers import content, native
from benchmarks.runner.document import TOOL

FOLDER = Path(__file__).parents[2] / "measured" / "connectors"
FILES = sorted(FOLDER.glob("*.json"))


def test_the_three_suites_of_the_report_are_there() -> None:
    assert [path.stem for path in FILES] == [
        "embedded_vs_client_server",
        "fast_queries",
        "protocol",
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_of_the_report_is_read_and_holds_nobody_s_paths(path: Path) -> None:
    raw = path.read_bytes()
    read = native.read(content.opened(raw))
    assert json.loads(raw)["run"]["tool"]["name"] == TOOL
    assert read.order == "interleaved"
    assert all(one.error or len(one.samples) >= 5 for one in read.results)
    assert b"/root" not in raw
    assert b"/home" not in raw
