"""GET as package managers do it: a cap on size and time, one redirect, and that to https alone."""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import ssl
import time
import urllib.request
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import Any, BinaryIO, Final, cast
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

from releases.reading import UnsoundError

SECONDS: Final = 30.0  # without a byte
LONGEST: Final = 120.0  # for one file
PIECE: Final = 2**20
IN_MEMORY: Final = 16 * 2**20
AGENT: Final = "foundation-portal-reading"


@dataclass(frozen=True, slots=True)
class Fetched:
    """A body, in a file that stands at its beginning."""

    body: BinaryIO
    size: int
    sha256: str
    came_from: str  # the host that sent it: ours, or a mirror's

    def read(self) -> bytes:
        return self.body.read()


class Http:
    """Fetches; UnsoundError for what is not there, not in time, or too large."""

    def __init__(self, context: ssl.SSLContext) -> None:
        secure = urllib.request.HTTPSHandler(context=context)
        direct = urllib.request.ProxyHandler({})
        self._open = urllib.request.build_opener(direct, secure, _OneRedirect)

    def get(self, url: str, *, most: int) -> Fetched:
        request = urllib.request.Request(url, headers={"User-Agent": AGENT})  # noqa: S310
        try:
            with contextlib.closing(self._open.open(request, timeout=SECONDS)) as answer:
                return _kept(answer, url, most)
        except HTTPError as error:
            with contextlib.closing(error):
                raise UnsoundError(f"{url} answers with status {error.code}") from None
        except URLError as error:
            raise UnsoundError(f"{url} does not answer: {error.reason}") from None
        except (OSError, http.client.HTTPException) as error:
            raise UnsoundError(f"{url} does not answer as it should: {error}") from None


class _OneRedirect(urllib.request.HTTPRedirectHandler):
    """To a mirror, where the address must be https: its name is then proven."""

    def redirect_request(
        self, req: Any, fp: Any, code: int, msg: str, headers: Any, url: str
    ) -> Any:
        if hasattr(req, "redirect_dict"):
            raise UnsoundError(f"{req.full_url} leads on to a second redirect")
        if urlsplit(url).scheme != "https":
            raise UnsoundError(f"{req.full_url} leads to an address without https")
        return super().redirect_request(req, fp, code, msg, headers, url)


def _kept(answer: Any, url: str, most: int) -> Fetched:
    digest, size, end = hashlib.sha256(), 0, time.monotonic() + LONGEST
    body = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  (closed with the last who holds it)
    while piece := answer.read(PIECE):
        size += len(piece)
        if size > most:
            raise UnsoundError(f"{url} is larger than {most} bytes")
        if time.monotonic() > end:
            raise UnsoundError(f"{url} takes longer than {LONGEST:.0f} s")
        digest.update(piece)
        body.write(piece)
    if answer.length:
        raise UnsoundError(f"{url} ends too early")
    body.seek(0)
    host = urlsplit(answer.url).hostname or ""
    return Fetched(cast("BinaryIO", body), size, digest.hexdigest(), host)
