"""Files as tables and as a picture."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from benchmarks.runner import report
from benchmarks.runner.chart import Mark, Panel, chart

PARAMS = {"transport": "tcp", "prepare": "server", "cpu_placement": "different"}
SUBJECT = {"name": "Drizzle JDBC", "version": "1.3"}


def written(folder: Path) -> str:
    head = {"case": "do_1", "subject": SUBJECT, "params": PARAMS}
    samples = [[1000.0 + process] * 3 for process in range(6)]
    evidence = {"stmt_execute_per_op": 0.0}
    throughput = {"metric": "throughput", "unit": "op/s", "evidence": evidence}
    data = {
        "run": {
            "tool": {"suite": "fast_queries@1"},
            "started_at": "2026-11-22T15:30:00",
            "seed": 7,
        },
        "environment": {"noise": {"foreign_cpu_share": 0.012, "steal_share": 0.0}},
        "results": [
            {**head, **throughput, "samples": samples},
            {**head, "metric": "cpu_time", "unit": "us", "samples": [[12.5]] * 6},
            {**head, "metric": "throughput", "unit": "op/s", "error": "no plugin | here"},
        ],
    }
    path = folder / "run.json"
    path.write_text(json.dumps(data))
    return str(path)


def test_a_table_says_what_the_server_saw_and_who_could_not_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report.show([written(tmp_path)], str(tmp_path / "plot.svg"))
    out = capsys.readouterr().out
    assert "| Drizzle JDBC 1.3 | tcp, prepared, two CPUs | 1,002 | 1,000 to" in out
    assert "12.5 | **text, though prepared was asked for** |" in out
    assert "no plugin / here" in out
    assert "other work took 1.2%" in out
    ET.parse(tmp_path / "plot.svg")  # noqa: S314 - our own


def test_the_better_stands_to_the_right_and_names_are_escaped() -> None:
    picture = chart([Panel("do_1", [Mark("a<b", 100, 90, 110), Mark("c", 1000, 900, 1100)])])
    circles = ET.fromstring(picture).iter("{http://www.w3.org/2000/svg}circle")  # noqa: S314
    first, second = (float(one.attrib["cx"]) for one in circles)
    assert first < second
    assert "a&lt;b" in picture
