"""A process that plays a thousand database servers behind one port: greets, and has a report."""

from __future__ import annotations

import asyncio
import sys

from feedback.collector import packets
from feedback.collector.passwords import NATIVE

REPORT = b"".join(b"VARIABLE_NUMBER_%d\t%d\n" % (n, n * 7) for n in range(940)).ljust(25_000)
OK = packets.framed(b"\0\0\0\2\0\0\0", 2)
END = b"\xfe\0\0\2\0"


def greeting() -> bytes:
    capabilities = packets.CAPABILITIES.to_bytes(4, "little")
    head = b"\x0a11.4.2-MariaDB\0" + bytes(4) + b"12345678\0" + capabilities[:2] + b"\x2d\2\0"
    rest = capabilities[2:] + b"\x15" + bytes(10) + b"90abcdefghij\0" + NATIVE.encode() + b"\0"
    return packets.framed(head + rest, 0)


def result() -> bytes:
    row = b"\xfd" + len(REPORT).to_bytes(3, "little") + REPORT
    said = [b"\1", b"\3def", END, row, END]
    return b"".join(packets.framed(packet, number + 1) for number, packet in enumerate(said))


GREETING, RESULT = greeting(), result()


class Server(asyncio.Protocol):
    """What comes first is a password, what comes then is a question."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport, self._said = transport, OK
        transport.write(GREETING)

    def data_received(self, data: bytes) -> None:
        self._transport.write(self._said)
        self._said = RESULT if self._said is OK else b""


async def serve(port: int) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Server, "127.0.0.1", port, backlog=2048)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
