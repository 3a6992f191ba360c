"""What senders do, byte for byte, and a receiver to send to."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from feedback.receiver.connection import Connection, Receiver
from feedback.receiver.store import Store

PEPPER = b"pepper of the tests"
BOUNDARY = b"--------------------------ba4f3696b39f"
UID = "noXlLLa2od3mQW8oOulZC8ESuAY="


def lines(values: Mapping[str, str], uid: str = UID) -> bytes:
    """The lines of a report; the identity comes first, as the plugin writes it."""
    all_values = {"FEEDBACK_SERVER_UID": uid, **values}
    return "".join(f"{key}\t{value}\n" for key, value in all_values.items()).encode()


def multipart(text: bytes) -> bytes:
    """The body as the plugin wraps it: the closing delimiter follows a bare line feed."""
    head = b'Content-Disposition: form-data; name="data"; filename="-"\r\n'
    head += b"Content-Type: application/octet-stream\r\n\r\n"
    return b"--" + BOUNDARY + b"\r\n" + head + text + b"\n--" + BOUNDARY + b"--\r\n"


def post(
    body: bytes,
    *,
    agent: str = "MariaDB User Feedback Plugin",
    path: str = "/rest/v1/post",
    forwarded_for: str = "",
) -> bytes:
    """The whole request of the plugin around a body, as a proxy of ours passes it on."""
    head = f"POST {path} HTTP/1.0\r\nUser-Agent: {agent}\r\nHost: 127.0.0.1:1\r\nAccept: */*\r\n"
    head += f"Content-Length: {len(body)}\r\n"
    head += f"X-Forwarded-For: {forwarded_for}\r\n" if forwarded_for else ""
    kind = b"Content-Type: multipart/form-data; boundary=" + BOUNDARY
    return head.encode() + kind + b"\r\n\r\n" + body


def recorded(shared_data: Path, name: str) -> bytes:
    """A request that a real server sent; one of them was recorded at another address."""
    request = (shared_data / "feedback" / name).read_bytes()
    return request.replace(b"POST /ok HTTP", b"POST /rest/v1/post HTTP", 1)


def report(values: Mapping[str, str], uid: str = UID, **more: Any) -> bytes:
    """A request with these values; `more` as for `post`."""
    return post(multipart(lines(values, uid)), **more)


def send(port: int, request: bytes, *, patience: float = 20) -> bytes:
    """Send as the plugin does: everything, then read until the other side closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=patience) as client:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            client.sendall(request)
        answer = b""
        with contextlib.suppress(ConnectionResetError):
            while data := client.recv(65536):
                answer += data
        return answer


@contextlib.contextmanager
def running_receiver(database_url: str, **settings: Any) -> Iterator[int]:
    """A receiver with such `settings` in a thread of this process; yields its port and drains
    at the end.
    """
    ready = threading.Event()
    found: dict[str, object] = {}

    async def main() -> None:
        store = Store(database_url)
        receiver = Receiver(store, PEPPER, **settings)
        loop = asyncio.get_running_loop()
        stop = asyncio.Event()
        server = await loop.create_server(lambda: Connection(receiver), "127.0.0.1", 0)
        writing = asyncio.create_task(store.run())
        found.update(port=server.sockets[0].getsockname()[1], loop=loop, stop=stop)
        ready.set()
        await stop.wait()
        server.close()
        for connection in list(receiver.connections):
            connection.close_if_idle()
        store.close()
        await writing

    thread = threading.Thread(target=asyncio.run, args=(main(),))
    thread.start()
    ready.wait(10)
    port, loop, stop = found["port"], found["loop"], found["stop"]
    assert isinstance(port, int)
    assert isinstance(loop, asyncio.AbstractEventLoop)
    assert isinstance(stop, asyncio.Event)
    try:
        yield port
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(20)
