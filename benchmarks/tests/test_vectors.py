"""Readers against small files in the form of each tool, written for these tests."""

import datetime as dt
from typing import Any

from benchmarks.tests.test_readers import read, refused

SYSBENCH = b"""sysbench 1.0.20 (using system LuaJIT)

Number of threads: 4
SQL statistics:
    transactions:                        300 (100.50 per sec.)
    queries:                             600 (201.00 per sec.)
    ignored errors:                      0      (0.00 per sec.)

Latency (ms):
         min:                                    0.10
         avg:                                    0.25
         max:                                    2.50
         95th percentile:                        0.40
"""


def jmh(unit: str, **metric: Any) -> list[dict[str, Any]]:
    return [
        {
            "jmhVersion": "1.37",
            "benchmark": "org.example.Do1.run",
            "threads": 2,
            "vmName": "A VM",
            "vmVersion": "21",
            "params": {"driver": "mariadb", "Fetch Size": "10"},
            "primaryMetric": {"score": 2.0, "scoreUnit": unit, **metric},
        }
    ]


def test_jmh() -> None:
    (one,) = read(jmh("ops/ms", rawData=[[1.0, 2.0], [3.0]])).results
    assert (one.subject.name, one.subject.runtime, one.case) == ("mariadb", "A VM 21", "do1.run")
    assert (one.unit, one.direction) == ("op/s", "higher")
    assert one.samples == [[1000.0, 2000.0], [3000.0]]
    assert one.params == {"fetch_size": "10", "threads": 2}
    (two,) = read(jmh("us/op")).results
    assert (two.unit, two.direction, two.summary) == ("us", "lower", {"mean": 2.0})
    assert refused(jmh("parsec")).place == "/0/primaryMetric/scoreUnit"
    assert refused([{"primaryMetric": 1}]).place == "/0"
    bare = jmh("s/op")[0]
    del bare["threads"], bare["params"]
    assert read([bare]).results[0].params == {}


def test_pytest_benchmark() -> None:
    content: dict[str, Any] = {
        "machine_info": {
            "python_implementation": "CPython",
            "python_version": "3.11",
            "machine": "x86_64",
            "system": "Linux",
            "release": "6.1",
            "cpu": {"brand_raw": "Some CPU", "count": 2},
        },
        "benchmarks": [
            {"name": "test_a[1]", "params": {"size": 1}, "stats": {"mean": 2.0, "data": [1, 3]}},
            {"name": "test_b", "group": "B", "stats": {"mean": 2.0}},
        ],
        "datetime": "2026-11-20T10:00:00",
    }
    found = read(content)
    one, two = found.results
    assert (one.case, one.samples, one.params) == ("test_a", [[1.0, 3.0]], {"size": "1"})
    assert (two.case, two.samples, two.summary) == ("b", [], {"mean": 2.0})
    assert one.subject.runtime == "CPython 3.11"
    assert found.environment["cpu"] == {"model": "Some CPU", "arch": "x86_64", "threads": 2}
    assert found.started_at == dt.datetime(2026, 11, 20, 10, tzinfo=dt.UTC)
    assert read(content | {"datetime": "x"}).started_at is None
    assert refused(content | {"benchmarks": [{"name": "x"}]}).place == "/benchmarks/0"


def test_pyperf() -> None:
    metadata = {
        "name": "a",
        "python_implementation": "cpython",
        "python_version": "3.11",
        "cpu_model_name": "Some CPU",
        "platform": "Linux",
    }
    runs = [{"warmups": [[1, 0.1]]}, {"values": [0.1, 0.2]}, {"values": [0.3]}]
    found = read({"metadata": metadata, "benchmarks": [{"runs": runs}]})
    (one,) = found.results
    assert one.samples == [[0.1, 0.2], [0.3]]
    assert one.subject.runtime == "cpython 3.11"
    assert found.environment == {"cpu": {"model": "Some CPU"}, "os": {"name": "Linux"}}
    assert "1 calibration runs of “a”" in found.remarks[0]
    whole = read({"benchmarks": [{"metadata": {"unit": "byte"}, "runs": runs[1:]}]})
    assert (whole.results[0].unit, whole.remarks) == ("B", [])


def test_tinybench() -> None:
    latency = {"p50": 0.5, "mean": 0.6, "sd": None, "samplesCount": 10}
    task = {"name": "x", "result": {"runtime": "node", "runtimeVersion": "20", "latency": latency}}
    (one,) = read([task]).results
    assert one.summary == {"median": 0.5, "mean": 0.6, "n": 10.0}
    assert (one.subject.name, one.subject.runtime) == ("x", "node 20")
    assert refused([{"name": "x", "result": {}}]).place == "/0/result/latency"


def test_sysbench() -> None:
    found = read(SYSBENCH)
    assert found.tool == {"name": "sysbench", "version": "1.0.20"}
    told = {one.case: (one.summary, one.params) for one in found.results}
    assert told == {
        "transactions": ({"mean": 100.5}, {"threads": 4}),
        "queries": ({"mean": 201.0}, {"threads": 4}),
        "latency": ({"min": 0.1, "mean": 0.25, "max": 2.5}, {"threads": 4}),
    }
    short = b"sysbench 1.0\n    queries:  1 (2.00 per sec.)\n"
    assert [one.case for one in read(short).results] == ["queries"]
    assert "not complete" in refused(b"sysbench 1.0\nbroken").reason


def test_slap_csv() -> None:
    one, two = read(b"innodb,mixed,0.2,0.1,0.3,2,100\n\n,,0.2,0.1,0.3,1,100\n").results
    assert one.summary == {"mean": 0.2, "min": 0.1, "max": 0.3}
    assert one.params == {"threads": 2, "queries_per_client": "100", "engine": "innodb"}
    assert (two.case, two.place) == ("load", "line 3")
    assert refused(b",mixed,x,0.1,0.1,1,100").place == "line 1"


def test_bmf() -> None:
    content = {"a": {"latency": {"value": 5.0, "lower_value": 4.0}, "throughput": {"value": 7}}}
    one, two = read(content).results
    assert (one.unit, one.direction, one.summary) == ("ns", "lower", {"mean": 5.0, "min": 4.0})
    assert (two.unit, two.direction, two.summary) == ("op/s", "higher", {"mean": 7.0})
    assert refused({"a/b": {"joules": {"value": 1}}}).place == "/a~1b/joules"


def test_go_bench() -> None:
    text = b"goos: linux\ncpu: Some CPU\n"
    text += b"BenchmarkA/mode=x-2 10 5.5 ns/op\nBenchmarkA/mode=x-2 10 6 ns/op"
    found = read(text)
    (one,) = found.results
    assert (one.case, one.samples) == ("a", [[5.5, 6.0]])
    assert one.params == {"mode": "x", "gomaxprocs": "2"}
    assert found.environment == {"cpu": {"model": "Some CPU"}, "os": {"name": "linux"}}
    assert refused(b"BenchmarkX 1 5 ns/op\nBenchmarkY 1 7 B/op").place == "line 2"
    assert refused(b"BenchmarkX 1 five ns/op").place == "line 1"
    assert read(b"BenchmarkX 1 5 ns/op").environment == {"cpu": {}}
