"""What speaks against a number. A flag is said beside it; nothing is deleted for it. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, Final

from benchmarks.documents import SECONDS
from benchmarks.evidence import claimed_prepared, claimed_text

FASTEST_ROUND_TRIPS: Final = 300_000  # a second, on one thread without pipelining
FOREIGN_CPU: Final = 0.20
STEAL: Final = 0.02
FAR: Final = 6.0  # robust z against the same key
FEWEST_PEERS: Final = 5
NORMAL: Final = 0.6745  # the median absolute deviation of a normal distribution, in its sigma
OFF: Final = frozenset({"0", "off", "none", "false", "no"})
A_LITTLE: Final = 0.02
ALIKE: Final = 3  # equal numbers in a row of measurements are no chance any more

# Variables that change what is measured, with the values that a server has by itself.
AS_BUILT: Final[Mapping[str, frozenset[str]]] = {
    "innodb_flush_log_at_trx_commit": frozenset({"1"}),
    "innodb_doublewrite": frozenset({"1", "on", "true"}),
    "sync_binlog": frozenset({"0", "1"}),
    "query_cache_type": OFF,
    "skip_grant_tables": OFF,
    "log_bin": OFF | {"1", "on", "true"},
    "unique_checks": frozenset({"1", "on", "true"}),
    "foreign_key_checks": frozenset({"1", "on", "true"}),
    "innodb_autoinc_lock_mode": frozenset({"1", "2"}),
}
# Cases in which one operation is one question to the server, whatever the connector.
_ONE_QUESTION: Final = frozenset(
    {
        *("do_1", "select_1", "select_1000_rows", "select_100_cols", "do_1000_params"),
        *("one_small_row", "one_big_row", "many_rows", "stmt_params"),
    }
)


def of_run(*, order: str, environment: Mapping[str, Any]) -> list[str]:
    """Flags that every result of a run carries."""
    noise = environment.get("noise") or {}
    found = []
    if order == "sequential":
        found.append("sequential")
    if noise.get("foreign_cpu_share", 0) > FOREIGN_CPU:
        found.append("foreign_cpu")
    if noise.get("steal_share", 0) > STEAL:
        found.append("steal")
    return found


def tuned(environment: Mapping[str, Any]) -> list[str]:
    """Variables of the server that are not as they come: "sync_binlog=1000"."""
    variables = (environment.get("server") or {}).get("variables") or {}
    return [
        f"{name}={value}"
        for name, value in variables.items()
        if name in AS_BUILT and value is not None and _plain(value) not in AS_BUILT[name]
    ]


def of_evidence(case: str, params: Mapping[str, Any], evidence: Mapping[str, Any]) -> list[str]:
    """What the counters of the server say against what was claimed."""
    found = []
    questions = evidence.get("questions_per_op")
    batch = params.get("batch") or params.get("pipeline")
    if case not in _ONE_QUESTION or batch:
        questions = None
    if questions is not None and abs(questions - 1) > A_LITTLE:
        found.append("questions")
    if claimed_prepared(params, evidence):
        found.append("not_prepared")
    if claimed_text(params, evidence):
        found.append("was_prepared")
    return found


def all_alike(samples: Sequence[Sequence[float]]) -> bool:
    """Every sample the same number, to the last digit: no clock measures so."""
    values = [value for process in samples for value in process]
    return len(values) >= ALIKE and len(set(values)) == 1


def is_too_fast(case: str, unit: str, params: Mapping[str, Any], value: float) -> bool:
    """Faster than a question can go to a server and come back; an embedded one has no way to go."""
    one_thread = str(params.get("threads", 1)) == "1"
    if case != "do_1" or not one_thread or params.get("transport") == "embedded":
        return False
    if params.get("pipeline") and _plain(params["pipeline"]) not in OFF:
        return False
    if unit in SECONDS:
        return value * SECONDS[unit] < 1 / FASTEST_ROUND_TRIPS
    return unit == "op/s" and value > FASTEST_ROUND_TRIPS


def is_far(value: float, others: Sequence[float]) -> bool:
    """Robust z above 6: further from the others of its key than chance goes."""
    if len(others) < FEWEST_PEERS:
        return False
    middle = median(others)
    spread = median(abs(one - middle) for one in others)
    return spread > 0 and NORMAL * abs(value - middle) / spread > FAR


def repeated(results: Sequence[Sequence[Sequence[float]]]) -> set[int]:
    """Positions of results whose samples another result of the file has, to the last digit."""
    seen: dict[tuple[tuple[float, ...], ...], list[int]] = {}
    for at, samples in enumerate(results):
        if sum(map(len, samples)) >= ALIKE:
            seen.setdefault(tuple(map(tuple, samples)), []).append(at)
    return {at for places in seen.values() if len(places) > 1 for at in places}


def _plain(value: object) -> str:
    return str(value).strip().lower()
