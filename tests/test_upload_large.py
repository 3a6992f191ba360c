"""Ten gibibytes through the client and the portal, killed on both sides. `docs/proofs/upload.md`.

python -m pytest tests/test_upload_large.py -m proof_full -s -n 0
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.publisher import Publisher, wait_for
from tests.stack import Stack

SIZE = 10 * 2**30
NEEDED = 13 * 2**30
FLAT = 64 * 2**20  # bytes that web may grow by, whatever the size of the file


def memory(stack: Stack, name: str) -> tuple[int, int]:
    """Bytes held now by a process of the stack with its children, and the sum of their peaks."""
    now = peak = 0
    for pid in _family(stack.children[name].pid):
        status = Path(f"/proc/{pid}/status")
        try:
            lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        except FileNotFoundError:
            continue
        now += int(lines.get("VmRSS", "0 kB").split()[0]) * 1024
        peak += int(lines.get("VmHWM", "0 kB").split()[0]) * 1024
    return now, peak


def _family(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    below = [int(child) for child in path.read_text().split()] if path.exists() else []
    return [pid, *(number for child in below for number in _family(child))]


@pytest.mark.proof_full
def test_ten_gibibytes_arrive_though_web_and_the_client_are_killed(
    stack: Stack, tmp_path: Path
) -> None:
    if shutil.disk_usage(tmp_path).free < NEEDED:
        pytest.skip("needs 13 GiB of free disk")
    publisher = Publisher(stack, "largedb")
    publisher.draft("12.3.0")
    source = tmp_path / "largedb-12.3.0-linux-x86_64.tar.gz"
    with source.open("wb") as file:  # sparse: zeros, but for a mark at either end
        file.write(b"begin")
        file.seek(SIZE - 3)
        file.write(b"end")

    def offset() -> int:
        ((found,),) = stack.sql(
            "SELECT coalesce(max(u.offset), 0) FROM releases_upload u WHERE u.name = %s",
            (source.name,),
        )
        return int(found)

    def start() -> subprocess.Popen[bytes]:
        log = (tmp_path / "client.log").open("ab")
        command = publisher.client("12.3.0", source)
        return subprocess.Popen(command, env=publisher.environ, stderr=log)

    begun = time.monotonic()
    client = start()
    wait_for(lambda: offset() > SIZE // 4, patience=1800)
    first, _ = memory(stack, "web")
    stack.kill("web")
    kept = offset()
    stack.start("web")
    stack.wait_ready()
    fresh, _ = memory(stack, "web")
    wait_for(lambda: offset() > SIZE // 2, patience=1800)
    client.kill()
    client.wait()
    client = start()
    wait_for(lambda: offset() == SIZE, patience=1800)
    sent = time.monotonic() - begun
    now, peak = memory(stack, "web")
    assert client.wait(1800) == 0, (tmp_path / "client.log").read_text()
    whole = time.monotonic() - begun
    ((size, state),) = stack.sql(
        "SELECT b.size, u.state FROM releases_upload u JOIN releases_file f ON f.id = u.file_id"
        " JOIN releases_blob b ON b.id = f.blob_id WHERE u.name = %s",
        (source.name,),
    )
    _, worker = memory(stack, "worker")
    _, door = memory(stack, "door")
    mib = 2**20
    sys.stdout.write(
        f"\nsent in {sent:.0f} s ({SIZE / sent / 1e6:.0f} MB/s), accepted after {whole:.0f} s;"
        f" web killed at {kept / 2**30:.2f} GiB; web {first / mib:.0f} MiB at a quarter,"
        f" {fresh / mib:.0f} MiB fresh, {now / mib:.0f} MiB at the end, peak {peak / mib:.0f} MiB;"
        f" peaks: worker {worker / mib:.0f} MiB, door {door / mib:.0f} MiB\n"
    )
    assert (size, state) == (SIZE, "accepted")
    assert kept > SIZE // 4
    assert peak < fresh + FLAT
