"""Report bodies as they lie in the database: compressed with zstd, and their digest. Pure."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from typing import Final

import zstandard

LIMIT: Final = 8 * 2**20  # bytes; a clean report is below 6 MB whatever was sent
DIGEST_SIZE: Final = 16
DICTIONARY_SIZE: Final = 64 * 2**10  # bytes
_LEVEL: Final = 3
_QUICK: Final = 1  # of what is read again soon: a tenth larger, in half the time


class _Quick(threading.local):
    """A compressor for each thread: to make one takes as long as to use it."""

    def __init__(self) -> None:
        self.compress = zstandard.ZstdCompressor(level=_QUICK).compress


_quick: Final = _Quick()


def pack(body: bytes) -> bytes:
    """The compressed body; its size is written in front."""
    return _quick.compress(body)


def unpack(packed: bytes) -> bytes:
    """The body; ValueError when it is not what `pack` wrote."""
    try:
        return zstandard.ZstdDecompressor().decompress(packed, max_output_size=LIMIT)
    except zstandard.ZstdError as error:
        raise ValueError("not a packed report") from error


class Packer:
    """Packs the values of reports, with a dictionary of what such values look like."""

    def __init__(self, dictionary: bytes = b"") -> None:
        known = zstandard.ZstdCompressionDict(dictionary) if dictionary else None
        self._compressor = zstandard.ZstdCompressor(level=_LEVEL, dict_data=known)
        self._decompressor = zstandard.ZstdDecompressor(dict_data=known)

    def pack(self, values: Sequence[str]) -> bytes:
        """Values hold no line feeds: reports are lines."""
        return self._compressor.compress("\n".join(values).encode())

    def unpack(self, packed: bytes) -> list[str]:
        """The values; ValueError when it is not what `pack` wrote with this dictionary."""
        try:
            text = self._decompressor.decompress(packed, max_output_size=LIMIT)
        except zstandard.ZstdError as error:
            raise ValueError("not packed with this dictionary") from error
        return text.decode().split("\n")


def train(reports: Sequence[Sequence[str]]) -> bytes:
    """A dictionary of what the values of these reports have in common."""
    samples: list[bytes | bytearray | memoryview] = ["\n".join(r).encode() for r in reports]
    return zstandard.train_dictionary(DICTIONARY_SIZE, samples).as_bytes()


def digest(body: bytes) -> bytes:
    """16 bytes that are the same for the same body: repeated delivery is seen by them.

    Of SHA-256, for which processors have instructions: half the time of BLAKE2 for a report.
    """
    return hashlib.sha256(body).digest()[:DIGEST_SIZE]
