"""An .rpm of one file: lead, signature header, header, gzipped cpio."""

from __future__ import annotations

import gzip
import hashlib
import struct
from collections.abc import Sequence

from releases.repository.rpm import (
    BIN,
    I18N,
    INT16,
    INT32,
    LEAD_MAGIC,
    MD5,
    PAYLOAD_DIGEST,
    PAYLOAD_DIGEST_ALGORITHM,
    REGION,
    SHA1,
    SHA256,
    SIZE,
    STRING,
    STRINGS,
    Entry,
    write_header,
)

IMMUTABLE = 63
LESS_EQUAL_RPMLIB, EQUAL = 0x0100000A, 8
RPMLIB = [
    ("rpmlib(CompressedFileNames)", "3.0.4-1"),
    ("rpmlib(FileDigests)", "4.6.0-1"),
    ("rpmlib(PayloadFilesHavePrefix)", "4.0-1"),
]
REGULAR_FILE = 0o100644
SHA256_NUMBER = 8
LEAD = struct.Struct(">4sBBHH66sHH16s")


def build_rpm(
    *,
    name: str,
    version: str,
    release: str,
    architecture: str,
    summary: str,
    text: str,
    stamp: int,
) -> bytes:
    """The package, unsigned; `stamp` (seconds since 1970) is the time of everything inside."""
    folder, content = f"/usr/share/{name}/", text.encode()
    payload = gzip.compress(_cpio(f".{folder}VERSION", content, stamp), 9, mtime=0)
    full = f"{version}-{release}"
    entries = {
        100: _strings("C"),
        1000: _string(name),
        1001: _string(version),
        1002: _string(release),
        1004: _strings(summary, kind=I18N),
        1005: _strings(summary, kind=I18N),
        1006: _numbers(stamp),
        1007: _string("localhost"),
        1009: _numbers(len(content)),
        1014: _string("GPL-2.0-only"),
        1016: _strings("Applications/Databases", kind=I18N),
        1021: _string("linux"),
        1022: _string(architecture),
        1028: _numbers(len(content)),
        1030: _shorts(REGULAR_FILE),
        1033: _shorts(0),
        1034: _numbers(stamp),
        1035: _strings(hashlib.sha256(content).hexdigest()),
        1036: _strings(""),
        1037: _numbers(0),
        1039: _strings("root"),
        1040: _strings("root"),
        1044: _string(f"{name}-{full}.src.rpm"),
        1045: _numbers(0xFFFFFFFF),
        1047: _strings(name),
        1048: _numbers(*[LESS_EQUAL_RPMLIB for _ in RPMLIB]),
        1049: _strings(*[feature for feature, _ in RPMLIB]),
        1050: _strings(*[needed for _, needed in RPMLIB]),
        1064: _string("4.18.0"),
        1095: _numbers(1),
        1096: _numbers(1),
        1097: _strings(""),
        1112: _numbers(EQUAL),
        1113: _strings(full),
        1116: _numbers(0),
        1117: _strings("VERSION"),
        1118: _strings(folder),
        1124: _string("cpio"),
        1125: _string("gzip"),
        1126: _string("9"),
        5011: _numbers(SHA256_NUMBER),
        5062: _string("utf-8"),
        PAYLOAD_DIGEST: _strings(hashlib.sha256(payload).hexdigest()),
        PAYLOAD_DIGEST_ALGORITHM: _numbers(SHA256_NUMBER),
    }
    header = write_header(entries, region=IMMUTABLE)
    front = LEAD.pack(
        LEAD_MAGIC, 3, 0, 0, 1, f"{name}-{full}".encode()[:65], 1, 5, b""
    ) + _signature_header(header, payload)
    return front + header + payload


def _signature_header(header: bytes, payload: bytes) -> bytes:
    """The digests that rpm looks for; padded to eight bytes."""
    md5 = hashlib.md5(header + payload, usedforsecurity=False).digest()
    raw = write_header(
        {
            SHA1: _string(hashlib.sha1(header, usedforsecurity=False).hexdigest()),
            SHA256: _string(hashlib.sha256(header).hexdigest()),
            SIZE: _numbers(len(header) + len(payload)),
            MD5: Entry(BIN, 16, md5),
        },
        region=REGION,
    )
    return raw + bytes(-len(raw) % 8)


def _cpio(path: str, data: bytes, stamp: int) -> bytes:
    return _cpio_entry(path, data, REGULAR_FILE, stamp) + _cpio_entry("TRAILER!!!", b"", 0, 0)


def _cpio_entry(path: str, data: bytes, mode: int, stamp: int) -> bytes:
    """The "newc" form: fourteen hexadecimal numbers, name and data padded to four bytes."""
    name = path.encode() + b"\0"
    fields = [1, mode, 0, 0, 1, stamp, len(data), 0, 0, 0, 0, len(name), 0]
    head = b"070701" + "".join(f"{field:08x}" for field in fields).encode() + name
    return head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4)


def _string(value: str) -> Entry:
    return Entry(STRING, 1, value.encode() + b"\0")


def _strings(*values: str, kind: int = STRINGS) -> Entry:
    return Entry(kind, len(values), b"".join(value.encode() + b"\0" for value in values))


def _numbers(*values: int) -> Entry:
    return Entry(INT32, len(values), _pack("I", values))


def _shorts(*values: int) -> Entry:
    return Entry(INT16, len(values), _pack("H", values))


def _pack(letter: str, values: Sequence[int]) -> bytes:
    return struct.pack(f">{len(values)}{letter}", *values)
