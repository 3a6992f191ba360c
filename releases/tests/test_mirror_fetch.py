"""A probe's one request: small, timed, verified, and never into a private network."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from releases.mirrors.fetch import FetchError, MissingError, Piece, Rules, fetch, is_public
from releases.mirrors.probe import Target, Wanted, probe_all
from releases.tests.mirror_server import Authority, MirrorServer, serving

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def server(authority: Authority, tmp_path: Path) -> Iterator[MirrorServer]:
    with serving(tmp_path / "mirror", authority.server_context("localhost")) as found:
        (found.folder / "file").write_bytes(b"x" * 1000)
        yield found


def ask(url: str, rules: Rules, most: int = 1000, **what: Any) -> bytes:
    return asyncio.run(fetch(url, rules, most=most, **what))


@pytest.fixture
def rules(authority: Authority) -> Rules:
    return Rules(authority.client_context(), private=True, seconds=3)


def test_a_file_is_fetched_whole_or_its_beginning(server: MirrorServer, rules: Rules) -> None:
    assert ask(f"{server.url}file", rules) == b"x" * 1000
    assert ask(f"{server.url}file", rules, 10, only_beginning=True) == b"x" * 10


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"HTTP/1.1 302 Found\r\nLocation: https://127.0.0.1/\r\n\r\n", "redirect \\(302\\)"),
        (b"HTTP/1.1 500 Oh\r\n\r\n", "status 500"),
        (b"HTTP/1.1 206 Part\r\nContent-Length: 1\r\n\r\nx", "status 206"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "not HTTP"),
        (b"", "not HTTP"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nshort", "too early"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nsho", "too early"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno number\r\n", "not HTTP|early"),
        (CHUNKED + b"-ffffffffffffffffffffffff\r\nabc", "not HTTP"),
        (CHUNKED + b"ffffffffffffffffffffffff\r\nabc", "not HTTP|early"),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"y" * 1001, "larger"),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"y" * 2_000_000, "larger"),
    ],
)
def test_a_bad_answer_is_named(server: MirrorServer, rules: Rules, raw: bytes, words: str) -> None:
    server.raw = raw
    with pytest.raises(FetchError, match=words):
        ask(f"{server.url}file", rules)


PIECE = Piece(5, 3, 1000)


def test_a_piece_of_a_file_is_fetched(server: MirrorServer, rules: Rules) -> None:
    (server.folder / "file").write_bytes(b"01234abc" + b"x" * 992)
    assert ask(f"{server.url}file", rules, 3, piece=PIECE) == b"abc"
    assert server.ranges == ["bytes=5-7"]
    with pytest.raises(MissingError):
        ask(f"{server.url}nothing", rules, 3, piece=PIECE)
    (server.folder / "file").write_bytes(b"01234abc" + b"x" * 900)
    with pytest.raises(FetchError, match="another size than here, 1000 bytes"):
        ask(f"{server.url}file", rules, 3, piece=PIECE)
    (server.folder / "file").write_bytes(b"01")
    with pytest.raises(FetchError, match="shorter than here"):
        ask(f"{server.url}file", rules, 3, piece=PIECE)


@pytest.mark.parametrize(
    ("head", "body", "words"),
    [
        ("200 OK", "01234abcx", "does not send parts of files"),
        ("206 Part", "abc", "another size"),
        ("206 Part\r\nContent-Range: bytes 0-2/1000", "012", "another size"),
        ("206 Part\r\nContent-Range: bytes 5-7/1000", "ab", "not the part"),
        ("206 Part\r\nContent-Range: bytes 5-7/1000", "abcd", "not the part"),
        ("206 Part\r\nContent-Range: bytes 5-7/1000\r\nContent-Length: 3", "ab", "too early"),
        ("302 Found\r\nLocation: https://127.0.0.1/", "", "redirect"),
        ("2000 No", "", "not HTTP"),
    ],
)
def test_an_answer_that_is_not_the_piece_is_named(
    server: MirrorServer, rules: Rules, head: str, body: str, words: str
) -> None:
    server.raw = f"HTTP/1.1 {head}\r\n\r\n{body}".encode()
    with pytest.raises(FetchError, match=words):
        ask(f"{server.url}file", rules, 3, piece=PIECE)


def test_a_missing_file_is_told_from_a_missing_server(server: MirrorServer, rules: Rules) -> None:
    with pytest.raises(MissingError):
        ask(f"{server.url}nothing", rules)
    with pytest.raises(FetchError, match="no connection"):
        ask(f"https://localhost:{free_port()}/file", rules)


def test_a_certificate_of_another_name_or_authority_is_refused(
    server: MirrorServer, rules: Rules, tmp_path: Path
) -> None:
    with pytest.raises(FetchError, match="certificate"):
        ask(f"https://127.0.0.1:{server.port}/file", rules)
    stranger = Rules(Authority(tmp_path).client_context(), private=True)
    with pytest.raises(FetchError, match="certificate"):
        ask(f"{server.url}file", stranger)


def test_a_private_address_is_not_called(server: MirrorServer, rules: Rules) -> None:
    with pytest.raises(FetchError, match="private address"):
        ask(f"{server.url}file", Rules(rules.context))
    assert server.asked == []


def test_only_https_is_spoken(rules: Rules) -> None:
    for url in ("http://localhost/file", "ftp://localhost/file", "https:///file"):
        with pytest.raises(FetchError, match="https"):
            ask(url, rules)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("9.9.9.9", True),
        ("2620:fe::fe", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.1.2.3", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:10.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
    ],
)
def test_what_counts_as_public(address: str, public: bool) -> None:
    assert is_public(address) is public


def test_a_silent_server_does_not_hold_up_the_others(
    server: MirrorServer, authority: Authority
) -> None:
    """Both are asked at once; the silent one is given up after its time."""
    rules = Rules(authority.client_context(), private=True, seconds=0.3)
    with silent() as port:
        wanted = [Wanted("file", 1000), Wanted("nothing", 10)]
        found = probe_all(
            [Target(1, f"https://localhost:{port}/", wanted), Target(2, server.url, wanted)], rules
        )
    assert "no answer" in found[1].reason
    assert found[1].bodies == {}
    assert found[2].reason == ""
    assert found[2].bodies == {"file": b"x" * 1000, "nothing": None}


def test_a_failure_nobody_thought_of_is_the_finding_of_its_mirror_alone(
    server: MirrorServer, rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:

    async def failing(url: str, rules: Rules, **what: Any) -> bytes:
        if url.endswith("strange"):
            raise RecursionError
        return await fetch(url, rules, **what)

    monkeypatch.setattr("releases.mirrors.probe.fetch", failing)
    targets = [
        Target(1, server.url, [Wanted("strange", 1000)]),
        Target(2, server.url, [Wanted("file", 1000)]),
    ]
    found = probe_all(targets, rules)
    assert found[1].reason == "its answer cannot be read (RecursionError)"
    assert (found[2].reason, found[2].bodies) == ("", {"file": b"x" * 1000})


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class silent:  # noqa: N801  (used like a function)
    """A server that accepts and says nothing."""

    def __enter__(self) -> int:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.thread = Thread(target=self._accept, daemon=True)
        self.thread.start()
        return int(self.socket.getsockname()[1])

    def _accept(self) -> None:
        self.peer, _address = self.socket.accept()

    def __exit__(self, *_error: object) -> None:
        self.thread.join()
        self.peer.close()
        self.socket.close()
