"""Logs for a machine: one JSON object a line."""

import json
import logging

import pytest

from portal.lib.logs import JsonFormatter, LineFormatter, chosen


def test_a_line_without_a_fault_has_no_traceback_and_keeps_its_letters() -> None:
    record = logging.LogRecord("portal", logging.INFO, "x.py", 1, "Zoë\nsays %s", ("hi",), None)
    line = JsonFormatter().format(record)
    assert "\n" not in line
    found = json.loads(line)
    assert set(found) == {"time", "level", "logger", "message"}
    assert found["message"] == "Zoë\nsays hi"
    assert found["time"].endswith("+00:00")


def test_processes_without_django_write_as_log_format_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_FORMAT", "json")
    assert isinstance(chosen(), JsonFormatter)
    monkeypatch.delenv("LOG_FORMAT")
    assert isinstance(chosen(), LineFormatter)
