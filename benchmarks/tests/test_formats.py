"""Each reader against a real file of its tool, and against the trap of its format."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from benchmarks.documents import Document
from benchmarks.readers import READERS, content
from benchmarks.tests.test_readers import read, refused

REAL = {
    "native.json": "native",
    "hyperfine.json": "hyperfine",
    "jmh.json": "jmh",
    "google-benchmark.json": "google-benchmark",
    "pytest-benchmark.json": "pytest-benchmark",
    "pyperf.json": "pyperf",
    "tinybench.json": "tinybench",
    "bmf.json": "bmf",
    "go-bench.txt": "go-bench",
    "sysbench.txt": "sysbench",
    "mariadb-slap.csv": "slap-csv",
}


def real(folder: Path, name: str) -> Document:
    return read((folder / name).read_bytes())


@pytest.mark.parametrize("name", REAL)
def test_a_real_file_is_recognised_by_its_reader_alone(folder: Path, name: str) -> None:
    file = content.opened((folder / name).read_bytes())
    assert [slug for slug, reader in READERS.items() if reader.recognises(file)] == [REAL[name]]
    assert real(folder, name).format == REAL[name]


def test_every_real_file_has_a_reader(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == REAL.keys()
    assert set(REAL.values()) == READERS.keys()


def test_jmh_takes_the_driver_out_of_the_parameters(folder: Path) -> None:
    found = real(folder, "jmh.json")
    assert {one.subject.name for one in found.results} == {"mysql", "mariadb"}
    first = found.results[0]
    assert first.samples[0] == [43514.740044285754, 45492.42839694235, 24790.823973995914]
    assert (first.case, first.unit, first.direction) == ("do1.run", "op/s", "higher")
    assert first.params == {"threads": 1}


def test_an_error_of_jmh_that_is_no_number_does_no_harm(folder: Path) -> None:
    data = json.loads((folder / "jmh.json").read_text())[:1]
    data[0]["primaryMetric"]["scoreError"] = float("nan")
    data[0]["primaryMetric"]["scoreUnit"] = "ms/op"
    found = read(data).results[0]
    assert (found.unit, found.direction, len(found.samples)) == ("ms", "lower", 2)
    data[0]["primaryMetric"]["rawData"][1][2] = float("nan")
    assert refused(data).place == "/0/primaryMetric/rawData/1/2"
    data[0]["primaryMetric"]["scoreUnit"] = "parsec"
    assert refused(data).place == "/0/primaryMetric/scoreUnit"
    del data[0]["primaryMetric"]["rawData"]
    data[0]["primaryMetric"]["scoreUnit"] = "ops/ms"
    assert read(data).results[0].summary["mean"] > 1e6
    assert refused([{"primaryMetric": 1}]).place == "/0"


def test_aggregates_of_google_benchmark_are_dropped_and_debug_is_flagged(folder: Path) -> None:
    found = real(folder, "google-benchmark.json")
    first = found.results[0]
    assert first.samples == [[6474.0402776024794, 7203.2301890868775, 6941.1611105059801]]
    assert first.flags == ("debug_build",)
    assert (first.case, first.unit) == ("mariadb_do_1", "ns")
    assert first.params == {"real_time": "yes", "threads": "1"}
    assert any("aggregates" in remark for remark in found.remarks)


def test_google_benchmark_keeps_why_a_case_failed() -> None:
    row = {"name": "x/64", "time_unit": "ns", "error_occurred": True, "error_message": "no server"}
    data: dict[str, Any] = {"context": {"library_build_type": "release"}, "benchmarks": [row]}
    (found,) = read(data).results
    assert found.error == "no server"
    assert found.params == {"argument_0": "64"}
    assert found.flags == ()
    row["time_unit"] = "fortnight"
    assert refused(data).place == "/benchmarks/0/time_unit"
    data["benchmarks"] = [7]
    assert refused(data).place == "/benchmarks/0"


def test_the_calibration_run_of_pyperf_has_no_values(folder: Path) -> None:
    found = real(folder, "pyperf.json")
    (one,) = found.results
    assert [len(process) for process in one.samples] == [3, 3, 3]
    assert "1 calibration runs" in found.remarks[0]
    assert found.environment["cpu"]["model"].startswith("Intel")
    assert one.subject.runtime.startswith("cpython 3.11.7")


def test_pyperf_is_refused_where_it_is_wrong() -> None:
    assert read({"benchmarks": [{"runs": [{}]}]}).results[0].error
    assert refused({"benchmarks": [{"runs": 7}]}).place == "/benchmarks/0/runs"
    strange = {"benchmarks": [{"metadata": {"unit": "joule"}, "runs": []}]}
    assert refused(strange).place == "/benchmarks/0/metadata/unit"
    wrong = {"benchmarks": [{"runs": [{"values": [1, -1]}]}]}
    assert refused(wrong).place == "/benchmarks/0/runs/0/values/1"


def test_pytest_benchmark_ran_in_one_process(folder: Path) -> None:
    found = real(folder, "pytest-benchmark.json")
    assert all(len(one.samples) <= 1 for one in found.results)
    assert found.results[0].summary["median"] > 0
    assert found.started_at is not None
    assert b"vm" not in content.opened((folder / "pytest-benchmark.json").read_bytes()).kept[:60]
    data: dict[str, Any] = {"machine_info": {}, "benchmarks": [{"name": "x"}]}
    assert refused(data).place == "/benchmarks/0"
    data["benchmarks"][0]["stats"] = {"mean": 1.0, "data": [1.0, 2.0]}
    data["benchmarks"][0]["params"] = {"size": 7}
    (one,) = read(data).results
    assert one.samples == [[1.0, 2.0]]
    assert one.params == {"size": "7"}


def test_the_ending_of_a_go_name_is_the_number_of_processors(folder: Path) -> None:
    found = real(folder, "go-bench.txt")
    assert [one.case for one in found.results] == ["do1", "do1", "select1prepared"]
    first = found.results[0]
    assert first.params == {"transport": "tcp", "gomaxprocs": "2"}
    assert first.samples == [[48917.0, 12573.0, 36800.0]]
    assert found.environment["cpu"]["model"] == "Intel(R) Xeon(R) Processor"
    assert refused(b"BenchmarkX 1 5 ns/op\nBenchmarkY 1 7 B/op").place == "line 2"
    assert refused(b"BenchmarkX 1 five ns/op").place == "line 1"
    (bare,) = read(b"BenchmarkX 1 5 ns/op").results
    assert bare.params == {"gomaxprocs": "1"}


def test_the_headline_of_tinybench_is_its_median(folder: Path) -> None:
    found = real(folder, "tinybench.json")
    assert found.results[0].summary["median"] == 0.02507999999988897
    assert found.results[0].samples == []
    assert found.results[0].subject.runtime == "node 20.20.2"
    assert refused([{"name": "x", "result": {}}]).place == "/0/result/latency"


def test_the_unit_of_bmf_hides_in_the_measure(folder: Path) -> None:
    latency, throughput = real(folder, "bmf.json").results
    assert (latency.unit, latency.direction) == ("ns", "lower")
    assert (throughput.unit, throughput.direction) == ("op/s", "higher")
    assert throughput.summary == {"mean": 46609.97, "min": 44000.0, "max": 49000.0}
    assert refused({"a/b": {"joules": {"value": 1}}}).place == "/a~1b/joules"


def test_sysbench_has_a_summary_only(folder: Path) -> None:
    found = real(folder, "sysbench.txt")
    rates = {one.case: one.summary for one in found.results}
    assert rates["transactions"] == {"mean": 34843.00}
    assert rates["latency"] == {"min": 0.01, "mean": 0.03, "max": 8.24}
    assert found.results[0].params == {"threads": 1}
    assert "not complete" in refused(b"sysbench 1.0.20\nbroken").reason


def test_a_line_of_mariadb_slap_is_a_summary(folder: Path) -> None:
    one, two = real(folder, "mariadb-slap.csv").results
    assert one.summary == {"mean": 0.019, "min": 0.019, "max": 0.02}
    assert two.params == {"threads": 2, "queries_per_client": "1000"}
    assert refused(b",mixed,x,0.1,0.1,1,100").place == "line 1"


@pytest.mark.parametrize(
    ("start", "piece"),
    [("sysbench 1.0", "\n"), ("sysbench 1.0\n", " "), ("BenchmarkX 1 2 ns/op\nBenchmarkX 1 ", "x")],
)
def test_a_long_text_is_read_in_a_time_that_grows_with_its_length(start: str, piece: str) -> None:
    before = time.process_time()
    refused((start + piece * 900_000).encode())
    assert time.process_time() - before < 5


@pytest.mark.parametrize(
    "text",
    [
        "sysbench 1.0\n transactions: 1 (1.2.3 per sec.)",
        "sysbench 1.0\n transactions: 1 (. per sec.)",
        ",mixed,1,1,1,²,100",
        ",mixed,1,1,1,9999999,100",
        "x" * 200_000,
    ],
)
def test_a_text_that_only_looks_like_numbers_is_refused(text: str) -> None:
    refused(text.encode())


def test_a_task_of_tinybench_that_failed_says_why() -> None:
    error = {"message": "no\n server"}
    for result, words in (
        ({"state": "errored", "error": error}, "no server"),
        ({"error": "x"}, "x"),
        ({"state": "errored"}, "failed"),
    ):
        assert read([{"name": "x", "result": result}]).results[0].error == words


def test_failures_of_go_and_benchmarks_without_a_result_are_told() -> None:
    text = b"BenchmarkX 1 5 ns/op 7 B/op\nBenchmarkY\n--- FAIL: BenchmarkY\nFAIL\n"
    assert read(text).remarks[-1] == (
        "Left out, though the original file has it: B/op, line 2, a benchmark without a result,"
        " line 3, a failure of the tool, line 4, a failure of the tool."
    )


def test_the_package_of_go_counts_for_the_lines_after_it() -> None:
    text = b"pkg: a\nBenchmarkX 1 5 ns/op\npkg: b\nBenchmarkX 1 6 ns/op\n"
    assert [one.subject.name for one in read(text).results] == ["a", "b"]


def test_google_benchmark_with_aggregates_alone_is_refused() -> None:
    rows: list[dict[str, Any]] = [{"name": "x_mean", "run_type": "aggregate", "real_time": 1}]
    data = {"context": {"library_build_type": "release"}, "benchmarks": rows}
    assert "aggregates only" in refused(data).reason
    good = {"name": "x", "real_time": 1.0, "my_counter": 7}
    rows[:] = [good, {"name": "x", "error_occurred": True}]
    found = read(data)
    assert (found.results[0].samples, found.results[0].error) == ([[1.0]], "")
    assert "1 failed repetitions of “x” were left out." in found.remarks
    assert found.remarks[-1].endswith("my_counter.")


def test_what_jmh_measures_beside_and_scores_without_data_are_told(folder: Path) -> None:
    data = json.loads((folder / "jmh.json").read_text())
    data[0]["secondaryMetrics"] = {"gc.alloc.rate": {}}
    del data[1]["primaryMetric"]["rawData"]
    beside, without = read(data).remarks
    assert "gc.alloc.rate of b.Do1.run" in beside
    assert without == "1 results have no rawData, only a score: no interval."
    data[0]["params"] = [1]
    assert refused(data).place == "/0/params"


def test_names_and_values_are_expected_where_a_tool_writes_them(folder: Path) -> None:
    assert (
        refused({"benchmarks": [{"metadata": [1], "runs": []}]}).place == "/benchmarks/0/metadata"
    )
    test: dict[str, Any] = {"name": "x", "stats": {"mean": 1.0}, "params": [1]}
    data = {"machine_info": {"cpu": 7}, "benchmarks": [test]}
    assert refused(data).place == "/benchmarks/0/params"
    test.update(params={"Size": 7, "size": 8}, extra_info={"driver": "c", "deep": {}})
    found = read(data)
    assert found.results[0].params == {"size": "7", "size_2": "8", "driver": "c"}
    assert "extra_info deep" in found.remarks[-1]
