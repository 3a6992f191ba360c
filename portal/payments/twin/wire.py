"""The sockets of the twin: one process, a thread for each request."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from portal.payments.twin import api, pages
from portal.payments.twin.errors import RequestError
from portal.payments.twin.forms import nested
from portal.payments.twin.server import Answer, Request, Twin, json_answer, message_answer

LARGEST = 100_000  # bytes of a request


def serve(twin: Twin, host: str, port: int) -> ThreadingHTTPServer:
    """A server that is bound and answers once `serve_forever` runs."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._handle(urlsplit(self.path).query)

        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            if size > LARGEST:
                self.close_connection = True
                return self._send(message_answer(413, "Too large", "The request is too large."))
            return self._handle(self.rfile.read(size).decode(errors="replace"))

        def do_DELETE(self) -> None:
            self.do_POST()

        def _handle(self, fields: str) -> None:
            path = urlsplit(self.path).path
            try:
                form = nested(parse_qsl(fields, keep_blank_values=True))
            except RequestError as error:
                return self._send(json_answer(api.error_body(error), error.status))
            return self._send(twin.answer(Request(self.command, path, dict(self.headers), form)))

        def _send(self, answer: Answer) -> None:
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.content_type)
            self.send_header("Content-Length", str(len(answer.body)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.send_header("Referrer-Policy", "same-origin")
            self.send_header("Content-Security-Policy", answer.policy or pages.policy())
            if answer.location:
                self.send_header("Location", answer.location)
            self.end_headers()
            self.wfile.write(answer.body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            print(format % args, flush=True)  # noqa: T201  (the log of this process)

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        allow_reuse_address = True

    return Server((host, port), Handler)
