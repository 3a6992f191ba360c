"""An index in buckets: each compressed once, the whole put together from them. Pure.

A package belongs to the bucket that its name's slot falls into. Buckets are ranges of slots and
packages are ordered by slot first, so the order within an index is a function of its packages
alone: more or fewer buckets move the borders between compressed members, never a package.
apt, dnf and zypper read a file of several gzip members or zstd frames as one.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Protocol, TypeVar

import zstandard

SLOTS: Final = 2**32
PACKAGES_IN_A_BUCKET: Final = 64  # what a number of buckets aims at
FEWEST: Final = 32
MOST: Final = 65_536
NO_TIME: Final = 0  # the same text gives the same bytes
GZ_LEVEL: Final = 9
ZST_LEVEL: Final = 12


class DamagedError(ValueError):
    """Stored members are not what they were when they were written."""


class Ordered(Protocol):
    """What stands in an index."""

    @property
    def slot(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def architecture(self) -> str: ...


Entry = TypeVar("Entry", bound=Ordered)


@dataclass(frozen=True, slots=True)
class Span:
    """Slots from `first` up to and without `end`."""

    first: int
    end: int


@dataclass(frozen=True, slots=True)
class Member:
    """A bucket as it is stored: how many packages, its text's size, and both compressed forms."""

    count: int
    text: bytes
    gz: bytes
    zst: bytes


def slot(name: str) -> int:
    """Where a package name falls, evenly over all slots. PostgreSQL computes the same."""
    return int(hashlib.md5(name.encode(), usedforsecurity=False).hexdigest()[:8], 16)


def bucket_of(slot: int, buckets: int) -> int:
    return slot * buckets // SLOTS


def span_of(bucket: int, buckets: int) -> Span:
    """The slots of a bucket."""
    return Span(-(-bucket * SLOTS // buckets), -(-(bucket + 1) * SLOTS // buckets))


def spans_of(wanted: Iterable[int], buckets: int) -> list[Span]:
    """The slots of several buckets; neighbours are one span."""
    found: list[Span] = []
    for bucket in sorted(wanted):
        span = span_of(bucket, buckets)
        if found and found[-1].end == span.first:
            span = Span(found.pop().first, span.end)
        found.append(span)
    return found


def fitting(packages: int) -> int:
    """The number of buckets for so many packages."""
    return min(max(-(-packages // PACKAGES_IN_A_BUCKET), FEWEST), MOST)


def position(entry: Ordered) -> tuple[int, str, str, str]:
    """The order within an index."""
    return entry.slot, entry.name, entry.version, entry.architecture


def sort(entries: Iterable[Entry], buckets: int) -> dict[int, list[Entry]]:
    """The entries by bucket, each bucket in order."""
    found: dict[int, list[Entry]] = {}
    for entry in sorted(entries, key=position):
        found.setdefault(bucket_of(entry.slot, buckets), []).append(entry)
    return found


def pack(text: bytes, count: int = 0) -> Member:
    """A part, compressed. An empty one takes no bytes."""
    return Member(count, text, gz(text), zst(text)) if text else Member(count, b"", b"", b"")


def gz(text: bytes) -> bytes:
    return gzip.compress(text, GZ_LEVEL, mtime=NO_TIME)


def zst(text: bytes) -> bytes:
    """A frame that knows its size and a checksum."""
    return zstandard.ZstdCompressor(level=ZST_LEVEL, write_checksum=True).compress(text)


def unpack_zst(frame: bytes | memoryview, by: zstandard.ZstdDecompressor | None = None) -> bytes:
    """The text of one frame; many are read by one decompressor. Raises DamagedError."""
    try:
        return (by or zstandard.ZstdDecompressor()).decompress(frame) if len(frame) else b""
    except zstandard.ZstdError as error:
        raise DamagedError(str(error)) from None


def unpack_gz(member: bytes | memoryview) -> bytes:
    """The text of one member. Raises DamagedError."""
    try:
        return gzip.decompress(member) if len(member) else b""
    except (OSError, EOFError, zlib.error) as error:
        raise DamagedError(str(error)) from None


@dataclass(frozen=True, slots=True)
class Parts:
    """A file of parts that lie one after the other: the head, the buckets, the tail."""

    data: bytes
    sizes: Sequence[int]

    def part(self, number: int) -> memoryview:
        start = sum(self.sizes[:number])
        return memoryview(self.data)[start : start + self.sizes[number]]

    def spliced(self, new: Mapping[int, bytes]) -> Iterator[bytes | memoryview]:
        """All parts in order, `new` ones in place of old; a run of old ones is one piece."""
        ends, whole, start = self._ends(), memoryview(self.data), 0
        for number in sorted(new):
            if number > start:
                yield whole[ends[start] : ends[number]]
            yield new[number]
            start = number + 1
        yield whole[ends[start] :]

    def texts(self, new: Mapping[int, bytes]) -> Iterator[bytes]:
        """The text of each part in order: `new` ones as given, the others out of zstd frames."""
        ends, whole = self._ends(), memoryview(self.data)
        decompressor = zstandard.ZstdDecompressor()
        for number in range(len(self.sizes)):
            known = new.get(number)
            if known is None:
                known = unpack_zst(whole[ends[number] : ends[number + 1]], decompressor)
            yield known

    def sizes_with(self, new: Mapping[int, bytes]) -> list[int]:
        return [len(new[n]) if n in new else size for n, size in enumerate(self.sizes)]

    def _ends(self) -> list[int]:
        return [0, *accumulate(self.sizes)]


@dataclass(frozen=True, slots=True)
class Stored:
    """An index as it lies on disk: packages by bucket, and both of its files."""

    counts: Sequence[int]
    gz: Parts
    zst: Parts

    @classmethod
    def empty(cls, buckets: int) -> Stored:
        nothing = Parts(b"", [0] * (buckets + 2))
        return cls([0] * buckets, nothing, nothing)

    def counts_with(self, members: Mapping[int, Member]) -> list[int]:
        return [members[n].count if n in members else count for n, count in enumerate(self.counts)]


def ends(head: bytes, tail: bytes, packages: int, buckets: int) -> dict[int, Member]:
    """Head and tail as parts of an index. One without any byte still needs a valid file."""
    first = pack(head)
    if not (packages or head or tail):
        first = Member(0, b"", gz(b""), zst(b""))
    return {0: first, buckets + 1: pack(tail)}


def digest_of(texts: Iterable[bytes]) -> tuple[int, str]:
    """Size and SHA-256 of the texts together."""
    found, size = hashlib.sha256(), 0
    for text in texts:
        found.update(text)
        size += len(text)
    return size, found.hexdigest()
