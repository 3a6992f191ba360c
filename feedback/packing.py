"""Report bodies as they lie in the database: zstd without a dictionary, and their digest. Pure."""

from __future__ import annotations

import hashlib
from typing import Final

import zstandard

LIMIT: Final = 8 * 2**20  # bytes; a clean report is below 6 MB whatever was sent
DIGEST_SIZE: Final = 16
_LEVEL: Final = 3


def pack(body: bytes) -> bytes:
    """The compressed body; its size is written in front."""
    return zstandard.ZstdCompressor(level=_LEVEL).compress(body)


def unpack(packed: bytes) -> bytes:
    """The body; ValueError when it is not what `pack` wrote."""
    try:
        return zstandard.ZstdDecompressor().decompress(packed, max_output_size=LIMIT)
    except zstandard.ZstdError as error:
        raise ValueError("not a packed report") from error


def digest(body: bytes) -> bytes:
    """16 bytes that are the same for the same body: repeated delivery is seen by them."""
    return hashlib.blake2b(body, digest_size=DIGEST_SIZE).digest()
