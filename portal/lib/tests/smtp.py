"""A mail server for tests: real SMTP on a free port, which keeps letters, or says no."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import Message


class _Talk(socketserver.StreamRequestHandler):
    server: "MailServer"

    def handle(self) -> None:
        self._say("220 ready")
        for line in self.rfile:
            verb = line[:4].upper().strip().decode()
            if verb == "DATA":
                self._say("354 go on")
                self._take_letter()
            else:
                self._say(self.server.answers.get(verb, "250 fine"))
            if verb == "QUIT":
                return

    def _take_letter(self) -> None:
        lines = []
        for line in self.rfile:
            if line == b".\r\n":
                break
            lines.append(line)
        self.server.letters.append(message_from_bytes(b"".join(lines)))
        if self.server.dies_after_taking:
            self.connection.close()
        else:
            self._say(self.server.answers.get("DATA", "250 accepted"))

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


class MailServer(socketserver.ThreadingTCPServer):
    """`answers["RCPT"] = "550 no such person"` refuses; `letters` is what was accepted."""

    daemon_threads = True
    allow_reuse_address = True
    dies_after_taking = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Talk)
        self.answers: dict[str, str] = {"QUIT": "221 bye"}
        self.letters: list[Message] = []

    @property
    def port(self) -> int:
        return int(self.server_address[1])


@contextmanager
def running() -> Iterator[MailServer]:
    with MailServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()
