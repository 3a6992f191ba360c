#!/usr/bin/env python3
"""Upload the files of a release to a Foundation Portal. Python 3.9+, standard library only.

    export PORTAL_TOKEN=fp_...
    portal_upload.py --url https://portal.example.org --product exampledb --version 1.2.3 \\
        'build/*.deb' 'build/*.rpm' exampledb-1.2.3.tar.gz

An upload that was cut off, on either side, goes on where it stood: run the same command again.
What a package is for is read from its name (~deb12, .el9, ...) unless --distribution says it.

Exit status: 0 all files accepted (with --check: would be taken), 1 the portal refused one,
2 wrong use of this program, 3 the portal could not be reached, 4 a file here cannot be read,
130 interrupted.
"""

import argparse
import email.message
import glob
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
LONGEST_WAIT = 120  # seconds that the portal may ask for; what takes longer is a refusal
TIMEOUT = 120.0
TELL_EVERY = 10.0  # seconds between lines of progress where there is no terminal
REFUSED, MISUSED, UNREACHABLE, UNREADABLE, INTERRUPTED = 1, 2, 3, 4, 130
RETRIED = {408, 423, 425, 429, 500, 502, 503, 504}


class RefusedError(Exception):
    """The portal said no; its message says why."""


class UnreachableError(Exception):
    """The portal did not answer."""


class TemporaryError(Exception):
    """An answer that may be another one after so many seconds."""

    def __init__(self, words: str, wait: int) -> None:
        super().__init__(words)
        self.wait = wait


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

    def check(self, **what: object) -> Answer:
        return self.json("POST", "/check", what)

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
            asked = 0
            try:
                return self.request_once(method, path, data, headers)
            except (OSError, http.client.HTTPException) as error:
                reason = error
            except TemporaryError as error:
                reason, asked = error, error.wait
            if not left:
                raise UnreachableError(f"{self.api} does not answer: {reason}")
            wait = max(pause, asked)
            say(f"  {reason}; trying again in {wait:.0f} s")
            time.sleep(wait)
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
                wait = wait_asked(error.headers)
                if error.code in RETRIED and wait <= LONGEST_WAIT:
                    raise TemporaryError(f"the portal answered {error.code}", wait) from None
                return error.code, error.headers, error.read()


def wait_asked(headers: "email.message.Message[str, str]") -> int:
    """Seconds that the portal asks to wait, as far as it says."""
    text = headers.get("Retry-After", "")
    return int(text) if text.isdecimal() else 0


def message_of(status: int, body: bytes) -> str:
    try:
        detail = json.loads(body)["detail"]
    except (ValueError, KeyError, TypeError):
        detail = body[:300].decode("utf-8", "replace")
    return f"the portal answered {status}: {detail}"


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Progress:
    """One line that grows on a terminal; elsewhere a line every ten seconds."""

    def __init__(self, name: str, done: int, size: int) -> None:
        self.name, self.begun, self.size = name, done, size
        self.since = self.told = time.monotonic()

    def show(self, done: int) -> None:
        now = time.monotonic()
        speed = (done - self.begun) / max(now - self.since, 0.001)
        left = int((self.size - done) / max(speed, 1))
        share = 100 * done // self.size
        pace = f"{speed / 1e6:6.1f} MB/s  {left // 60}:{left % 60:02d} left"
        line = f"  {self.name}  {share:3d} %  {pace}"
        if sys.stderr.isatty():
            bar = ("#" * (share // 5)).ljust(20, ".")
            end = "\n" if done == self.size else ""
            print(f"\r  [{bar}]{line} ", end=end, file=sys.stderr, flush=True)
        elif now - self.told >= TELL_EVERY:
            self.told = now
            say(line)


def sha256_of(path: str) -> str:
    found = hashlib.sha256()
    with open(path, "rb") as file:
        for chunk in iter(lambda: file.read(2**20), b""):
            found.update(chunk)
    return found.hexdigest()


def announcement(path: str, options: argparse.Namespace) -> Answer:
    """What is said of a file; what stays empty is read from its name by the portal."""
    name = os.path.basename(path)
    is_package = name.endswith((".deb", ".rpm"))
    return {
        "product": options.product,
        "version": options.version,
        "name": name,
        "size": os.path.getsize(path),
        "os": options.os,
        "cpu": options.cpu,
        "distributions": fitting(name, options.distribution) if is_package else [],
    }


def fitting(name: str, distributions: List[str]) -> List[str]:
    """Those of the format of the package: one command may send .deb and .rpm."""
    is_deb = name.endswith(".deb")
    return [slug for slug in distributions if slug.startswith(("debian", "ubuntu")) == is_deb]


def examine(portal: Portal, path: str, options: argparse.Namespace) -> Answer:
    """The announcement with all that the portal reads from the name, if it would be taken."""
    what = announcement(path, options)
    found = portal.check(**what)
    if found["problem"]:
        raise RefusedError(found["problem"] + advice(what["name"], found["distributions"]))
    for key in ("distributions", "os", "cpu"):
        what[key] = found[key]
    meant = ", ".join(found["distributions"]) or found["os"] or "any system"
    begun = f", {found['state']} at {found['offset']}" if found["state"] != "new" else ""
    say(f"{what['name']}: {what['size']} bytes for {meant}{begun}")
    return what


def advice(name: str, distributions: List[str]) -> str:
    """What to add to the command for a package that nobody has said a distribution of."""
    example = {".deb": "debian-12", ".rpm": "rhel-9"}.get(name[-4:])
    return "" if distributions or not example else f" Add: --distribution {example}, for example."


def send(portal: Portal, path: str, what: Answer) -> Answer:
    """Send one file; the portal looks at it afterwards."""
    size = what["size"]
    state = portal.announce(sha256=sha256_of(path), **what)
    number, offset = state["id"], state["offset"]
    if state["state"] == "open":
        progress = Progress(what["name"], offset, size)
        with open(path, "rb") as file:
            while offset < size:
                file.seek(offset)
                data = file.read(CHUNK)
                if not data:
                    raise RefusedError("the file here became shorter while it was sent")
                offset = portal.append(number, offset, data)
                progress.show(offset)
        state = portal.finish(number)
    return state


def settle(portal: Portal, path: str, state: Answer) -> None:
    """Wait until the portal has checked what was sent. Raises RefusedError."""
    settled = wait(portal, state)
    if settled["state"] != "accepted":
        raise RefusedError(settled["reason"] or settled["state"])
    say(f"{os.path.basename(path)}: accepted")


def wait(portal: Portal, state: Answer) -> Answer:
    """The state once the portal has checked the file."""
    pause = 0.1
    while state["state"] == "received":
        time.sleep(pause)
        pause = min(1.5 * pause, 5.0)
        state = portal.show(state["id"])
    return state


def say_refused(path: str, error: RefusedError) -> None:
    say(f"{os.path.basename(path)}: refused: {error}")


def send_all(portal: Portal, paths: List[str], options: argparse.Namespace) -> int:
    """Every file, also after one was refused; the portal checks them while others are sent. The
    exit status.
    """
    sent: List[Tuple[str, Answer]] = []
    refused = 0
    for path in paths:
        try:
            what = examine(portal, path, options)
            if not options.check:
                sent.append((path, send(portal, path, what)))
        except RefusedError as error:
            refused += 1
            say_refused(path, error)
    for path, state in sent:
        try:
            settle(portal, path, state)
        except RefusedError as error:
            refused += 1
            say_refused(path, error)
    done = "would be taken" if options.check else "accepted"
    say(f"{len(paths) - refused} of {len(paths)} files {done}.")
    return REFUSED if refused else 0


def files_of(words: List[str]) -> List[str]:
    """The files that are meant, patterns included. Raises OSError for what is not there."""
    found: List[str] = []
    for word in words:
        matches = [word] if os.path.exists(word) else sorted(glob.glob(word, recursive=True))
        if not matches:
            raise FileNotFoundError(f"no file {word}")
        found += [path for path in matches if os.path.isfile(path) and path not in found]
    names = [os.path.basename(path) for path in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise OSError(f"two files are called {', '.join(twice)}")
    return found


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
    parser.add_argument("--token-file", help="a file that holds the token")
    parser.add_argument("--client-version", action="version", version=VERSION)
    add_what(parser)
    return parser.parse_args(words)


def add_what(parser: argparse.ArgumentParser) -> None:
    """The options that say what is sent."""
    parser.add_argument("--product", required=True, help="for example exampledb")
    parser.add_argument("--version", required=True, help="of the draft release, for example 1.2.3")
    parser.add_argument(
        "--distribution",
        action="append",
        default=[],
        help="for which the packages are, for example debian-12; may stand several times; without"
        " it, what their names tell",
    )
    parser.add_argument("--os", default="", choices=["", "Source", "Linux", "Windows", "macOS"])
    parser.add_argument("--cpu", default="", help="for example x86_64")
    parser.add_argument(
        "--check", action="store_true", help="only ask whether the files would be taken"
    )
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a file or a pattern such as '*.deb'"
    )


def main(words: Optional[List[str]] = None) -> int:
    options = parse_arguments(words)
    try:
        token = read_token(options)
        paths = files_of(options.files)
    except OSError as error:
        say(f"error: {error}")
        return UNREADABLE
    if not token:
        say("Put your token into PORTAL_TOKEN, or name its file with --token-file.")
        return MISUSED
    try:
        return send_all(Portal(options.url, token), paths, options)
    except UnreachableError as error:
        say(f"error: {error}")
        return UNREACHABLE
    except OSError as error:
        say(f"error: {error}")
        return UNREADABLE
    except KeyboardInterrupt:
        say("stopped; run the same command again to go on")
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
