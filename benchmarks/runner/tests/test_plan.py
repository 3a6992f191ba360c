"""What is measured, in which order, how it becomes the portal's format; no server, no driver."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter

import pytest

from benchmarks.readers import content, native
from benchmarks.runner import measuring
from benchmarks.runner.cases import CANNOT, WORKS, cases_of
from benchmarks.runner.document import Gathered, document, evidence, results
from benchmarks.runner.drivers import all_drivers
from benchmarks.runner.languages import LANGUAGES
from benchmarks.runner.measuring import Taken
from benchmarks.runner.plan import Measurement, Timing, measurements, order
from benchmarks.suites import ready_suites

TOLD = {"version": "1.2.4", "loaded": "pure Python", "runtime": "CPython 3.11", "check": "0 x 0: "}
COUNTED = {"Questions": 200, "Com_stmt_execute": 0, "Bytes_sent": 2200, "Bytes_received": 1000}


def wanted(processes: int = 3, **selection: object) -> list[Measurement]:
    chosen = {"suite": "fast_queries", "drivers": ["pymysql", "c-shared"], **selection}
    return list(measurements(chosen, Timing(processes=processes)))


def taken(ops: int = 100, wall: int = 2_000_000) -> Taken:
    return Taken(ops, [(wall, wall // 2), (wall, wall // 2)], TOLD, COUNTED)


def test_every_case_of_a_ready_suite_is_done_or_has_its_reason() -> None:
    known = set(WORKS) | set(CANNOT)
    cases = {
        (slug, case) for slug in ready_suites() if slug != "commands" for case in cases_of(slug)
    }
    assert cases == known
    assert not set(WORKS) & set(CANNOT)


def test_every_driver_has_a_language_and_a_pinned_version() -> None:
    for driver in all_drivers().values():
        assert driver.language in LANGUAGES
        assert driver.version or driver.language == "c"
        assert driver.language != "java" or len(driver.sha256) == 64


def test_the_order_is_rounds_that_the_seed_repeats() -> None:
    chosen = wanted(processes=3)
    steps = order(chosen, seed=7)
    assert steps == order(chosen, seed=7) != order(chosen, seed=8)
    assert Counter(at for at, _process in steps) == dict.fromkeys(range(len(chosen)), 3)
    assert [process for _at, process in steps] == sorted(process for _at, process in steps)
    rounds = [steps[at : at + len(chosen)] for at in range(0, len(steps), len(chosen))]
    assert len({tuple(at for at, _process in one) for one in rounds}) > 1


def test_a_selection_of_its_own_timing_has_as_many_processes() -> None:
    chosen = wanted(cases=["do_1"], timing={"processes": 2})
    assert len(order(chosen, seed=1)) == 2 * len(chosen)


def test_the_embedded_server_has_no_transport_but_two_threads() -> None:
    chosen = wanted(drivers=["embedded"], cases=["do_1"], prepare=["none"])
    assert [(one.transport, one.placement, one.thread) for one in chosen] == [
        ("embedded", "same", "main"),
        ("embedded", "same", "worker"),
    ]


def test_a_named_pipe_is_a_result_with_its_reason() -> None:
    (one,) = wanted(drivers=["pymysql"], cases=["do_1"], transport=["pipe"], prepare=["none"])
    (result,) = results(Gathered(one, error=one.cannot))
    assert result["error"] == "named pipes are there on Windows only"
    assert "samples" not in result


@pytest.mark.parametrize(
    ("suite", "case", "unit", "figure"),
    [
        ("fast_queries", "do_1", "op/s", 50_000.0),
        ("protocol", "one_small_row", "s", 0.2),
        ("embedded_vs_client_server", "select", "s", 2.0),
    ],
)
def test_a_figure_is_in_the_unit_of_its_case(
    suite: str, case: str, unit: str, figure: float
) -> None:
    one = wanted(suite=suite, cases=[case], drivers=["pymysql"])[0]
    wall, cpu = results(Gathered(one, [taken()]))
    assert (wall["unit"], wall["samples"]) == (unit, [[figure, figure]])
    assert (cpu["metric"], cpu["unit"], cpu["samples"]) == ("cpu_time", "us", [[10.0, 10.0]])


def test_evidence_is_per_operation_over_all_processes() -> None:
    one = Gathered(wanted()[0], [taken(), taken()])
    assert evidence(one) == {
        "questions_per_op": 1.0,
        "stmt_execute_per_op": 0.0,
        "bytes_sent_per_op": 11.0,
        "bytes_received_per_op": 5.0,
        "result_check": "0 x 0: ",
    }


def test_the_portal_reads_what_the_runner_writes() -> None:
    chosen = wanted(cases=["do_1"])
    gathered = [Gathered(one, [taken()]) for one in chosen[:2]]
    gathered += [Gathered(one, error="not installed") for one in chosen[2:]]
    now = dt.datetime(2026, 11, 22, 12, tzinfo=dt.UTC)
    made = document(
        gathered,
        suite="fast_queries",
        seed=7,
        started=now,
        finished=now,
        environment={"noise": {"foreign_cpu_share": 0.01}},
        title="Connectors",
        command="run --suite fast_queries",
    )
    read = native.read(content.opened(json.dumps(made).encode()))
    assert read.suite == "fast_queries"
    assert read.order == "interleaved"
    assert [bool(one.error) for one in read.results].count(True) == len(chosen) - 2
    assert read.results[0].subject.implementation == "pure Python"
    assert read.results[0].params["cpu_placement"] == "different"


def test_a_parallel_load_has_workers_and_counts_the_rows_of_all() -> None:
    chosen = wanted(
        suite="parallel_load",
        drivers=["pymysql"],
        cases=["bulk_load"],
        transport=["unix"],
        prepare=["none"],
    )
    assert [one.params()["threads"] for one in chosen] == [1, 2, 4]
    two = Taken(200, [(100_000_000, 40_000_000)], TOLD, COUNTED)
    wall = results(Gathered(chosen[1], [two]))[0]
    assert (wall["metric"], wall["unit"]) == ("rows_per_second", "row/s")
    assert wall["samples"] == [[200_000.0]]


def test_workers_at_the_same_time_are_as_slow_as_the_last() -> None:
    done = [{"samples": [[10, 4], [20, 5]]}, {"samples": [[12, 3], [11, 2]]}]
    assert measuring._together(done) == [(12, 7), (20, 7)]
