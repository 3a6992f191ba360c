"""The collector of a fleet: what it reads and writes, with servers of the test's own making."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import hashlib
import io
import json
import socket
import stat
import threading
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import ClassVar, cast

import pytest

from feedback.collector import __main__ as program
from feedback.collector import packets, submission
from feedback.collector.ed25519 import sign
from feedback.collector.gather import Asked, Way, gather
from feedback.collector.hosts import Address, HostError, hosts
from feedback.collector.line import Place
from feedback.collector.passwords import NATIVE, answer
from feedback.collector.talk import Account, Tls

NOW = dt.datetime(2026, 11, 21, tzinfo=dt.UTC)
OK = b"\x00\x00\x00\x02\x00\x00\x00"
END = b"\xfe\x00\x00\x02\x00"
REPORT = "FEEDBACK_SERVER_UID\tabc\nVERSION\t11.4.2-MariaDB"
WAY = Way(Account("feedback", "secret"), Tls(None), patience=2, at_once=3)


def greeting(plugin: bytes = NATIVE.encode()) -> bytes:
    capabilities = packets.CAPABILITIES.to_bytes(4, "little")
    head = b"\x0a11.4.2-MariaDB\0" + bytes(4) + b"12345678\0" + capabilities[:2] + b"\x2d\2\0"
    return head + capabilities[2:] + b"\x15" + bytes(10) + b"90abcdefghij\0" + plugin + b"\0"


def value(text: str) -> bytes:
    data = text.encode()
    return b"\xfd" + len(data).to_bytes(3, "little") + data


def result(text: str) -> list[bytes]:
    """One column, one row."""
    return [b"\x01", b"\x03def", END, value(text), END]


@asynccontextmanager
async def server(*answers: Iterable[bytes], first: bytes = greeting()) -> AsyncIterator[int]:
    """A server that greets, and answers each packet of a client by the next of `answers`."""

    served: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        served.add(cast("asyncio.Task[None]", asyncio.current_task()))
        writer.write(packets.framed(first, 0))
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            for number, said in enumerate(answers):
                head = await reader.readexactly(4)
                await reader.readexactly(int.from_bytes(head[:3], "little"))
                for at, packet in enumerate(said):
                    writer.write(packets.framed(packet, at + 1 + number))
            while await reader.read(1024):
                pass
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as listening:
        yield listening.sockets[0].getsockname()[1]
        if served:
            await asyncio.wait(served, timeout=5)


async def asked(*answers: Iterable[bytes], first: bytes = greeting(), way: Way = WAY) -> Asked:
    async with server(*answers, first=first) as port:
        [found] = await asyncio.to_thread(list, gather({"db": ("127.0.0.1", port)}, way))
        return found


def outcome(*answers: Iterable[bytes], first: bytes = greeting(), way: Way = WAY) -> Asked:
    return asyncio.run(asked(*answers, first=first, way=way))


def refusal(number: int, text: str) -> bytes:
    return b"\xff" + number.to_bytes(2, "little") + b"#28000" + text.encode()


def test_a_server_is_asked_for_its_report() -> None:
    assert outcome([OK], result(REPORT)).report == REPORT + "\n"


def test_where_the_plugin_is_off_status_and_variables_are_asked_for() -> None:
    found = outcome(
        [OK],
        [refusal(1109, "Unknown table 'feedback'")],
        result("VERSION\t11.4.2"),
        result("UPTIME\t7"),
        result("InnoDB version\t11.4"),
        result("uid="),
    )
    assert found.report == "\n".join(
        ["FEEDBACK_SERVER_UID\tuid=", "VERSION\t11.4.2", "UPTIME\t7", "InnoDB version\t11.4", ""]
    )


def test_a_server_without_a_number_of_its_own_gets_one_of_its_place() -> None:
    off, none = refusal(1109, "Unknown table"), refusal(1193, "Unknown system variable")
    place = [b"\x03", *[b"\x03def"] * 3, END, value("h") + value("3306") + b"\xfb", END]
    found = outcome([OK], [off], *[result("A\t1")] * 3, [none], place)
    assert found.report.startswith("FEEDBACK_SERVER_UID\t")
    assert len(found.report.split("\n")[0]) == len("FEEDBACK_SERVER_UID\t") + 28


@pytest.mark.parametrize(
    ("answers", "first", "error"),
    [
        ([[refusal(1045, "Access denied")]], greeting(), "Access denied (1045)"),
        ([[OK], [refusal(1142, "denied")]], greeting(), "denied (1142)"),
        ([], b"\xff\x10\x04Too many connections", "Too many connections (1040)"),
        ([], b"SSH-2.0-OpenSSH_9.2", "this is no MariaDB server"),
        ([], b"\x0a11.4", "the greeting is too short"),
        ([], b"", "an empty packet"),
        ([[b"\xfeparsec\0abc"]], greeting(), "signs in by parsec, which the collector cannot"),
        ([[b"\xfemysql_clear_password\0"]], greeting(), "in clear and offers no TLS"),
        ([[b"\x01more"]], greeting(), "asks for more than a password"),
        ([[OK], [b"\x01", END, b"\xfd\xff\xff\xff", END]], greeting(), "a row is cut off"),
        ([[OK], [b"\x01", END, b"\xfb", END]], greeting(), "may not see the report"),
    ],
)
def test_what_goes_wrong_with_a_server_is_said(
    answers: list[list[bytes]], first: bytes, error: str
) -> None:
    found = outcome(*answers, first=first)
    assert not found.report
    assert error in found.error


def test_an_answer_without_end_is_not_listened_to() -> None:
    endless = [b"\x01", END, *[value("x" * 2**20)] * 9]
    assert "too large" in outcome([OK], endless).error


def test_tls_is_not_given_up_where_it_is_required() -> None:
    import ssl

    way = Way(WAY.account, Tls(ssl.create_default_context(), is_required=True), 2, 1)
    assert outcome(way=way).error == "the server offers no TLS"


def test_a_server_that_says_nothing_costs_its_time_and_no_more() -> None:
    way = Way(WAY.account, Tls(None), patience=0.05, at_once=1)
    assert outcome(way=way).error == "no answer within 0.05 seconds"


def test_a_server_that_is_not_there_is_named() -> None:
    away: dict[str, Address] = {
        "db": ("127.0.0.1", 1),
        "s": "/nowhere/s",
        "name": ("no.such.name.invalid", 3306),
    }
    found = {asked.host: asked.error for asked in gather(away, WAY)}
    assert found.pop("name")
    assert found == {"db": "Connection refused", "s": "No such file or directory"}


def test_a_name_with_several_addresses_is_tried_at_each(monkeypatch: pytest.MonkeyPatch) -> None:
    async def by_name() -> list[Asked]:
        async with server([OK], result(REPORT)) as port:
            places = [(socket.AF_INET, ("127.0.0.1", number)) for number in (1, port)]
            monkeypatch.setattr("feedback.collector.gather._looked_up", lambda *_: places)
            return await asyncio.to_thread(list, gather({"db": ("db.example.org", 3306)}, WAY))

    assert [one.report for one in asyncio.run(by_name())] == [REPORT + "\n"]


def test_a_name_that_is_long_looked_up_costs_its_time_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    is_over = threading.Event()

    def slowly(name: str, port: int) -> list[Place]:
        is_over.wait(5)
        return [(socket.AF_INET, ("127.0.0.1", 1))]

    monkeypatch.setattr("feedback.collector.gather._looked_up", slowly)
    way = Way(WAY.account, Tls(None), patience=0.05, at_once=1)
    [found] = gather({"db": ("db.example.org", 3306)}, way)
    is_over.set()
    assert found.error == "no answer within 0.05 seconds"


def test_all_servers_are_asked_a_few_at_a_time() -> None:
    async def all_of(number: int) -> list[Asked]:
        async with server([OK], result(REPORT)) as port:
            named = {f"db{n}": ("127.0.0.1", port) for n in range(number)}
            every = gather({**named, "away": ("127.0.0.1", 1)}, WAY)
            return await asyncio.to_thread(list, every)

    found = asyncio.run(all_of(20))
    assert len(found) == 21
    assert [one.host for one in found if one.error] == ["away"]


def sha1(data: bytes) -> bytes:
    return hashlib.sha1(data, usedforsecurity=False).digest()


def test_passwords_are_proved_and_not_told() -> None:
    challenge = b"12345678901234567890"
    proof = answer(NATIVE, "secret", challenge, over_tls=False)
    once = sha1(b"secret")
    mask = sha1(challenge + sha1(once))
    assert bytes(a ^ b for a, b in zip(proof, mask, strict=True)) == once
    assert answer(NATIVE, "", challenge, over_tls=False) == b""
    assert answer("mysql_clear_password", "secret", b"", over_tls=True) == b"secret\0"


def test_an_ed25519_signature_is_what_everybody_computes() -> None:
    """RFC 8032, 7.1, test 2: there the secret is a seed, which is a password of 32 bytes."""
    seed = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
    assert sign(seed, b"\x72").hex().startswith("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8f")


def test_the_list_of_hosts_is_read_once_each() -> None:
    found = hosts("db1\n\n# all\ndb2:3307 # the second\n[::1]:3308\nfe80::1\n/run/s\ndb1\n")
    assert list(found.values()) == [
        *(("db1", 3306), ("db2", 3307), ("::1", 3308), ("fe80::1", 3306), "/run/s")
    ]


@pytest.mark.parametrize("line", ["db1:x", "db1:70000", "db 1", "[::1]:0"])
def test_a_line_that_is_no_host_is_named(line: str) -> None:
    with pytest.raises(HostError, match="line 2"):
        hosts(f"good\n{line}")


def test_lines_are_sent_in_batches_that_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submission, "BATCH_BYTES", 10)
    assert list(submission.batches(["aaaa", "bbbb", "c" * 20, "d"])) == [
        *(["aaaa", "bbbb"], ["c" * 20], ["d"])
    ]
    assert list(submission.batches([])) == []


def test_a_portal_that_is_away_is_asked_again_and_then_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(submission, "FIRST_PAUSE", 0.0)
    with pytest.raises(submission.SubmissionError, match="cannot be reached"):
        submission.submit("http://127.0.0.1:1", "token", ["{}"])


class Portal(BaseHTTPRequestHandler):
    """Answers with the next of `answers`, and keeps what it was sent."""

    answers: ClassVar[list[tuple[int, str]]] = []
    got: ClassVar[list[tuple[str, str, bytes]]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.got.append((self.path, self.headers["Authorization"], body))
        status, text = self.answers.pop(0)
        self.send_response(status)
        self.send_header("Location", "/elsewhere")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *args: object) -> None:
        pass


@contextlib.contextmanager
def portal(*answers: tuple[int, str]) -> Iterator[str]:
    Portal.answers[:], Portal.got[:] = list(answers), []
    with HTTPServer(("127.0.0.1", 0), Portal) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_what_the_portal_refuses_is_named_by_its_place_in_all_batches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(submission, "BATCH_LINES", 2)
    monkeypatch.setattr(submission, "FIRST_PAUSE", 0.0)
    taken = '{"taken": 2, "refused": []}'
    refused = '{"taken": 0, "refused": [{"line": 1, "reason": "empty"}]}'
    with portal((503, "later"), (200, taken), (200, "half an ans"), (200, refused)) as url:
        told = submission.submit(url, "fp_token", ["a", "b", "c"])
    assert (told.taken, told.refused) == (2, ["report 3: empty"])
    assert Portal.got[0] == (submission.PATH, "Bearer fp_token", b"a\nb\n")
    assert [body for _, _, body in Portal.got] == [b"a\nb\n", b"a\nb\n", b"c\n", b"c\n"]


@pytest.mark.parametrize(
    ("status", "text", "said"),
    [
        (401, '{"detail": "no token"}', "the portal answers 401: no token"),
        (302, "", "the portal answers 302: Found"),
        (413, "[]", "the portal answers 413: "),
    ],
)
def test_a_refusal_of_the_portal_is_said_at_once(status: int, text: str, said: str) -> None:
    with portal((status, text)) as url, pytest.raises(submission.SubmissionError, match=said):
        submission.submit(url, "fp_token", ["a"])
    assert len(Portal.got) == 1


def test_a_file_of_reports_is_submitted_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, token = tmp_path / "reports.ndjson", tmp_path / "token"
    kept.write_text("a\nb\n")
    token.write_text("fp_token\n")
    words = ["--from", str(kept), "--token-file", str(token), "--submit"]
    with portal((200, '{"taken": 1, "refused": [{"line": 2, "reason": "empty"}]}')) as url:
        assert program.main([*words, url]) == program.SOME_FAILED
    assert capsys.readouterr().err == "report 2: empty\n1 reports submitted\n"
    monkeypatch.setattr(program, "run", lambda found: (_ for _ in ()).throw(KeyboardInterrupt))
    assert program.main([*words, "http://x"]) == program.INTERRUPTED


def test_progress_names_who_failed_and_how_many_are_asked() -> None:
    out = io.StringIO()
    progress = program.Progress(2, out)
    progress.tell(Asked("db1", NOW, report="x"))
    progress.tell(Asked("db2", NOW, error="Connection refused"))
    assert out.getvalue() == "db2: Connection refused\n2 of 2 servers asked, 1 failed\n"


def test_the_file_of_reports_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "reports.ndjson"
    program.keep(path, [submission.line(Asked("db1", NOW, report=REPORT))])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    told = json.loads(path.read_text())
    assert told == {"at": "2026-11-21T00:00:00+00:00", "report": REPORT}


@pytest.mark.parametrize(
    "words",
    [
        *([], ["hosts.txt"], ["--from", "x"], ["hosts.txt", "--from", "x", "--submit", "http://x"]),
        ["hosts.txt", "--output", "x", "--at-once", "0"],
    ],
)
def test_wrong_use_is_explained(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        program.main(words)
    assert ended.value.code == program.MISUSED
    assert "error:" in capsys.readouterr().err


def test_the_program_writes_what_it_got_and_says_what_it_did_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "reports.ndjson"
    kept.write_text("an earlier run\n")
    (tmp_path / "hosts.txt").write_text("127.0.0.1:1\n")
    words = [str(tmp_path / "hosts.txt"), "--output", str(kept), "--tls", "off"]
    assert program.main(words) == program.SOME_FAILED
    assert "127.0.0.1:1: Connection refused" in capsys.readouterr().err
    assert kept.read_text() == "an earlier run\n"
    (tmp_path / "hosts.txt").write_text("db:x\n")
    assert program.main(words) == program.MISUSED
    monkeypatch.setattr(submission, "FIRST_PAUSE", 0.0)
    away = ["--from", str(kept), "--submit", "http://127.0.0.1:1"]
    assert program.main(away) == program.NOT_SUBMITTED
