"""What two results must have in common before anything is said about them."""

from __future__ import annotations

from benchmarks.machines import server_major
from benchmarks.models import Result
from benchmarks.statistics.describe import FEWEST

MUST_AGREE = ("cpu_placement", "tls", "threads")


def withheld(a: Result, b: Result) -> str:
    """Why there is no verdict, as a key of `words.REASONS`; empty when there may be one."""
    if a.statistics.is_summary or b.statistics.is_summary:
        return "summary"
    if min(a.statistics.processes, b.statistics.processes) < FEWEST:
        return "few"
    if a.case and b.case and a.case.definition_hash != b.case.definition_hash:
        return "definition"
    if a.run_id != b.run_id and (reason := _machines(a, b)):
        return reason
    if server_major(a.run.environment) != server_major(b.run.environment):
        return "server"
    if any(str(a.params.get(name)) != str(b.params.get(name)) for name in MUST_AGREE):
        return "parameters"
    return ""


def _machines(a: Result, b: Result) -> str:
    if not a.run.machine or not b.run.machine:
        return "machine_unknown"
    return "" if a.run.machine == b.run.machine else "machine"
