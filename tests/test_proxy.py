"""The reverse proxy in deploy/nginx, run by a real nginx: a report is delivered or not a byte."""

import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.nginx import reverse_proxy

REPORT = b"FEEDBACK_SERVER_UID\tabc\nFEEDBACK_USER_INFO\tmysql-test\n"
PATHS = ["/rest/v1/post", "/feedback_plugin/post", "//rest/v1/post", "/rest/v1/post/"]

pytestmark = pytest.mark.proof


@dataclass
class Backend:
    """An upstream that writes down what it was asked and answers as it is told."""

    answer: bytes | None = b"HTTP/1.0 200 OK\r\nContent-Length: 11\r\n\r\n<h1>ok</h1>"
    asked: list[tuple[str, str, bytes, dict[str, str]]] = field(default_factory=list)
    port: int = 0

    def __post_init__(self) -> None:
        backend = self

        class Handler(BaseHTTPRequestHandler):
            def handle_one_request(self) -> None:
                self.raw_requestline = self.rfile.readline(65537)
                if not self.raw_requestline or not self.parse_request():
                    return
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                path = self.requestline.split()[1]  # self.path has lost a leading slash
                backend.asked.append((self.command, path, body, dict(self.headers)))
                if backend.answer is not None:
                    self.wfile.write(backend.answer)
                self.close_connection = True

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@dataclass
class Proxy:
    http: int
    https: int
    web: Backend
    receiver: Backend

    def send(self, data: bytes, *, tls: bool = False) -> bytes:
        """Everything that comes back until the proxy closes; TLS without SNI, as servers do."""
        port = self.https if tls else self.http
        with socket.create_connection(("127.0.0.1", port), timeout=40) as plain:
            connection = plain
            if tls:
                trusting = ssl.create_default_context()
                trusting.check_hostname = False
                trusting.verify_mode = ssl.CERT_NONE
                connection = trusting.wrap_socket(plain)
            connection.sendall(data)
            answer = b""
            try:
                while chunk := connection.recv(65536):
                    answer += chunk
            except ConnectionResetError:
                return answer
            return answer


def report(path: str, body: bytes = REPORT, *, length: int | None = None) -> bytes:
    head = (
        f"POST {path} HTTP/1.0\r\nUser-Agent: MariaDB User Feedback Plugin\r\n"
        f"Host: portal.example.org:80\r\nContent-Length: {len(body) if length is None else length}"
        "\r\n\r\n"
    )
    return head.encode() + body


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Proxy]:
    web, receiver = Backend(), Backend()
    try:
        with reverse_proxy(tmp_path, web=web.port, receiver=receiver.port) as ports:
            yield Proxy(ports.http, ports.https, web, receiver)
    finally:
        for backend in (web, receiver):
            backend.stop()


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("tls", [False, True], ids=["http", "https without SNI"])
def test_a_report_reaches_the_receiver_whole(proxy: Proxy, path: str, tls: bool) -> None:
    answer = proxy.send(report(path), tls=tls)

    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.endswith(b"<h1>ok</h1>")
    [(method, asked, body, headers)] = proxy.receiver.asked
    assert (method, asked, body) == ("POST", path, REPORT)
    assert headers["X-Forwarded-For"] == "127.0.0.1"
    assert proxy.web.asked == []


def test_a_report_sent_through_a_forward_proxy_arrives(proxy: Proxy) -> None:
    answer = proxy.send(report("http://portal.example.org:80//rest/v1/post"))

    assert answer.endswith(b"<h1>ok</h1>")
    assert [asked[1] for asked in proxy.receiver.asked] == ["//rest/v1/post"]


@pytest.mark.parametrize("path", PATHS)
def test_with_the_receiver_away_not_a_byte_comes_back(proxy: Proxy, path: str) -> None:
    proxy.receiver.stop()

    assert proxy.send(report(path)) == b""


def test_silence_of_the_receiver_stays_silence(proxy: Proxy) -> None:
    proxy.receiver.answer = None

    assert proxy.send(report("/rest/v1/post")) == b""


def test_half_an_answer_of_the_receiver_becomes_silence(proxy: Proxy) -> None:
    proxy.receiver.answer = b"HTTP/1.0 200 OK\r\nContent-Le"

    assert proxy.send(report("/rest/v1/post")) == b""


@pytest.mark.parametrize("path", PATHS)
def test_a_report_above_the_limit_is_dropped_without_a_byte(proxy: Proxy, path: str) -> None:
    assert proxy.send(report(path, b"x" * 600_000)) == b""
    assert proxy.send(report(path, b"", length=10**9)) == b""
    assert proxy.receiver.asked == []


def test_beyond_a_hundred_reports_of_one_address_the_next_is_dropped_without_a_byte(
    proxy: Proxy,
) -> None:
    begun = [socket.create_connection(("127.0.0.1", proxy.http)) for _ in range(100)]
    for connection in begun:
        connection.sendall(report("/rest/v1/post", b"", length=10))
    time.sleep(0.5)

    assert proxy.send(report("/rest/v1/post")) == b""
    assert proxy.receiver.asked == []
    for connection in begun:
        connection.close()
    time.sleep(0.5)
    assert proxy.send(report("/rest/v1/post")).endswith(b"<h1>ok</h1>")


def test_the_receivers_own_refusal_passes(proxy: Proxy) -> None:
    proxy.receiver.answer = b"HTTP/1.0 400 Bad Request\r\n\r\n<h1>refused</h1>"

    assert proxy.send(report("/rest/v1/post")).endswith(b"<h1>refused</h1>")


def test_a_method_nobody_speaks_there_is_dropped(proxy: Proxy) -> None:
    assert proxy.send(b"PUT /rest/v1/post HTTP/1.0\r\nContent-Length: 0\r\n\r\n") == b""


def test_the_form_at_the_reports_address_is_a_page(proxy: Proxy) -> None:
    proxy.web.answer = b"HTTP/1.0 200 OK\r\n\r\nthe form"

    answer = proxy.send(b"GET /rest/v1/post HTTP/1.0\r\nHost: portal.example.org\r\n\r\n", tls=True)

    assert answer.endswith(b"the form")


def test_a_page_on_plain_http_is_asked_again_on_https(proxy: Proxy) -> None:
    answer = proxy.send(b"GET /join/?a=1 HTTP/1.0\r\nHost: portal.example.org\r\n\r\n")

    assert answer.startswith(b"HTTP/1.1 308")
    assert b"Location: https://portal.example.org/join/?a=1" in answer


def test_a_page_on_https_comes_from_web_with_the_real_address(proxy: Proxy) -> None:
    proxy.web.answer = b"HTTP/1.0 200 OK\r\n\r\nhome"

    answer = proxy.send(
        b"GET / HTTP/1.0\r\nHost: portal.example.org\r\nX-Forwarded-For: 8.8.8.8\r\n\r\n", tls=True
    )

    assert answer.endswith(b"home")
    [(_, _, _, headers)] = proxy.web.asked
    assert headers["X-Forwarded-For"] == "127.0.0.1"
    assert headers["X-Forwarded-Proto"] == "https"


@pytest.mark.parametrize("path", ["/rest/v1/posts", "/x/rest/v1/post", "/rest/v1/post/more"])
def test_only_the_reports_addresses_lead_to_the_receiver(proxy: Proxy, path: str) -> None:
    proxy.send(report(path), tls=True)

    assert proxy.receiver.asked == []
    assert len(proxy.web.asked) == 1


def asked_of_web(proxy: Proxy, line: str, *lines: str) -> dict[str, str]:
    """The headers with which web is asked this, over HTTPS."""
    head = [line, "Host: portal.example.org", "Connection: close", "Content-Length: 0", *lines]
    proxy.send("\r\n".join([*head, "", ""]).encode(), tls=True)
    return proxy.web.asked[-1][3]


def test_a_sealed_ballot_reaches_web_without_who_sends_it(proxy: Proxy) -> None:
    ballot = "POST /governance/elections/2026-board/ballots/cast/ HTTP/1.1"
    headers = asked_of_web(proxy, ballot, "Cookie: sessionid=1", "X-Request-ID: of-a-visitor")
    assert (headers["Host"], headers["X-Forwarded-Proto"]) == ("portal.example.org", "https")
    assert {"X-Forwarded-For", "X-Request-ID", "Cookie"} & headers.keys() == set()


def test_the_log_of_the_proxy_names_neither_visitor_nor_page(proxy: Proxy, tmp_path: Path) -> None:
    headers = asked_of_web(proxy, "GET /accounts/password/reset/key/3-secret/?q=zoe HTTP/1.1")
    asked_of_web(proxy, "POST /governance/elections/2026-board/ballots/cast/ HTTP/1.1")
    lines = (tmp_path / "access.log").read_text().splitlines()
    (line,) = [json.loads(line) for line in lines]
    assert (line["request"], line["status"]) == (headers["X-Request-ID"], 200)
    assert "secret" not in lines[0]
    assert "zoe" not in lines[0]
    assert "127.0.0.1" not in lines[0]


def test_a_request_gets_its_id_here_and_not_from_the_visitor(proxy: Proxy) -> None:
    headers = asked_of_web(proxy, "GET / HTTP/1.1", "X-Request-ID: of-a-visitor")
    assert len(headers["X-Request-ID"]) == 32
