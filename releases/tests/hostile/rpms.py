"""Bad .rpm files: names, headers, digests."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import cache

from releases.demonstration_packages import build_rpm
from releases.repository import rpm
from releases.tests import factory
from releases.tests.hostile import Hostile

NAME = "exampledb-server-12.3.0-1.el9.x86_64.rpm"


@cache
def good() -> bytes:
    return factory.rpm()


def named(**changes: str) -> bytes:
    """A sound rpm that says something else of itself."""
    said = {
        "name": "exampledb-server",
        "version": "12.3.0",
        "release": "1.el9",
        "architecture": "x86_64",
        "summary": "Example database",
        "text": "x",
    }
    return build_rpm(**(said | changes), stamp=factory.STAMP)


def outside() -> rpm.Outside:
    return rpm.read(io.BytesIO(good()))


def signature_without(tag: int) -> bytes:
    """The rpm with a signature header that lacks one of its digests."""
    found = outside()
    kept = {key: value for key, value in found.signature.items() if key not in {tag, rpm.REGION}}
    raw = rpm.write_header(kept, region=rpm.REGION)
    padded = raw + bytes(-len(raw) % 8)
    return found.lead + padded + found.header + good()[found.payload_at :]


def header_at() -> int:
    found = outside()
    return found.payload_at - len(found.header)


def with_bytes(at: int, data: bytes) -> bytes:
    return good()[:at] + data + good()[at + len(data) :]


def case(what: str, words: str, build: Callable[[], bytes], name: str = NAME) -> Hostile:
    return Hostile(what, words, build, name=name)


CASES = [
    case("a path as rpm name", "name is not allowed", lambda: named(name="../../evil")),
    case("a slash in the rpm name", "name is not allowed", lambda: named(name="a/b")),
    case("dots in the rpm name", "name is not allowed", lambda: named(name="a..b")),
    case("a line end in the rpm name", "", lambda: named(name="a\nb")),
    case("an over-long rpm name", "name is not allowed", lambda: named(name="a" * 200)),
    case("a path as rpm version", "version and release take", lambda: named(version="1/2")),
    case("an over-long rpm version", "version and release", lambda: named(version="1" * 99)),
    case("a path as rpm release", "version and release take", lambda: named(release="..")),
    case("a source rpm's architecture", "architecture", lambda: named(architecture="src")),
    case("another rpm architecture", "architecture", lambda: named(architecture="mips64")),
    case("a path as rpm architecture", "architecture", lambda: named(architecture="../x86_64")),
    case("no rpm", "this is not an rpm", lambda: b"PK\x03\x04" + bytes(200)),
    case("a .deb as rpm", "this is not an rpm", factory.deb),
    case("no magic in a header", "no magic number", lambda: with_bytes(96, bytes(4))),
    case("a header of 4 GiB", "too large", lambda: with_bytes(104, b"\xff" * 8)),
    case("bytes after the rpm", "does not match its bytes", lambda: good() + b"x"),
    case(
        "another payload", "does not match its bytes", lambda: good()[:-1] + bytes([good()[-1] ^ 1])
    ),
    case("another header", "", lambda: with_bytes(header_at() + 200, b"\x55\x55\x55")),
    case(
        "no SHA-256 of the header",
        "no SHA-256 of its header",
        lambda: signature_without(rpm.SHA256),
    ),
    case(
        "another rpm name than its file",
        "calls for the file name exampledb-server-12.3.0-1.el9.x86_64.rpm",
        good,
        name="renamed-12.3.0-1.el9.x86_64.rpm",
    ),
]


def boundaries() -> list[int]:
    """Where each part of an .rpm begins and ends, and the bytes beside."""
    front, payload = header_at(), outside().payload_at
    marks = [0, 4, 96, 96 + 8, 96 + 16, 96 + 32, front, front + 16, front + 32, payload]
    near = {mark + beside for mark in marks for beside in (-1, 0, 1)}
    return sorted(cut for cut in near | {len(good()) - 1} if 0 <= cut < len(good()))
