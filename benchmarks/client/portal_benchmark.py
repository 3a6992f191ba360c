#!/usr/bin/env python3
"""Send benchmark results to a foundation portal. One file, Python 3.9 or later, nothing else.

    hyperfine --export-json run.json 'first command' 'second command'
    export PORTAL_TOKEN=fp_...
    python3 portal_benchmark.py --url https://portal.example.org upload run.json

The file goes up as the tool wrote it, with what this machine is: processor, memory, kernel (see
it with `environment`, leave it out with --no-environment). Host name, user, paths and passwords
are not asked for; the portal takes them out of command lines before it stores anything. What you
upload is published under CC0. Without a token the run waits until a maintainer has looked at it.

The answer is the address of the run, and of the comparison of its first two subjects. Sending
the same file again is harmless: the first run is the answer. Without a token it holds a link that
makes the run yours once you sign in, and one that deletes it: keep them, they are told once.

    --dry-run                            show what the portal understands; nothing is kept
    --map "connector case _ transport"   what the parts of names of four parts are
    --sign bench.pem                     sign the file with an Ed25519 key (needs openssl)
    --ci                                 add the identity of a job of GitHub Actions or GitLab CI
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from pathlib import Path
from typing import Any

PATH = "/api/v1/benchmarks/runs"
TRIES = 5
AGAIN = {502, 503, 504}  # answers of a server that is starting or stopping


def environment() -> dict[str, Any]:
    """What the portal may know of this machine: nothing that names it or its user."""
    release = _pairs("/etc/os-release", "=")
    facts: dict[str, Any] = {
        "cpu": {
            "model": _pairs("/proc/cpuinfo", ":").get("model name") or platform.processor(),
            "arch": platform.machine(),
            "threads": os.cpu_count(),
            "governor": _text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        },
        "memory_bytes": _memory(),
        "os": {
            "name": release.get("NAME", platform.system()).strip('"'),
            "version": release.get("VERSION_ID", "").strip('"'),
            "kernel": platform.release(),
        },
    }
    return {key: value for key, value in _known(facts).items() if value}


def _known(facts: dict[str, Any]) -> dict[str, Any]:
    """Without what could not be found out."""
    cleaned = {key: _known(one) if isinstance(one, dict) else one for key, one in facts.items()}
    return {key: one for key, one in cleaned.items() if one not in (None, "", {})}


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def _pairs(path: str, sign: str) -> dict[str, str]:
    """Lines "name sign value" of a file; the last of a name counts."""
    lines = (line.partition(sign) for line in _text(path).splitlines())
    return {name.strip(): value.strip() for name, found, value in lines if found}


def _memory() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def signed(content: bytes, key: str) -> dict[str, str]:
    """The signature of a file by a key of openssl, and what the key is called."""
    plain = unpacked(content)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(plain)
        value = _openssl("pkeyutl", "-sign", "-rawin", "-inkey", key, "-in", str(path))
    public = _openssl("pkey", "-in", key, "-pubout", "-outform", "DER")[-32:]
    return {"signature": value.hex(), "key_id": hashlib.sha256(public).hexdigest()}


def unpacked(content: bytes) -> bytes:
    return gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content


def _openssl(*words: str) -> bytes:
    try:
        return subprocess.run(["openssl", *words], capture_output=True, check=True).stdout
    except FileNotFoundError:
        raise SystemExit("--sign needs the program openssl, version 3 or later.") from None
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"openssl cannot sign: {error.stderr.decode(errors='replace')}") from None


def identity(url: str, content: bytes) -> str:
    """The identity of this job, made for this file: asked of GitHub, or as GitLab gave it."""
    given = os.environ.get("PORTAL_IDENTITY", "")  # id_tokens of GitLab, for the address alone
    asked = os.environ.get("ACTIONS_ID_TOKEN_REQUEST_URL", "")
    if given or not asked:
        return given
    sha256 = hashlib.sha256(unpacked(content)).hexdigest()
    query = urllib.parse.urlencode({"audience": f"{url.rstrip('/')}#sha256={sha256}"})
    bearer = os.environ.get("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "")
    request = urllib.request.Request(
        f"{asked}&{query}", headers={"Authorization": f"bearer {bearer}"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return str(json.load(answer)["value"])


def form(file: bytes, fields: dict[str, str]) -> tuple[bytes, str]:
    """A multipart form with the packed file, and its content type."""
    boundary = uuid.uuid4().hex
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
        if value
    ]
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="run"\r\n'
    head += "Content-Type: application/octet-stream\r\n\r\n"
    packed = gzip.compress(file, mtime=0)
    body = b"".join(parts) + head.encode() + packed + f"\r\n--{boundary}--\r\n".encode()
    return body, f"multipart/form-data; boundary={boundary}"


def send(url: str, token: str, body: bytes, kind: str) -> tuple[int, dict[str, Any]]:
    """Status and answer. The server may be away for a while: tried again, which doubles nothing."""
    headers = {"Content-Type": kind, "Accept": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(url, body, headers, method="POST")
    for attempt in range(TRIES):
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code not in AGAIN or attempt == TRIES - 1:
                return error.code, _answer(error)
        except OSError as error:
            if attempt == TRIES - 1:
                return 0, {"detail": f"{url} does not answer: {error}"}
        time.sleep(2**attempt)
    raise AssertionError("unreachable")


def _answer(error: urllib.error.HTTPError) -> dict[str, Any]:
    try:
        found = json.load(error)
    except ValueError:
        found = {}
    return found if isinstance(found, dict) else {"detail": str(found)}


def why(status: int, answer: dict[str, Any]) -> str:
    """A refusal as one line."""
    if status == 401:
        return (
            "The token is not good: it may be wrong, expired, or not allow uploads of benchmarks."
        )
    if "reason" in answer:
        return ": ".join(part for part in (answer.get("place"), answer["reason"]) if part)
    return str(answer.get("detail") or f"The portal answered {status}.")


def upload(arguments: argparse.Namespace) -> int:
    """Send each file; the exit code is 0 only when all were kept, or understood."""
    failed = 0
    told = "" if arguments.no_environment else json.dumps(environment())
    url = arguments.url.rstrip("/") + PATH + ("/preview" if arguments.dry_run else "")
    for name in arguments.files:
        try:
            content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        except OSError as error:
            print(f"{name}: {error.strerror}", file=sys.stderr)
            failed += 1
            continue
        body, kind = form(content, {**fields_of(arguments, content), "environment": told})
        status, answer = send(url, arguments.token, body, kind)
        if status not in {200, 201}:
            print(f"{name}: {why(status, answer)}", file=sys.stderr)
            failed += 1
        elif arguments.json:
            print(json.dumps(answer))
        elif arguments.dry_run:
            foretell(name, answer)
        else:
            tell(name, status, answer)
    return 1 if failed else 0


def fields_of(arguments: argparse.Namespace, content: bytes) -> dict[str, str]:
    """What goes up beside the file."""
    fields = {
        "suite": arguments.suite,
        "title": arguments.title,
        "run_id": arguments.run_id,
        "map": arguments.map,
        "contact": arguments.contact,
    }
    if arguments.sign:
        fields.update(signed(content, arguments.sign))
    if arguments.ci:
        fields["identity"] = identity(arguments.url, content)
        if not fields["identity"]:
            raise SystemExit("--ci works in a job that may ask for an identity token.")
    return fields


def tell(name: str, status: int, answer: dict[str, Any]) -> None:
    kept = "kept" if status == 201 else "was there already"
    waits = ", waits for a look" if answer["state"] == "quarantine" else ""
    print(f"{name}: {kept}{waits}, {answer['results']} results")
    print(f"  run      {answer['address']}")
    if answer["compare"]:
        print(f"  compare  {answer['compare']}")
    if answer.get("claim"):
        print(f"  yours    {answer['claim']}")
        print(f"  delete   {answer['delete']}")
    for remark in answer["remarks"]:
        print(f"  note     {remark}")


def foretell(name: str, answer: dict[str, Any]) -> None:
    """What the portal would keep, in lines."""
    print(f"{name}: {answer['format']}, {answer['results']} results; nothing was kept")
    print(f"  suite    {answer['suite']}")
    print(f"  title    {answer['title'] or '-'}")
    print(f"  machine  {answer['machine'] or 'not told'}")
    waits = ", waits for a look" if answer["state"] == "quarantine" else ""
    print(f"  trust    rung {answer['trust']} of 5{waits}")
    if answer["signed_as"]:
        print(f"  signed   {answer['signed_as']}")
    for one in answer["read"]:
        print(f"  read     {result_in_words(one)}")
    more = answer["results"] - len(answer["read"])
    if more:
        print(f"  read     and {more} more")
    for remark in answer["remarks"]:
        print(f"  note     {remark}")
    for one in answer["unmapped"]:
        print(f"  unknown  {one}")
    for one in answer["advice"]:
        print(f"  advice   {one}")


def result_in_words(one: dict[str, Any]) -> str:
    params = " ".join(f"{key}={value}" for key, value in one["params"].items())
    counted = f"{one['processes']} processes, {one['samples']} samples, {one['unit']}"
    measured = counted if one["processes"] else f"a summary alone, {one['unit']}"
    parts = [f"{one['subject']} {one['version']}".strip(), one["case"], params]
    return ", ".join(part for part in [*parts, one["error"] or measured] if part)


def arguments_of(words: list[str] | None) -> argparse.Namespace:
    first, _, rest = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        description=first, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--url", default=os.environ.get("PORTAL_URL", "http://localhost:8000"))
    parser.add_argument("--token", default=os.environ.get("PORTAL_TOKEN", ""))
    commands = parser.add_subparsers(dest="command", required=True)
    sending = commands.add_parser("upload", help="send files of a benchmark tool")
    add_what(sending)
    sending.add_argument("--json", action="store_true", help="print the answer as it came")
    commands.add_parser("environment", help="print what would be told of this machine")
    return parser.parse_args(words)


def add_what(sending: argparse.ArgumentParser) -> None:
    """The options that say what is sent."""
    sending.add_argument("files", nargs="+", help="- reads standard input")
    sending.add_argument("--suite", default="", help="otherwise found out from the file")
    sending.add_argument("--title", default="")
    sending.add_argument("--run-id", default="", help="a UUID; otherwise made from the content")
    sending.add_argument("--map", default="", help="what each part of a name is, in order")
    sending.add_argument("--sign", default="", help="a file with an Ed25519 key")
    sending.add_argument("--ci", action="store_true", help="add the identity of this CI job")
    sending.add_argument("--contact", default="", help="without a token: where to answer")
    sending.add_argument(
        "--no-environment", action="store_true", help="tell nothing of the machine"
    )
    sending.add_argument(
        "--dry-run", action="store_true", help="show what would be kept, and keep nothing"
    )


def main(words: list[str] | None = None) -> int:
    arguments = arguments_of(words)
    if arguments.command == "environment":
        print(json.dumps(environment(), indent=1))
        return 0
    return upload(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
