"""The HTTP side of the twin: one process, a thread for each request."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from portal.payments.twin import pages
from portal.payments.twin.delivery import Courier
from portal.payments.twin.sessions import RequestError, Sessions
from portal.payments.twin.state import Body, State

LARGEST = 100_000  # bytes of a request
STATIC_TYPES = {".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: Mapping[str, str]
    form: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    status: int
    body: bytes
    content_type: str = "text/html; charset=utf-8"
    location: str = ""
    policy: str = ""


class Twin:
    """Answers requests; knows no sockets."""

    def __init__(self, state: State, sessions: Sessions, courier: Courier, static: Path) -> None:
        self.state, self.sessions, self.courier, self.static = state, sessions, courier, static

    def answer(self, request: Request) -> Answer:
        kind = request.path.strip("/").split("/")[0]
        routes: dict[str, Callable[[Request], Answer]] = {
            "v1": self._api,
            "pay": self._payment,
            "sessions": self._play,
            "deliveries": self._mode,
            "static": self._static,
            "health": lambda _: Answer(200, b"live\n", "text/plain"),
            "": self._desk,
        }
        if kind not in routes or (request.method == "POST" and self._foreign(request, kind)):
            return _message(404, "Nothing is here", "The address is wrong.")
        try:
            return routes[kind](request)
        except RequestError as error:
            if kind == "v1":
                return _json({"error": _error(error)}, error.status)
            return _message(error.status, "This cannot be done", error.message)

    def _foreign(self, request: Request, kind: str) -> bool:
        """A form of another site must not press our buttons; programs send no such header."""
        site = request.headers.get("Sec-Fetch-Site", "none")
        return kind != "v1" and site not in {"same-origin", "none"}

    def _api(self, request: Request) -> Answer:
        key = request.headers.get("Idempotency-Key", "")
        match request.method, request.path.strip("/").split("/")[1:]:
            case "POST", ["checkout", "sessions"]:
                return _json(self.sessions.create(request.form, key))
            case "GET", ["checkout", "sessions", session_id]:
                return _json(self.sessions.fetch(session_id))
            case "POST", ["checkout", "sessions", session_id, "expire"]:
                return self._delivered(_json(self.sessions.expire(session_id)))
            case "POST", ["refunds"]:
                amount = request.form.get("amount")
                intent = request.form.get("payment_intent", "")
                body = self.sessions.refund(intent, int(amount) if amount else None, key)
                return self._delivered(_json(body))
        raise RequestError(f"Unrecognized request URL ({request.method}: {request.path}).", 404)

    def _payment(self, request: Request) -> Answer:
        session = self.sessions.fetch(request.path.strip("/").partition("/")[2])
        if session["status"] != "open":
            text = "The payment page was used or has expired. Go back to see where you stand."
            return _message(200, "This page is closed", text, session["success_url"])
        if request.method == "POST":
            return self._paid(session, request.form.get("outcome", ""))
        return _page(pages.payment_page(session), session)

    def _paid(self, session: Body, outcome: str) -> Answer:
        """As Stripe does, deliver before the visitor goes back: the portal knows before they do."""
        if outcome == "declined":
            self.sessions.decline(session["id"])
            return self._delivered(Answer(303, b"", location=f"/pay/{session['id']}"))
        choose = {"paid": self.sessions.pay, "unpaid": self.sessions.promise}
        if outcome not in choose:
            raise RequestError("Choose how the payment shall end.")
        choose[outcome](session["id"])
        return self._delivered(Answer(303, b"", location=session["success_url"]))

    def _play(self, request: Request) -> Answer:
        """A button of the desk: the bank answers, money goes back, events come again."""
        match request.method, request.path.strip("/").split("/")[1:]:
            case "POST", [session_id, "arrived"]:
                self.sessions.bank(session_id, arrived=True)
            case "POST", [session_id, "failed"]:
                self.sessions.bank(session_id, arrived=False)
            case "POST", [session_id, "refund"]:
                session = self.sessions.fetch(session_id)
                amount = request.form.get("amount", "")
                payment = session["payment_intent"] or ""
                self.sessions.refund(payment, int(amount) if amount.isdigit() else None, "")
            case "POST", [session_id, "redeliver"]:
                with self.state.changing() as change:
                    change.redeliver(session_id)
            case _:
                raise RequestError("There is no such button.", 404)
        return self._delivered(Answer(303, b"", location="/"))

    def _mode(self, request: Request) -> Answer:
        mode = request.form.get("mode", "")
        if request.method != "POST" or mode not in pages.MODES:
            raise RequestError("Choose once, twice or held.")
        with self.state.changing() as change:
            change.set_mode(mode)
        return self._delivered(Answer(303, b"", location="/"))

    def _desk(self, request: Request) -> Answer:
        return _page(pages.desk_page(self.state))

    def _static(self, request: Request) -> Answer:
        """The style sheets and the mark of the portal, nothing else."""
        file = (self.static / request.path.removeprefix("/static/")).resolve()
        if not file.is_relative_to(self.static) or file.suffix not in STATIC_TYPES:
            raise RequestError("No such file.", 404)
        if not file.is_file():
            raise RequestError("No such file.", 404)
        return Answer(200, file.read_bytes(), STATIC_TYPES[file.suffix])

    def _delivered(self, answer: Answer) -> Answer:
        self.courier.deliver_due()
        return answer


def serve(twin: Twin, host: str, port: int) -> ThreadingHTTPServer:
    """A server that is bound and answers once `serve_forever` runs."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._handle({})

        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            if size > LARGEST:
                return self._send(_message(413, "Too large", "The request is too large."))
            text = self.rfile.read(size).decode(errors="replace")
            return self._handle(dict(parse_qsl(text, keep_blank_values=True)))

        def _handle(self, form: Mapping[str, str]) -> None:
            path = urlsplit(self.path).path
            self._send(twin.answer(Request(self.command, path, dict(self.headers), form)))

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


def _page(html: str, session: Body | None = None) -> Answer:
    allowed = pages.policy(pages.origin(session["success_url"])) if session else pages.policy()
    return Answer(200, html.encode(), policy=allowed)


def _message(status: int, title: str, text: str, back: str = "") -> Answer:
    return Answer(status, pages.message_page(title, text, back).encode())


def _json(body: Body, status: int = 200) -> Answer:
    return Answer(status, json.dumps(body).encode(), "application/json")


def _error(error: RequestError) -> Body:
    return {"type": "invalid_request_error", "message": error.message}
