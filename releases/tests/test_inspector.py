"""The inspector's confinement, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from releases import sandbox
from releases.inspector import seccomp

ROOT = Path(__file__).resolve().parents[2]
ATTEMPT = """
import os, socket, sys
from releases.inspector.__main__ import confine
readable = os.open("/proc/self/exe", os.O_RDONLY)
assert confine(readable)
for attempt in (
    lambda: socket.socket(socket.AF_UNIX),
    lambda: socket.socketpair(),
    lambda: os.execv(sys.executable, [sys.executable, "-V"]),
    lambda: open("/etc/passwd"),
    lambda: os.listdir("/"),
    lambda: open("/tmp/written", "w"),
):
    try:
        attempt()
    except PermissionError:
        print("refused")
os.close(os.open(f"/proc/self/fd/{readable}", os.O_RDONLY))
print("the one file is open")
"""


@pytest.mark.skipif(
    os.uname().machine not in seccomp.REFUSED, reason="no filter for this processor"
)
def test_the_inspector_opens_no_socket_no_program_and_no_other_file() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ATTEMPT], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.returncode) == ("refused\n" * 6 + "the one file is open\n", 0), (
        done.stderr
    )


def test_a_filter_jumps_to_its_last_instruction() -> None:
    code = seccomp.program(1, (41, 42))
    assert len(code) == 8 * 9
    assert [code[at * 8 + 2] for at in (4, 5, 6)] == [3, 2, 1]


def test_an_unknown_processor_has_no_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seccomp, "REFUSED", {})
    assert not seccomp.forbid(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("print('no json')", "cannot be read"),
        ("print('[1]')", "cannot be read"),
        ("print('{}')", "cannot be read"),
        ("import sys; sys.exit(3)", "broke its limits"),
        ("import os, time; os.close(1); time.sleep(60)", "took too long"),
        ("import time; time.sleep(60)", "took too long"),
    ],
)
def test_an_inspector_that_was_taken_over_brings_a_clear_refusal(
    program: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "SECONDS", 0.5 if "sleep" in program else 30)
    (tmp_path / "releases").mkdir()
    (tmp_path / "releases" / "inspector.py").write_text(program)
    monkeypatch.setattr(sandbox, "ROOT", tmp_path)
    with pytest.raises(sandbox.PackageRefusedError, match=words):
        sandbox.inspect("deb", tmp_path / "releases" / "inspector.py")
