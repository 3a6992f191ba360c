"""The outside of an .rpm: lead, signature header, header, payload. Pure, streaming, capped.

Format: https://rpm-software-management.github.io/rpm/manual/format_v4.html. Only what signing and
checking need: entries of the two headers and the digests that the file gives of itself.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO, Final

LEAD_SIZE: Final = 96
LEAD_MAGIC: Final = b"\xed\xab\xee\xdb"
HEADER_MAGIC: Final = b"\x8e\xad\xe8\x01\x00\x00\x00\x00"
INTRO: Final = struct.Struct(">8sII")
ENTRY: Final = struct.Struct(">IIiI")
MOST_ENTRIES: Final = 65_535
LARGEST_HEADER: Final = 64 * 2**20
CHUNK: Final = 2**20

REGION: Final = 62  # HEADERSIGNATURES: what an immutable region of the signature header is called
DSA, RSA, SHA1, SHA256 = 267, 268, 269, 273  # over the header alone
SIZE, PGP, MD5, GPG, RESERVED, LONG_SIZE = 1000, 1002, 1004, 1005, 1008, 270
PAYLOAD_DIGEST, PAYLOAD_DIGEST_ALGORITHM = 5092, 5093
ALGORITHM_SHA256: Final = 8
OPENPGP_RSA: Final = 1

CHAR, INT8, INT16, INT32, INT64, STRING, BIN, STRINGS, I18N = 1, 2, 3, 4, 5, 6, 7, 8, 9
WIDTHS: Final = {CHAR: 1, INT8: 1, INT16: 2, INT32: 4, INT64: 8, BIN: 1}


class RpmError(ValueError):
    """The file is not an rpm that we take; the message says why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One tag of a header: its type, how many values, the bytes of all of them."""

    kind: int
    count: int
    data: bytes

    @property
    def text(self) -> str:
        return self.data.partition(b"\0")[0].decode("ascii", "replace")

    @property
    def number(self) -> int:
        return int.from_bytes(self.data[: WIDTHS.get(self.kind, 0)], "big")


@dataclass(frozen=True, slots=True)
class Outside:
    """All of an rpm but its payload, which begins at `payload_at`."""

    lead: bytes
    signature: Mapping[int, Entry]
    header: bytes
    tags: Mapping[int, Entry]
    payload_at: int


def read(stream: BinaryIO) -> Outside:
    """The outside of the rpm that `stream` stands at. Raises RpmError."""
    lead = _exactly(stream, LEAD_SIZE)
    if lead[:4] != LEAD_MAGIC:
        raise RpmError("this is not an rpm")
    raw_signature, signature = _read_header(stream)
    padding = -len(raw_signature) % 8
    if _exactly(stream, padding).strip(b"\0"):
        raise RpmError("the padding of the signature header is not empty")
    header, tags = _read_header(stream)
    at = LEAD_SIZE + len(raw_signature) + padding + len(header)
    return Outside(lead, signature, header, tags, at)


def check(stream: BinaryIO) -> Outside:
    """Read the whole rpm and compare every digest that it gives of itself. Raises RpmError."""
    outside = read(stream)
    header_and_payload = hashlib.md5(outside.header, usedforsecurity=False)
    payload, size = hashlib.sha256(), len(outside.header)
    while chunk := stream.read(CHUNK):
        header_and_payload.update(chunk)
        payload.update(chunk)
        size += len(chunk)
    _check_payload(outside.tags, payload.hexdigest())
    _check_header(outside)
    signature = outside.signature
    if MD5 in signature and signature[MD5].data != header_and_payload.digest():
        raise RpmError("the MD5 digest of the rpm does not match its bytes")
    for tag in (SIZE, LONG_SIZE):
        if tag in signature and signature[tag].number != size:
            raise RpmError("the rpm is shorter or longer than it says")
    return outside


def _check_payload(tags: Mapping[int, Entry], found: str) -> None:
    algorithm = tags.get(PAYLOAD_DIGEST_ALGORITHM)
    if algorithm is None or algorithm.number != ALGORITHM_SHA256 or PAYLOAD_DIGEST not in tags:
        raise RpmError("the rpm gives no SHA-256 of its payload: build it with rpm 4.14 or newer")
    if tags[PAYLOAD_DIGEST].text != found:
        raise RpmError("the payload digest of the rpm does not match its bytes")


def _check_header(outside: Outside) -> None:
    signature, header = outside.signature, outside.header
    if SHA256 not in signature:
        raise RpmError("the rpm gives no SHA-256 of its header: build it with rpm 4.14 or newer")
    if signature[SHA256].text != hashlib.sha256(header).hexdigest():
        raise RpmError("the header digest of the rpm does not match its bytes")
    sha1 = hashlib.sha1(header, usedforsecurity=False).hexdigest()
    if SHA1 in signature and signature[SHA1].text != sha1:
        raise RpmError("the header digest (SHA-1) of the rpm does not match its bytes")


def signed_front(outside: Outside, signature: bytes) -> bytes:
    """The bytes before the payload with `signature` (binary OpenPGP, version 4, over
    `outside.header`) as the only signature; earlier ones and reserved space go.
    """
    kept = {
        tag: entry
        for tag, entry in outside.signature.items()
        if tag not in {REGION, DSA, RSA, PGP, GPG, RESERVED}
    }
    tag = RSA if _public_key_algorithm(signature) == OPENPGP_RSA else DSA
    kept[tag] = Entry(BIN, len(signature), signature)
    raw = write_header(kept, region=REGION)
    return outside.lead + raw + bytes(-len(raw) % 8) + outside.header


def signature_of(outside: Outside) -> bytes | None:
    """The OpenPGP signature over the header that the rpm carries."""
    entry = outside.signature.get(RSA) or outside.signature.get(DSA)
    return entry.data if entry else None


def _public_key_algorithm(packet: bytes) -> int:
    """RFC 9580, 5.2.3: version, type, public-key algorithm follow the packet's length."""
    if len(packet) < 8 or packet[0] != 0xC2:
        raise RpmError("not an OpenPGP signature packet in the new format")
    body = packet[2:] if packet[1] < 192 else packet[3:] if packet[1] < 224 else packet[6:]
    if body[0] != 4:
        raise RpmError("rpm reads OpenPGP signatures of version 4 only")
    return body[2]


# --- headers ------------------------------------------------------------------------------------


def _exactly(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size)
    if len(data) != size:
        raise RpmError("the rpm ends too early")
    return data


def _read_header(stream: BinaryIO) -> tuple[bytes, dict[int, Entry]]:
    intro = _exactly(stream, INTRO.size)
    magic, count, size = INTRO.unpack(intro)
    if magic != HEADER_MAGIC:
        raise RpmError("a header of the rpm has no magic number")
    if count > MOST_ENTRIES or size > LARGEST_HEADER:
        raise RpmError("a header of the rpm is too large")
    index = _exactly(stream, ENTRY.size * count)
    store = _exactly(stream, size)
    return intro + index + store, dict(_entries(index, store))


def _entries(index: bytes, store: bytes) -> Iterator[tuple[int, Entry]]:
    seen: set[int] = set()
    for tag, kind, offset, count in ENTRY.iter_unpack(index):
        if tag in seen:
            raise RpmError(f"tag {tag} stands twice in a header of the rpm")
        seen.add(tag)
        if not 0 <= offset <= len(store):
            raise RpmError(f"tag {tag} of the rpm points outside its header")
        data = store[offset : _end(store, kind, offset, count)]
        yield tag, Entry(kind, count, data)


def _end(store: bytes, kind: int, offset: int, count: int) -> int:
    if kind in WIDTHS:
        end = offset + WIDTHS[kind] * count
    elif kind in {STRING, STRINGS, I18N}:
        end = offset
        for _ in range(count if kind != STRING else 1):
            end = store.find(b"\0", end) + 1
            if end == 0:
                raise RpmError("a text in a header of the rpm has no end")
    else:
        raise RpmError(f"unknown type {kind} in a header of the rpm")
    if end > len(store):
        raise RpmError("a value in a header of the rpm points outside it")
    return end


def write_header(entries: Mapping[int, Entry], *, region: int) -> bytes:
    """A header whose region (a tag) covers all entries; values in the order of their tags."""
    store, index = bytearray(), bytearray()
    for tag, entry in sorted(entries.items()):
        width = WIDTHS.get(entry.kind, 1)
        store.extend(bytes(-len(store) % width))
        index += ENTRY.pack(tag, entry.kind, len(store), entry.count)
        store += entry.data
    number = len(entries) + 1
    first = ENTRY.pack(region, BIN, len(store), ENTRY.size)
    store += ENTRY.pack(region, BIN, -ENTRY.size * number, ENTRY.size)
    return INTRO.pack(HEADER_MAGIC, number, len(store)) + first + bytes(index) + bytes(store)
