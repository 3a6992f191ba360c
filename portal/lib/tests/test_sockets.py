"""The sockets between our processes, wherever their folder is."""

from __future__ import annotations

import os
import socketserver
import time
from pathlib import Path
from threading import Thread

import pytest

from portal.lib import sockets


class Echo(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        head, body, _ = sockets.receive(self.request)
        sockets.send(self.request, head, body, [])


def open_files_come_to(number: int) -> bool:
    """The thread of the last answer closes its end a moment after the answer has arrived."""
    until = time.monotonic() + 5
    while (now := len(os.listdir("/proc/self/fd"))) > number and time.monotonic() < until:
        time.sleep(0.01)
    return now == number


@pytest.mark.parametrize("depth", [0, 1, 20])
def test_a_question_is_answered_however_deep_the_folder_is(tmp_path: Path, depth: int) -> None:
    """The kernel takes 107 bytes for a name, and people keep their work in deep folders."""
    address = tmp_path.joinpath(*["a folder of somebody"] * depth) / "office.sock"
    address.parent.mkdir(parents=True, exist_ok=True)
    address.write_text("what a killed process left")

    with sockets.Server(address, Echo) as server:
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        files = len(os.listdir("/proc/self/fd"))
        for number in range(5):
            asked = {"number": number}, b"body"
            assert sockets.ask(address, *asked, seconds=10) == asked
        server.shutdown()
        assert open_files_come_to(files)
    assert address.stat().st_mode & 0o777 == 0o660


def test_nobody_there_is_told_in_a_deep_folder_too(tmp_path: Path) -> None:
    address = tmp_path.joinpath(*["a folder of somebody"] * 20) / "office.sock"
    with pytest.raises(FileNotFoundError):
        sockets.ask(address, {}, seconds=1)
    address.parent.mkdir(parents=True)
    with pytest.raises(FileNotFoundError):
        sockets.ask(address, {}, seconds=1)
