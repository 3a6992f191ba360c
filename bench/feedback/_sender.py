"""Sends reports as many servers do at once, and takes as little of the machine as it can.

What it costs the one that sends is no part of the measurement, but on two processors it slows
down what is measured: so the reports are made before the clock runs, over plain sockets.
"""

from __future__ import annotations

import select
import socket
from collections.abc import Iterator, Sequence

from feedback.fleet import body

VALUES = {"VERSION": "10.11.19-MariaDB"} | {f"VARIABLE_NUMBER_{n}": str(n) for n in range(920)}
HEAD = (
    "POST /rest/v1/post HTTP/1.0\r\nUser-Agent: MariaDB User Feedback Plugin\r\n"
    "Host: 127.0.0.1\r\nContent-Length: %d\r\n\r\n"
)
ROOM = 2**20  # bytes: a report goes out at once


def requests(reports: int, run: int) -> list[bytes]:
    """So many full reports of 25 kB, each of a server of its own."""
    bodies = (body(f"bench-{run}-{number}", VALUES) for number in range(reports))
    return [(HEAD % len(report)).encode() + report for report in bodies]


def send(port: int, waiting: Sequence[bytes], at_once: int) -> None:
    """Send all, so many at once; RuntimeError when one is not answered as stored."""
    todo, poll = iter(waiting), select.epoll()
    open_: dict[int, tuple[socket.socket, bytearray]] = {}
    for _ in range(at_once):
        _start(port, todo, poll, open_)
    while open_:
        for number, _ in poll.poll():
            sender, answer = open_[number]
            piece = sender.recv(4_096)
            answer += piece
            if not piece:
                del open_[number]
                sender.close()
                if b"<h1>ok</h1>" not in answer:
                    raise RuntimeError(f"not stored: {bytes(answer)[:200]!r}")
                _start(port, todo, poll, open_)


def _start(
    port: int,
    todo: Iterator[bytes],
    poll: select.epoll,
    open_: dict[int, tuple[socket.socket, bytearray]],
) -> None:
    request = next(todo, None)
    if request is not None:
        sender = socket.create_connection(("127.0.0.1", port))
        sender.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, ROOM)
        sender.sendall(request)
        open_[sender.fileno()] = sender, bytearray()
        poll.register(sender.fileno(), select.EPOLLIN)
