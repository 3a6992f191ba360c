"""The runner against programs that misbehave, and its noise; no server, no driver."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from benchmarks.runner import comparing, noise
from benchmarks.runner.cache import CannotError
from benchmarks.runner.cli import main
from benchmarks.runner.measuring import Conversation
from benchmarks.runner.work.python import worker


def talking(program: str) -> Conversation:
    words = [sys.executable, "-c", program]
    pipe = subprocess.PIPE
    return Conversation(subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True))


def test_what_a_driver_prints_beside_is_passed_over() -> None:
    talk = talking("print('Loading class ...'); print('ready {\"check\": \"1 x 1: 1\"}')")
    assert talk.hear("ready") == {"check": "1 x 1: 1"}
    talk.process.communicate()


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ('print(\'error {"reason": "no such plugin"}\')', "no such plugin"),
        ("raise SystemExit(3)", "ended without a word"),
    ],
)
def test_a_program_that_cannot_says_why(program: str, reason: str) -> None:
    talk = talking(program)
    with pytest.raises(CannotError, match=reason):
        talk.hear("ready")
    talk.process.communicate()


def test_what_is_started_inside_runs_on_the_chosen_processor_only() -> None:
    before = os.sched_getaffinity(0)
    one = {min(before)}
    with noise.pinned(one):
        assert os.sched_getaffinity(0) == one
    assert os.sched_getaffinity(0) == before


def test_time_of_others_is_busy_time_that_is_not_ours() -> None:
    heard = noise.Noise(load_start=0.0, step_ns=1.0)
    heard.add(noise.Moment(10, 5, 0, 3), noise.Moment(20, 12, 1, 8))
    facts = heard.facts()
    assert (facts["foreign_cpu_share"], facts["steal_share"]) == (0.2, 0.1)


def test_parameters_have_three_kinds() -> None:
    assert worker.parameters("i:42;d:1.5;s:3") == [42, 1.5, "xxx"]
    assert worker.parameters("") == []


@pytest.mark.parametrize(
    ("rows", "said"),
    [(None, "0 x 0: "), ((), "0 x 0: "), ([(1,)], "1 x 1: 1"), ([[7, "a"], [8, "b"]], "2 x 2: 7")],
)
def test_every_result_is_checked_in_the_same_words(rows: object, said: str) -> None:
    assert worker.checked(rows) == said


def test_a_driver_that_nobody_knows_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--drivers", "odbc"]) == 1
    assert "No such driver: odbc" in capsys.readouterr().err


def test_only_our_own_format_is_uploaded_as_ours(
    tmp_path: os.PathLike[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = os.path.join(tmp_path, "jmh.json")
    with open(path, "w") as file:
        file.write("[]")
    assert main(["upload", path]) == 1
    assert "use import" in capsys.readouterr().err


def test_two_files_are_compared_offline(
    tmp_path: os.PathLike[str], capsys: pytest.CaptureFixture[str]
) -> None:
    paths = []
    for name, speed in (("a", 100.0), ("b", 50.0)):
        paths.append(os.path.join(tmp_path, f"{name}.json"))
        samples = [[speed + step, speed + step] for step in range(6)]
        with open(paths[-1], "w") as file:
            file.write(
                '{"results": [{"case": "do_1", "subject": {"name": "PyMySQL"}, "metric": '
                f'"throughput", "unit": "op/s", "direction": "higher", "samples": {samples}}}]}}'
            )
    assert comparing.show(*paths) == 0
    out = capsys.readouterr().out
    assert "do_1" in out
    assert "1.95 times" in out
    assert "better" in out
