import datetime as dt
import gzip
import json
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import privacy
from benchmarks.documents import Document, RefusedError
from benchmarks.readers import limits, take
from benchmarks.readers.numbers import finite

NOW = dt.datetime(2026, 11, 22, tzinfo=dt.UTC)


def read(content: Any) -> Document:
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    return take(raw, now=NOW).document


def refused(content: Any) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        read(content)
    return caught.value


def hyperfine(**changed: Any) -> dict[str, Any]:
    one = {
        "command": "sleep 0.1",
        "mean": 0.1,
        "times": [0.1, 0.2, 0.1, 0.1, 0.1],
        "exit_codes": [0, 0, 0, 0, 0],
    }
    return {"results": [one | changed]}


NATIVE: dict[str, Any] = {
    "schema": "bench-upload/1",
    "run": {
        "id": "6d1b3c1e-0000-4000-8000-000000000002",
        "started_at": "2026-11-21T00:22:20Z",
        "tool": {"name": "bench", "suite": "fast_queries@1"},
    },
    "environment": {"cpu": {"model": "some", "cores": 2}},
    "results": [
        {
            "case": "do_1",
            "subject": {"name": "Connector", "version": "1"},
            "metric": "throughput",
            "unit": "op/s",
            "params": {"transport": "tcp", "threads": 1, "tls": False},
            "samples": [[1.0, 2.0], [3.0]],
        }
    ],
}


def native(path: str, value: Any) -> dict[str, Any]:
    """The native example with one place changed."""
    changed: Any = deepcopy(NATIVE)
    *parents, last = [int(step) if step.isdigit() else step for step in path.split("/")]
    here = changed
    for step in parents:
        here = here[step]
    here[last] = value
    return changed  # type: ignore[no-any-return]


def test_a_real_hyperfine_file_has_a_process_for_each_time(shared_data: Path) -> None:
    found = read((shared_data / "benchmarks/formats/hyperfine.json").read_bytes())
    assert found.format == "hyperfine"
    first, second = found.results
    assert first.subject.name == "mariadb-cli DO 1 (socket)"
    assert first.samples[0] == [0.019634231000000002]
    assert [len(process) for process in first.samples] == [1] * 5
    assert (first.metric, first.unit, first.direction) == ("duration", "s", "lower")
    assert second.case == first.case
    assert found.environment == {}


def test_failed_runs_of_hyperfine_are_left_out_and_said() -> None:
    found = read(hyperfine(exit_codes=[0, 1, 0, None, 0]))
    assert len(found.results[0].samples) == 3
    assert "2 failed runs of “sleep 0.1” were left out." in found.remarks
    assert read(hyperfine(exit_codes=[1] * 5)).results[0].error


def test_hyperfine_without_times_is_a_summary() -> None:
    found = read({"results": [{"command": "x", "mean": 0.5, "median": 0.4, "stddev": None}]})
    assert found.results[0].samples == []
    assert found.results[0].summary == {"mean": 0.5, "median": 0.4}


def test_parameters_of_hyperfine_are_kept() -> None:
    found = read(hyperfine(parameters={"threads": "4"}))
    assert found.results[0].params == {"threads": "4"}


def test_a_command_that_ran_often_is_taken_up_to_a_limit() -> None:
    found = read(hyperfine(times=[0.001] * 200, exit_codes=[0] * 200))
    assert len(found.results[0].samples) == 200
    assert "200 processes" in refused(hyperfine(times=[1.0] * 201, exit_codes=[0] * 201)).reason


def test_a_file_of_many_samples_is_refused_before_it_is_copied(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(privacy, "cleaned", None)  # never reached
    one = NATIVE["results"][0]
    for samples, times in (([[1.0] * 10_000] * 21, 1), ([[1.0]] * 200, 1001)):
        many = NATIVE | {"results": [one | {"samples": samples}] * times}
        assert "200000 samples" in refused(many).reason
    assert "400000 values" in refused(b"[" + b"{},{}," * 200_001 + b"1]").reason


def test_samples_are_counted_whatever_form_they_come_in() -> None:
    results = replace(read(NATIVE).results[0], samples=[[1.0] * 10_000])
    limits.check(Document(format="x", results=[results] * 20), now=NOW)
    with pytest.raises(RefusedError, match="200000 samples"):
        limits.check(Document(format="x", results=[results] * 21), now=NOW)


def test_the_real_native_file_is_taken(shared_data: Path) -> None:
    found = read((shared_data / "benchmarks/formats/native.json").read_bytes())
    assert found.format == "native"
    assert found.order == "interleaved"
    assert str(found.run_id) == "6d1b3c1e-0000-4000-8000-000000000001"
    assert found.results[0].samples[5] == [65835.8, 73812.3, 83470.7]
    assert found.results[0].evidence["stmt_execute_per_op"] == 0
    assert found.environment["server"]["version"].startswith("10.11.19")


def test_the_direction_follows_from_the_unit_when_it_is_not_said() -> None:
    assert read(NATIVE).results[0].direction == "higher"
    seconds = native("results/0/unit", "s")
    seconds["results"][0]["metric"] = "duration"
    assert read(seconds).results[0].direction == "lower"
    assert read(NATIVE).suite == "fast_queries"


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (hyperfine(times=[0.1, float("nan"), 1, 1, 1]), "/results/0/times/1"),
        (hyperfine(times=[0.1, 1, -1, 1, 1]), "/results/0/times/2"),
        (b'{"results": [{"command": "x", "mean": 1, "times": [1, 1e999]}]}', "/results/0/times/1"),
        (hyperfine(times=[0.1, True, 1, 1, 1]), "/results/0/times/1"),
        (hyperfine(times=[10**400, 1, 1, 1, 1]), "/results/0/times/0"),
        (hyperfine(times=[1e308, 1, 1, 1, 1]), "/results/0/times/0"),
        (native("environment/cpu/mhz", 10**400), "/environment/cpu/mhz"),
        (native("results/0/summary", {"mean": 1e16}), "/results/0/summary/mean"),
        (hyperfine(times=[]), "/results/0/times"),
        (hyperfine(exit_codes=[0]), "/results/0/exit_codes"),
        (hyperfine(command=7), "/results/0/command"),
        (hyperfine(command="a\x07b"), "/results/0"),
        (hyperfine(command=" "), "/results/0"),
        (hyperfine(parameters=[1]), "/results/0/parameters"),
        (hyperfine(parameters={str(n): "1" for n in range(31)}), "/results/0"),
        (native("results/0/samples", [[1.0], [2.0, float("inf")]]), "/results/0/samples/1/1"),
        (native("results/0/samples", [[1.0], 2.0]), "/results/0/samples/1"),
        (native("results/0/samples", 7), "/results/0/samples"),
        (native("results/0/samples", [[1.0, 2.0]] * 201), "/results/0"),
        (native("results/0/samples", [[1.0] * 10_001]), "/results/0"),
        (native("results/0/unit", "furlong"), "/results/0/unit"),
        (native("results/0/summary", {"mean": float("nan")}), "/results/0/summary/mean"),
        (native("results/0/summary", {"mean": -1}), "/results/0/summary/mean"),
        (native("results/0/params", {"x": float("nan")}), "/results/0/params/x"),
        (native("results/0/subject/name", "a\nb"), "/results/0"),
        (native("results/0/case", "DO 1"), "/results/0/case"),
        (native("environment/cpu/mhz", float("inf")), "/environment/cpu/mhz"),
        (native("environment/surprise", 1), "/environment"),
        (native("run/started_at", "2027-01-01T00:00:00Z"), "/run/started_at"),
        (native("run/finished_at", "2027-01-01T00:00:00Z"), "/run/finished_at"),
        (native("run/started_at", "yesterday"), "/run/started_at"),
        (native("run/started_at", "2026-11-01T00:00:00"), "/run/started_at"),
        (native("run/id", "7"), "/run/id"),
        (native("run/title", "a\tb"), "/run/title"),
        (native("run/source_url", "javascript:alert(1)"), "/run/source_url"),
        (native("results", [NATIVE["results"][0]] * 2001), "/results"),
        (native("results", 7), "/results"),
        (native("schema", "bench-upload/9"), "/schema"),
        (b"{\n\n nonsense}", "line 3"),
        (b"[" * 100_000, ""),
        (b"\xff\xfe", "byte 0"),
        (b"  ", ""),
        (b"hello", ""),
        (b'{"results": []}', ""),
        (b'{"a": "\\u0000"}', ""),
        (b'{"a": "\\ud800"}', ""),
        (b"[" + b"9" * 5000 + b"]", ""),
        (b"\x1f\x8bnonsense", ""),
        (gzip.compress(b"{}")[:-6], ""),
    ],
)
def test_what_cannot_be_kept_is_refused_with_its_place(content: Any, place: str) -> None:
    assert refused(content).place == place


def test_the_caps_on_size_hold_for_bombs_too() -> None:
    assert "20 MB" in refused(gzip.compress(b" " * 20_000_001)).reason
    assert "20 MB" in refused(b"{" + b" " * 20_000_001).reason
    assert "1 MB" in refused(b"goos: " + b"x" * 1_000_000).reason
    assert "5 MB" in refused(b"\x1f\x8b" + b"x" * 5_000_001).reason


def test_a_packed_file_is_the_same_upload() -> None:
    assert read(gzip.compress(json.dumps(NATIVE).encode())) == read(NATIVE)


def test_nothing_private_reaches_the_document_or_the_kept_file() -> None:
    dirty = hyperfine(command="/home/eve/bin/mariadb -psecret -h db7.example.org")
    taken = take(json.dumps(dirty | {"hostname": "vm-eve"}).encode(), now=NOW)
    assert taken.document.results[0].subject.name == "mariadb -p<password> -h<host>"
    for word in (b"eve", b"secret", b"db7"):
        assert word not in taken.original
    assert json.loads(taken.original)["results"][0]["times"] == dirty["results"][0]["times"]


def test_commands_that_read_alike_are_told_apart() -> None:
    two = [hyperfine(command=f"/opt/{n}/bench")["results"][0] for n in (1, 2)]
    found = read({"results": two})
    assert [one.subject.name for one in found.results] == ["bench", "bench (2)"]
    assert any("read alike" in remark for remark in found.remarks)


def test_a_refusal_reads_as_a_sentence() -> None:
    assert str(RefusedError("/a", "No.")) == "/a: No."
    assert str(RefusedError("", "No.")) == "No."


def test_an_upload_without_any_result_is_refused() -> None:
    with pytest.raises(RefusedError):
        limits.check(Document(format="x", results=[]), now=NOW)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"metric": "beauty"}, "not a metric"),
        ({"unit": "furlong"}, "not a unit"),
        ({"direction": "sideways"}, "neither"),
        ({"case": "x" * 301}, "longer than 300"),
        ({"samples": []}, "needs samples"),
    ],
)
def test_the_caps_hold_whatever_a_reader_returns(changed: dict[str, Any], words: str) -> None:
    one = replace(read(NATIVE).results[0], **changed)
    with pytest.raises(RefusedError, match=words):
        limits.check(Document(format="x", results=[one]), now=NOW)
    with pytest.raises(RefusedError, match="2000 results"):
        limits.check(Document(format="x", results=[one] * 2001), now=NOW)


def test_a_number_beyond_meaning_is_found_in_a_list_too() -> None:
    with pytest.raises(RefusedError, match="too large") as caught:
        finite({"a": [1, {"b": [2, 1e31]}]}, "")
    assert caught.value.place == "/a/1/b/1"


def test_the_kept_file_is_json_though_tools_write_what_is_not() -> None:
    raw = json.dumps(hyperfine(stddev=float("nan"), user=float("inf"))).encode()

    def stop(word: str) -> None:
        raise AssertionError(word)

    (one,) = json.loads(take(raw, now=NOW).original, parse_constant=stop)["results"]
    assert (one["stddev"], one["user"]) == (None, None)
