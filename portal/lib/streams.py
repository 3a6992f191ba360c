"""A file as the body of an answer, piece by piece, for sync and async requests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import IO, Final

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse

PIECE: Final = 256 * 1024


def stream(request: HttpRequest, file: IO[bytes], length: int) -> StreamingHttpResponse:
    """`length` bytes from where `file` stands; it is closed after the last."""
    pieces = _pieces(file, length)
    if not isinstance(request, ASGIRequest):
        return StreamingHttpResponse(pieces)
    return StreamingHttpResponse(_async_pieces(pieces))


def _pieces(file: IO[bytes], length: int) -> Iterator[bytes]:
    with file:
        while length > 0 and (piece := file.read(min(PIECE, length))):
            length -= len(piece)
            yield piece


async def _async_pieces(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Django reads a plain iterator whole before it sends the first byte; this one it does not."""
    while (piece := await asyncio.to_thread(next, pieces, None)) is not None:
        yield piece
