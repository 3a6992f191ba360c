"""What the signer signs and what it refuses, and the log that it remembers by.

The log is the memory: a line is on disk before its signature leaves. A line that was cut off by a
crash was never answered and is dropped. The same request again gives an answer again.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Final

import pysequoia

from releases.repository import apt, yum
from releases.repository.lookalike import HEAD, RPM_HEADER_MAGIC, lookalike
from releases.signing import PublicKey, SignedRelease, SigningRefusedError

FUTURE: Final = timedelta(minutes=1)  # how far ahead the caller's clock may be
FROZEN: Final = ("Origin", "Label", "Codename")
DETACHED: Final = pysequoia.SignatureMode.DETACHED
CLEAR: Final = pysequoia.SignatureMode.CLEAR


@dataclass(frozen=True)
class Line:
    """One granted request."""

    at: str
    kind: str
    sha256: str
    repository: str = ""
    serial: int = 0
    date: int = 0  # of the index, seconds since 1970
    frozen: dict[str, str] = field(default_factory=dict)


class Office:
    """Signs repositories and packages with one key, plain files with another, which no package
    manager trusts; keeps the log in `folder`. Safe to call from several threads.
    """

    def __init__(self, folder: Path, secret: pysequoia.Tsk, for_files: pysequoia.Tsk) -> None:
        self._secret = secret
        self._for_files = for_files
        self._path = folder / "log.jsonl"
        self._lock = threading.Lock()
        self._last: dict[str, Line] = {}
        whole = b""
        for raw, line in _lines(self._path):
            whole += raw
            if line.repository:
                self._last[line.repository] = line
        self._log = self._path.open("ab")
        self._log.truncate(len(whole))

    def public_key(self) -> PublicKey:
        return _public(self._secret)

    def file_key(self) -> PublicKey:
        return _public(self._for_files)

    def sign_release(self, repository: str, serial: int, release: bytes) -> SignedRelease:
        try:
            fields = apt.read_fields(release.decode())
            date = int(parsedate_to_datetime(fields["Date"]).timestamp())
            frozen = {name: fields[name] for name in FROZEN}
        except (ValueError, KeyError) as error:
            raise SigningRefusedError(
                f"this is not a Release that can be signed: {error}"
            ) from None
        self._admit("release", repository, serial, date, release, frozen)
        return SignedRelease(self._sign(release, CLEAR), self._sign(release, DETACHED))

    def sign_repomd(self, repository: str, serial: int, repomd: bytes) -> bytes:
        try:
            revision, date, _ = yum.read_repomd(repomd)
        except ValueError as error:
            raise SigningRefusedError(
                f"this is not a repomd.xml that can be signed: {error}"
            ) from None
        if revision != serial:
            raise SigningRefusedError("the revision of the repomd.xml is not the serial")
        self._admit("repomd", repository, serial, date, repomd, {})
        return self._sign(repomd, DETACHED)

    def sign_rpm_header(self, header: bytes) -> bytes:
        if not header.startswith(RPM_HEADER_MAGIC):
            raise SigningRefusedError("this is not the header of an rpm")
        self._note(Line(_now(), "rpm", hashlib.sha256(header).hexdigest()))
        return pysequoia.sign(self._secret.signer(), header, mode=DETACHED, armor=False)

    def sign_file(self, number: int) -> bytes:
        """The armored signature of the open file `number`, from its beginning."""
        with os.fdopen(os.dup(number), "rb") as file:
            file.seek(0)
            if found_as := lookalike(file.read(HEAD)):
                raise SigningRefusedError(f"this would pass for {found_as}")
            file.seek(0)
            found = hashlib.file_digest(file, "sha256").hexdigest()
        self._note(Line(_now(), "file", found))
        os.lseek(number, 0, os.SEEK_SET)
        answer = self._path.with_name(f"signature-{threading.get_ident()}")
        try:
            pysequoia.sign_file(
                self._for_files.signer(), f"/proc/self/fd/{number}", answer, mode=DETACHED
            )
            return answer.read_bytes()
        finally:
            answer.unlink(missing_ok=True)

    def _admit(
        self,
        kind: str,
        repository: str,
        serial: int,
        date: int,
        data: bytes,
        frozen: dict[str, str],
    ) -> None:
        """Let the request pass, once and for good, or raise SigningRefusedError."""
        digest = hashlib.sha256(data).hexdigest()
        with self._lock:
            last = self._last.get(repository)
            if last is not None:
                if (last.kind, last.serial, last.sha256) == (kind, serial, digest):
                    return
                _must_follow(last, kind, serial, date, frozen)
            if date > (datetime.now(UTC) + FUTURE).timestamp():
                raise SigningRefusedError("the date of the index is in the future")
            self._write(Line(_now(), kind, digest, repository, serial, date, frozen))

    def _note(self, line: Line) -> None:
        with self._lock:
            self._write(line)

    def _write(self, line: Line) -> None:
        self._log.write(json.dumps(asdict(line)).encode() + b"\n")
        self._log.flush()
        os.fsync(self._log.fileno())
        if line.repository:
            self._last[line.repository] = line

    def _sign(self, data: bytes, mode: pysequoia.SignatureMode) -> bytes:
        return pysequoia.sign(self._secret.signer(), data, mode=mode)


def _public(secret: pysequoia.Tsk) -> PublicKey:
    certificate = secret.extract_certificate()
    return PublicKey(
        certificate.fingerprint.upper(),
        str(certificate.user_ids[0]),
        str(certificate),
        bytes(certificate),
    )


def _must_follow(last: Line, kind: str, serial: int, date: int, frozen: dict[str, str]) -> None:
    if kind != last.kind:
        raise SigningRefusedError(f"the repository is of kind {last.kind}")
    if serial <= last.serial:
        raise SigningRefusedError(f"serial {serial} does not follow {last.serial}")
    if date <= last.date:
        raise SigningRefusedError("the date of the index is not later than that of the last one")
    if frozen != last.frozen:
        raise SigningRefusedError(f"{', '.join(FROZEN)} of a repository never change")


def _lines(path: Path) -> Iterator[tuple[bytes, Line]]:
    """The whole lines of the log; a last one without an end was cut off."""
    if not path.exists():
        return
    for raw in path.read_bytes().splitlines(keepends=True):
        if raw.endswith(b"\n"):
            yield raw, Line(**json.loads(raw))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
