"""The door with real sockets; what stands behind it are small servers of the test."""

import asyncio
import contextlib
import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from feedback.door import Door, first_line
from portal.embedded import free_port

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
REPORT = b"POST /rest/v1/post HTTP/1.0\r\nContent-Length: 2\r\n\r\nhi"


async def _whole_request(reader: asyncio.StreamReader) -> bytes:
    return await reader.readuntil(b"\r\n\r\n")


def _says(text: bytes) -> Serve:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await _whole_request(reader)
        writer.write(text)
        writer.close()

    return serve


async def _silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await _whole_request(reader)
    await reader.readexactly(2)
    writer.close()


@contextlib.asynccontextmanager
async def _house(web: Serve | None, receiver: Serve | None) -> AsyncIterator[int]:
    """A door before two servers; the port where it listens. None: nobody is there."""
    async with contextlib.AsyncExitStack() as stack:
        addresses = []
        for serve in (web, receiver):
            port = free_port()
            if serve:
                server = await asyncio.start_server(serve, "127.0.0.1", port)
                await stack.enter_async_context(server)
            addresses.append(("127.0.0.1", port))
        door = Door(web=addresses[0], receiver=addresses[1])
        stack.push_async_callback(door.close)
        listening = await asyncio.start_server(door.admit, "127.0.0.1", 0)
        await stack.enter_async_context(listening)
        yield listening.sockets[0].getsockname()[1]


async def _ask(port: int, request: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        return await asyncio.wait_for(reader.read(), 10)
    finally:
        writer.close()


def test_reports_go_to_the_receiver_and_all_else_to_the_web() -> None:
    async def scene() -> None:
        async with _house(_says(b"web"), _says(b"receiver")) as port:
            assert await _ask(port, REPORT) == b"receiver"
            assert await _ask(port, b"POST http://a:1//rest/v1/post HTTP/1.0\r\n\r\n") == (
                b"receiver"
            )
            assert await _ask(port, b"GET /rest/v1/post HTTP/1.1\r\n\r\n") == b"web"
            assert await _ask(port, b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n") == b"web"

    asyncio.run(scene())


def test_a_receiver_that_closes_without_a_byte_is_passed_on_without_a_byte() -> None:
    async def scene() -> None:
        async with _house(_says(b"web"), _silent) as port:
            assert await _ask(port, REPORT) == b""

    asyncio.run(scene())


def test_without_a_receiver_no_byte_and_without_web_a_word_that_it_starts() -> None:
    async def scene() -> None:
        async with _house(None, None) as port:
            with contextlib.suppress(ConnectionResetError):
                assert await _ask(port, REPORT) == b""
            answer = await _ask(port, b"GET / HTTP/1.1\r\n\r\n")
            head, _, body = answer.partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 503")
            assert f"Content-Length: {len(body)}".encode() in head

    asyncio.run(scene())


def test_a_request_may_arrive_byte_by_byte() -> None:
    async def scene() -> None:
        async with _house(_says(b"web"), _says(b"receiver")) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            for at in range(len(REPORT)):
                writer.write(REPORT[at : at + 1])
                await writer.drain()
                await asyncio.sleep(0)
            assert await reader.read() == b"receiver"
            writer.close()

    asyncio.run(scene())


def test_large_bodies_stream_both_ways_at_once() -> None:
    size = 20 * 2**20

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.close()

    async def scene() -> None:
        async with _house(echo, None) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)

            async def send() -> None:
                writer.write(b"PUT / HTTP/1.1\r\n")
                for _ in range(size // 65536):
                    writer.write(b"x" * 65536)
                    await writer.drain()
                writer.write_eof()  # half closed: the answer must still arrive whole

            sending = asyncio.create_task(send())
            assert len(await reader.read()) == size + len(b"PUT / HTTP/1.1\r\n")
            await sending
            writer.close()

    asyncio.run(scene())


def test_a_slow_reader_holds_back_the_sender() -> None:
    """Backpressure: what the client does not take is not piled up in the door."""
    sent = 0

    async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        with contextlib.suppress(ConnectionError), contextlib.closing(writer):
            while True:
                writer.write(b"x" * 65536)
                await writer.drain()
                sent += 65536

    async def scene() -> None:
        async with _house(flood, None) as port:
            _reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
            await asyncio.sleep(0.5)
            before = sent
            await asyncio.sleep(0.3)
            assert sent == before
            assert before < 30 * 2**20
            writer.transport.abort()
            await asyncio.sleep(0.2)

    asyncio.run(scene())


def test_a_reset_upstream_resets_the_client() -> None:
    async def reset(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await _whole_request(reader)
        linger = struct.pack("ii", 1, 0)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        writer.transport.abort()

    async def scene() -> None:
        async with _house(reset, None) as port:
            with contextlib.suppress(ConnectionResetError):
                assert await _ask(port, b"GET / HTTP/1.1\r\n\r\n") == b""

    asyncio.run(scene())


def test_a_client_that_leaves_ends_the_connection_upstream() -> None:
    async def scene() -> None:
        ended = asyncio.Event()

        async def wait(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with contextlib.suppress(ConnectionError):
                await reader.read()
            ended.set()
            writer.close()

        async with _house(wait, None) as port:
            _reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
            await writer.drain()
            await asyncio.sleep(0.05)
            writer.transport.abort()
            await asyncio.wait_for(ended.wait(), 5)

    asyncio.run(scene())


def test_a_client_that_says_nothing_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feedback.door.PATIENCE", 0.1)

    async def scene() -> None:
        async with _house(_says(b"web"), None) as port:
            assert await _ask(port, b"GET /") == b""

    asyncio.run(scene())


def test_a_client_that_leaves_before_a_word_is_no_request() -> None:
    async def scene() -> None:
        reader = asyncio.StreamReader()
        reader.feed_eof()
        assert await first_line(reader) == b""

    asyncio.run(scene())


def test_two_hundred_connections_at_once() -> None:
    async def scene() -> None:
        async with _house(_says(b"web"), _says(b"receiver")) as port:
            answers = await asyncio.gather(
                *[_ask(port, REPORT if n % 2 else b"GET / HTTP/1.1\r\n\r\n") for n in range(200)]
            )
            assert sorted(set(answers)) == [b"receiver", b"web"]

    asyncio.run(scene())


def test_the_process_listens_and_stops_on_term() -> None:
    port = free_port()
    environ = {**os.environ, "PORT": str(port), "WEB_PORT": str(free_port())}
    door = subprocess.Popen([sys.executable, "-m", "feedback.door"], env=environ)
    try:
        for _ in range(100):
            with contextlib.suppress(ConnectionRefusedError), socket.socket() as client:
                client.connect(("127.0.0.1", port))
                client.sendall(b"GET / HTTP/1.1\r\n\r\n")
                assert client.recv(99).startswith(b"HTTP/1.1 503")
                break
            asyncio.run(asyncio.sleep(0.05))
        else:
            pytest.fail("the door did not open")
    finally:
        door.send_signal(signal.SIGTERM)
        assert door.wait(10) == 0
