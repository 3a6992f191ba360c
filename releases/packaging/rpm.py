"""An .rpm: lead, signature header, header, gzipped cpio."""

from __future__ import annotations

import gzip
import hashlib
import struct
from collections.abc import Sequence

from releases.packaging.contents import PackagedFile
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
CONFIG_NOREPLACE = 1 | 16
CONFIG_DEPENDENCY = 1 << 28
SHA256_NUMBER = 8
LEAD = struct.Struct(">4sBBHH66sHH16s")


def build_rpm(
    *,
    name: str,
    version: str,
    release: str,
    architecture: str,
    summary: str,
    files: Sequence[PackagedFile],
    stamp: int,
    group: str = "Applications/Databases",
) -> bytes:
    """The package, unsigned; `stamp` (seconds since 1970) is the time of everything inside."""
    files = sorted(files)
    payload = gzip.compress(_cpio(files, stamp), 9, mtime=0)
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
        1009: _numbers(sum(len(file.data) for file in files)),
        1014: _string("GPL-2.0-only"),
        1016: _strings(group, kind=I18N),
        1021: _string("linux"),
        1022: _string(architecture),
        1044: _string(f"{name}-{full}.src.rpm"),
        1047: _strings(name, *(f"config({name})" for _ in _configs(files))),
        1048: _numbers(*[LESS_EQUAL_RPMLIB for _ in RPMLIB]),
        1049: _strings(*[feature for feature, _ in RPMLIB]),
        1050: _strings(*[needed for _, needed in RPMLIB]),
        1064: _string("4.18.0"),
        1112: _numbers(EQUAL, *(EQUAL | CONFIG_DEPENDENCY for _ in _configs(files))),
        1113: _strings(full, *(full for _ in _configs(files))),
        1124: _string("cpio"),
        1125: _string("gzip"),
        1126: _string("9"),
        5011: _numbers(SHA256_NUMBER),
        5062: _string("utf-8"),
        PAYLOAD_DIGEST: _strings(hashlib.sha256(payload).hexdigest()),
        PAYLOAD_DIGEST_ALGORITHM: _numbers(SHA256_NUMBER),
        **_file_entries(files, stamp),
    }
    header = write_header(entries, region=IMMUTABLE)
    front = LEAD.pack(
        LEAD_MAGIC, 3, 0, 0, 1, f"{name}-{full}".encode()[:65], 1, 5, b""
    ) + _signature_header(header, payload)
    return front + header + payload


def _configs(files: Sequence[PackagedFile]) -> list[PackagedFile]:
    """One stands for all: a package provides config(itself) once."""
    return [file for file in files if file.is_config][:1]


def _file_entries(files: Sequence[PackagedFile], stamp: int) -> dict[int, Entry]:
    """What the header says of each file, in parallel lists."""
    folders = sorted({file.folder for file in files})
    count = len(files)
    return {
        1028: _numbers(*(len(file.data) for file in files)),
        1030: _shorts(*[REGULAR_FILE] * count),
        1033: _shorts(*[0] * count),
        1034: _numbers(*[stamp] * count),
        1035: _strings(*(hashlib.sha256(file.data).hexdigest() for file in files)),
        1036: _strings(*[""] * count),
        1037: _numbers(*(CONFIG_NOREPLACE if file.is_config else 0 for file in files)),
        1039: _strings(*["root"] * count),
        1040: _strings(*["root"] * count),
        1045: _numbers(*[0xFFFFFFFF] * count),
        1095: _numbers(*[1] * count),
        1096: _numbers(*range(1, count + 1)),
        1097: _strings(*[""] * count),
        1116: _numbers(*(folders.index(file.folder) for file in files)),
        1117: _strings(*(file.name for file in files)),
        1118: _strings(*folders),
    }


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


def _cpio(files: Sequence[PackagedFile], stamp: int) -> bytes:
    entries = [
        _cpio_entry(number, f".{file.path}", file.data, REGULAR_FILE, stamp)
        for number, file in enumerate(files, start=1)
    ]
    return b"".join([*entries, _cpio_entry(0, "TRAILER!!!", b"", 0, 0)])


def _cpio_entry(number: int, path: str, data: bytes, mode: int, stamp: int) -> bytes:
    """The "newc" form: thirteen hexadecimal numbers, name and data padded to four bytes."""
    name = path.encode() + b"\0"
    fields = [number, mode, 0, 0, 1, stamp, len(data), 0, 0, 0, 0, len(name), 0]
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
