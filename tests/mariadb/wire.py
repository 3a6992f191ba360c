"""A piece of wire between a server and whom it reports to: what went over it, and for how long."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Call:
    """One connection."""

    sent: bytes = b""
    answer: bytes = b""
    seconds: float = 0.0

    @property
    def tells(self) -> str:
        """Which report it carried."""
        for moment in ("startup", "shutdown"):
            if b"FEEDBACK_WHEN\t" + moment.encode() in self.sent:
                return moment
        return "full"

    @property
    def is_delivered(self) -> bool:
        """As the server understands it."""
        return self.answer != b""


@dataclass
class Wire:
    """Carries what arrives on `port` to the port that `leads_to` names at that moment."""

    leads_to: Callable[[], int]
    port: int = 0
    calls: list[Call] = field(default_factory=list)

    def delivered(self, moment: str) -> list[Call]:
        return [call for call in self.calls if call.tells == moment and call.is_delivered]

    def carry(self, server: socket.socket) -> None:
        """One connection, until the far side ends it; refused there is refused here."""
        call, began = Call(), time.monotonic()
        self.calls.append(call)
        with server, contextlib.suppress(OSError):
            with socket.create_connection(("127.0.0.1", self.leads_to())) as far:
                upward = threading.Thread(target=self._up, args=(server, far, call), daemon=True)
                upward.start()
                while data := far.recv(65536):
                    call.answer += data
                    server.sendall(data)
            server.shutdown(socket.SHUT_RDWR)
        call.seconds = time.monotonic() - began

    def _up(self, server: socket.socket, far: socket.socket, call: Call) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(65536):
                call.sent += data
                far.sendall(data)


@contextmanager
def wire(leads_to: Callable[[], int]) -> Iterator[Wire]:
    """A listening wire for the length of the block."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        found = Wire(leads_to, listening.getsockname()[1])

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    server, _ = listening.accept()
                    threading.Thread(target=found.carry, args=(server,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield found
        listening.shutdown(socket.SHUT_RDWR)
