"""What fetches for a reading: sizes, redirects and servers that misbehave."""

from __future__ import annotations

import hashlib
import ssl
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import socket
from threading import Thread

import pytest

from releases.reading import UnsoundError
from releases.reading import http as reading_http
from releases.reading.http import Http
from releases.tests.mirror_server import Authority

BODY = b"a package"


class Handler(BaseHTTPRequestHandler):
    """/ok; /short says more than it sends; /<number>/<address> redirects; anything else is 404."""

    def do_GET(self) -> None:
        where = self.path[1:]
        if where.startswith("to/"):
            self.send_response(302)
            self.send_header("Location", where.removeprefix("to/"))
            self.end_headers()
            return
        self.send_response(200 if where in {"ok", "short"} else 404)
        self.send_header("Content-Length", str(len(BODY) + 5 * (where == "short")))
        self.end_headers()
        self.wfile.write(BODY)

    def log_message(self, *words: object) -> None:
        pass


class Servers:
    def __init__(self, plain: str, secure: str, http: Http) -> None:
        self.plain, self.secure, self.http = plain, secure, http


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """The same behind http and https, and who trusts the latter."""
    authority = Authority(tmp_path_factory.mktemp("authority"))
    plain = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    secure = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = authority.server_context("localhost")
    secure.socket = context.wrap_socket(secure.socket, server_side=True)
    for server in (plain, secure):
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield Servers(
        f"http://localhost:{plain.server_port}",
        f"https://localhost:{secure.server_port}",
        Http(authority.client_context()),
    )
    for server in (plain, secure):
        server.shutdown()
        server.server_close()


def test_a_body_comes_with_its_size_digest_and_sender(servers: Servers) -> None:
    found = servers.http.get(f"{servers.plain}/ok", most=len(BODY))
    assert (found.size, found.came_from) == (len(BODY), "localhost")
    assert found.sha256 == hashlib.sha256(BODY).hexdigest()
    assert found.read() == BODY


def test_one_redirect_to_a_mirror_is_followed(servers: Servers) -> None:
    found = servers.http.get(f"{servers.plain}/to/{servers.secure}/ok", most=100)
    assert found.read() == BODY


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("{plain}/gone", "gone answers with status 404"),
        ("{plain}/short", "short ends too early"),
        ("{plain}/to/{plain}/ok", "leads to an address without https"),
        ("{plain}/to/{secure}/to/{secure}/ok", "leads on to a second redirect"),
        ("{plain}/to/file:///etc/passwd", "answers with status 302"),
    ],
)
def test_what_a_client_would_not_take_is_refused(servers: Servers, path: str, reason: str) -> None:
    address = path.format(plain=servers.plain, secure=servers.secure)
    with pytest.raises(UnsoundError, match=reason):
        servers.http.get(address, most=100)


def test_more_bytes_than_are_listed_are_not_read(servers: Servers) -> None:
    with pytest.raises(UnsoundError, match="ok is larger than 5 bytes"):
        servers.http.get(f"{servers.plain}/ok", most=5)


def test_a_server_that_takes_too_long_is_left(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_http, "LONGEST", 0)
    with pytest.raises(UnsoundError, match="takes longer than 0 s"):
        servers.http.get(f"{servers.plain}/ok", most=100)


def test_no_server_and_a_certificate_that_nobody_trusts_are_told(
    servers: Servers, tmp_path: Path
) -> None:
    with closing(socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(UnsoundError, match=r"does not answer: .*refused"):
        servers.http.get(f"http://localhost:{port}/", most=1)
    stranger = Http(ssl.create_default_context())
    with pytest.raises(UnsoundError, match=r"does not answer: .*certificate"):
        stranger.get(f"{servers.secure}/ok", most=100)
