"""What two results must have in common before anything is said about them."""

from __future__ import annotations

from typing import Final

from benchmarks.documents import params_key
from benchmarks.machines import server_major
from benchmarks.models import Result
from benchmarks.statistics.describe import FEWEST, RANKED

MUST_AGREE: Final = ("cpu_placement", "tls", "threads")
UNTOLD: Final = {"cpu_placement": "unknown", "tls": "unknown", "threads": "1"}


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
    if any(condition(a, name) != condition(b, name) for name in MUST_AGREE):
        return "parameters"
    return ""


def unranked(one: Result) -> str:
    """Why a result has no place in an order of connectors, as a key of `words.REASONS`."""
    if one.statistics.is_summary:
        return "summary"
    if one.statistics.processes < RANKED:
        return "few_to_rank"
    return "placement" if condition(one, "cpu_placement") == "unknown" else ""


def condition(one: Result, name: str) -> str:
    """A parameter that must agree; what is not told counts as what it most likely was, or as
    unknown, which agrees with nothing but itself.
    """
    value = one.params.get(name)
    return UNTOLD[name] if value is None else str(value).lower()


def panel(a: Result, b: Result) -> dict[str, list[str]]:
    """The conditions of a comparison, with both values where the sides differ. Rows of different
    conditions are shown apart from each other.
    """
    sides = [_conditions(one) for one in (a, b)]
    return {name: list(dict.fromkeys(side[name] for side in sides)) for name in sides[0]}


def series_key(one: Result) -> tuple[object, ...]:
    """What results of several versions must share to be one line: everything but the version."""
    definition = one.case.definition_hash if one.case else ""
    machine = one.run.machine or str(one.run.uid)  # a machine that is not known is no other's
    what = (one.run.suite_id, one.case_slug, definition, one.metric, one.unit, one.direction)
    return (*what, machine, server_major(one.run.environment), params_key(one.params))


def _conditions(one: Result) -> dict[str, str]:
    return {
        "metric": one.metric,
        "server": server_major(one.run.environment),
        "machine": one.run.machine,
        **{name: condition(one, name) for name in MUST_AGREE},
    }


def _machines(a: Result, b: Result) -> str:
    if not a.run.machine or not b.run.machine:
        return "machine_unknown"
    return "" if a.run.machine == b.run.machine else "machine"
