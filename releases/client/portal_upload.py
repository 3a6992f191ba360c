#!/usr/bin/env python3
"""Upload the files of a release to a Foundation Portal. Python 3.9+, standard library only.

    export PORTAL_TOKEN=fp_...
    portal_upload.py --url https://portal.example.org --product exampledb --version 1.2.3 \\
        --distribution debian-12 exampledb-server_1.2.3_amd64.deb

An upload that was cut off, on either side, goes on where it stood: run the same command again.
Exit status: 0 all files accepted, 1 the portal refused one, 2 it could not be reached.
"""

import argparse
import hashlib
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Dict, List, Optional, Tuple

Answer = Dict[str, Any]
Reply = Tuple[int, Any, bytes]

VERSION = "2026.11.21"
CHUNK = 8 * 2**20
TRIES = 8
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 20.0
TIMEOUT = 120.0
RETRIED = {408, 423, 425, 429, 500, 502, 503, 504}


class RefusedError(Exception):
    """The portal said no; its message says why."""


class UnreachableError(Exception):
    """The portal did not answer."""


class TemporaryError(Exception):
    """An answer that may be another one soon."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the token elsewhere, or lose the body."""

    def redirect_request(
        self, req: object, fp: object, code: int, msg: str, headers: object, newurl: str
    ) -> None:
        raise RefusedError(f"the portal redirects to {newurl}: use that address")


class Portal:
    """The upload API, with retries: every request may be sent twice without harm."""

    def __init__(self, url: str, token: str) -> None:
        self.api = url.rstrip("/") + "/api/v1/uploads"
        self.token = token
        self.opener = urllib.request.build_opener(NoRedirect)

    def announce(self, **what: object) -> Answer:
        return self.json("POST", "", what)

    def show(self, upload: str) -> Answer:
        return self.json("GET", f"/{upload}")

    def finish(self, upload: str) -> Answer:
        return self.json("POST", f"/{upload}/finish", {})

    def append(self, upload: str, offset: int, data: bytes) -> int:
        """Send a chunk; where the upload stands now, whatever happened to it."""
        headers = {
            "Upload-Offset": str(offset),
            "Content-Type": "application/offset+octet-stream",
        }
        status, found, body = self.request("PATCH", f"/{upload}", data, headers)
        if status not in (204, 409) or "Upload-Offset" not in found:
            raise RefusedError(message_of(status, body))
        reached = int(found["Upload-Offset"])
        if status == 409 and reached == offset:
            raise RefusedError(message_of(status, body))
        return reached

    def json(self, method: str, path: str, value: Optional[object] = None) -> Answer:
        data = None if value is None else json.dumps(value).encode()
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        status, _, body = self.request(method, path, data, headers)
        if status >= 300:
            raise RefusedError(message_of(status, body))
        answer: Answer = json.loads(body)
        return answer

    def request(
        self, method: str, path: str, data: Optional[bytes], headers: Dict[str, str]
    ) -> Reply:
        """Status, headers and body of the answer; tries again while there is none."""
        pause = FIRST_PAUSE
        reason: Exception
        for left in reversed(range(TRIES)):
            try:
                return self.request_once(method, path, data, headers)
            except (OSError, http.client.HTTPException) as error:
                reason = error
            except TemporaryError as error:
                reason = error
            if not left:
                raise UnreachableError(f"{self.api} does not answer: {reason}")
            say(f"  {reason}; trying again in {pause:.0f} s")
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        raise AssertionError

    def request_once(
        self, method: str, path: str, data: Optional[bytes], headers: Dict[str, str]
    ) -> Reply:
        request = urllib.request.Request(self.api + path, data, headers, method=method)
        request.add_header("Authorization", "Bearer " + self.token)
        try:
            with self.opener.open(request, timeout=TIMEOUT) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                if error.code in RETRIED:
                    raise TemporaryError(f"the portal answered {error.code}") from None
                return error.code, error.headers, error.read()


def message_of(status: int, body: bytes) -> str:
    try:
        detail = json.loads(body)["detail"]
    except (ValueError, KeyError, TypeError):
        detail = body[:300].decode("utf-8", "replace")
    return f"the portal answered {status}: {detail}"


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def show_progress(name: str, done: int, size: int, since: float) -> None:
    """One line that grows; on a terminal only."""
    if not sys.stderr.isatty():
        return
    speed = done / max(time.monotonic() - since, 0.001) / 1e6
    share = 100 * done // size
    end = "\n" if done == size else ""
    print(f"\r  {name}  {share:3d} %  {speed:6.1f} MB/s", end=end, file=sys.stderr, flush=True)


def sha256_of(path: str) -> str:
    found = hashlib.sha256()
    with open(path, "rb") as file:
        for chunk in iter(lambda: file.read(2**20), b""):
            found.update(chunk)
    return found.hexdigest()


def upload(portal: Portal, path: str, options: argparse.Namespace) -> None:
    """Send one file and wait until the portal has looked at it."""
    name, size = os.path.basename(path), os.path.getsize(path)
    sha256 = sha256_of(path)
    is_package = name.endswith((".deb", ".rpm"))
    state = portal.announce(
        product=options.product,
        version=options.version,
        name=name,
        size=size,
        sha256=sha256,
        os=options.os,
        cpu=options.cpu,
        distributions=options.distribution if is_package else [],
    )
    number, offset, since = state["id"], state["offset"], time.monotonic()
    say(f"{name}: {size} bytes, sha256 {sha256}" + (f", from {offset}" if offset else ""))
    with open(path, "rb") as file:
        while state["state"] == "open" and offset < size:
            file.seek(offset)
            offset = portal.append(number, offset, file.read(CHUNK))
            show_progress(name, offset, size, since)
    if state["state"] == "open":
        state = portal.finish(number)
    pause = 0.1
    while state["state"] == "received":
        time.sleep(pause)
        pause = min(1.5 * pause, 5.0)
        state = portal.show(number)
    if state["state"] != "accepted":
        raise RefusedError(f"{name} was refused: {state['reason']}")
    say(f"{name}: accepted")


def read_token(options: argparse.Namespace) -> str:
    if options.token_file:
        with open(options.token_file, encoding="ascii") as file:
            return file.read().strip()
    return os.environ.get("PORTAL_TOKEN", "").strip()


def parse_arguments(words: Optional[List[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Upload the files of a release to a Foundation Portal.",
        epilog="The token is read from PORTAL_TOKEN or from --token-file, never from the command"
        " line, where others could see it.",
    )
    parser.add_argument("--url", required=True, help="address of the portal")
    parser.add_argument("--product", required=True, help="for example exampledb")
    parser.add_argument("--version", required=True, help="of the draft release, for example 1.2.3")
    parser.add_argument(
        "--distribution",
        action="append",
        default=[],
        help="for which the packages are, for example debian-12; may stand several times",
    )
    parser.add_argument("--os", default="", choices=["", "Source", "Linux", "Windows", "macOS"])
    parser.add_argument("--cpu", default="", help="for example x86_64")
    parser.add_argument("--token-file", help="a file that holds the token")
    parser.add_argument("files", nargs="+", metavar="FILE")
    return parser.parse_args(words)


def main(words: Optional[List[str]] = None) -> int:
    options = parse_arguments(words)
    token = read_token(options)
    if not token:
        say("Put your token into PORTAL_TOKEN, or name its file with --token-file.")
        return 1
    portal = Portal(options.url, token)
    try:
        for path in options.files:
            upload(portal, path, options)
    except (RefusedError, OSError) as error:
        say(f"error: {error}")
        return 1
    except UnreachableError as error:
        say(f"error: {error}")
        return 2
    except KeyboardInterrupt:
        say("stopped; run the same command again to go on")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
