"""What the signer signs and what it refuses.

The log is the memory: a line is on disk before its signature leaves. A line that was cut off by a
crash was never answered and is dropped. The same request again gives an answer again.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import stat
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

from releases import decisions, openpgp
from releases.advisories import tracking
from releases.repository import apt, yum
from releases.repository.lookalike import HEAD, RPM_HEADER_MAGIC, lookalike
from releases.signer.log import Log
from releases.signer.rate import Rate
from releases.signer.register import ADVISORIES, DECISIONS
from releases.signer.replay import Line
from releases.signer.ring import Ring
from releases.signer.secret import clear_text
from releases.signing import (
    PublicKey,
    SignedRelease,
    SignerBusyError,
    SigningRefusedError,
)

logger = logging.getLogger("releases.signer")
Clock = Callable[[], datetime]

FUTURE: Final = timedelta(minutes=1)  # how far ahead the caller's clock may be
OLDEST: Final = timedelta(hours=24)  # how long an index may have waited for its signature
WORD: Final = r"[A-Za-z0-9][A-Za-z0-9._~+-]{0,79}"
REPOSITORY: Final = re.compile(rf"{WORD}(/{WORD}){{0,4}}")
SAME_SECOND: Final = {"csaf", "decisions"}  # nobody compares their dates with a file's
FROZEN: Final = ("Origin", "Label", "Codename")


def _system_clock() -> datetime:
    return datetime.now(UTC)


class Office:
    """Signs repositories and packages with the keys made for them, plain files with one that no
    package manager trusts; keeps the log. Safe to call from several threads.
    """

    def __init__(self, ring: Ring, log: Log, rate: Rate, clock: Clock = _system_clock) -> None:
        self._ring, self._log, self._rate, self._clock = ring, log, rate, clock
        self._lock = threading.Lock()
        self._noted = ""  # the digest of the keys that the log knows
        self._note_keys()

    def close(self) -> None:
        with self._lock:
            self._log.close()

    def public_keys(self) -> list[PublicKey]:
        return self._ring.public_keys()

    def sign_release(self, repository: str, serial: int, release: bytes) -> SignedRelease:
        try:
            fields = apt.read_fields(release.decode())
            date = int(parsedate_to_datetime(fields["Date"]).timestamp())
            frozen = {name: fields[name] for name in FROZEN}
        except (ValueError, KeyError) as error:
            raise SigningRefusedError(
                f"this is not a Release that can be signed: {error}"
            ) from None
        secrets = self._ring.for_index(repository)
        self._admit("release", repository, serial, date, release, frozen)
        text = release.rstrip(b"\n")
        inline = clear_text(text, b"".join(secret.sign_text(text) for secret in secrets))
        detached = openpgp.armor(b"".join(secret.sign(release) for secret in secrets))
        return SignedRelease(inline, detached)

    def sign_repomd(self, repository: str, serial: int, repomd: bytes) -> bytes:
        """The detached signatures, that of the oldest key last: zypper looks at the last alone,
        and while keys change everybody still has the old one.
        """
        try:
            revision, date, _ = yum.read_repomd(repomd)
        except ValueError as error:
            raise SigningRefusedError(
                f"this is not a repomd.xml that can be signed: {error}"
            ) from None
        if revision != serial:
            raise SigningRefusedError("the revision of the repomd.xml is not the serial")
        secrets = self._ring.for_index(repository)
        self._admit("repomd", repository, serial, date, repomd, {})
        return openpgp.armor(b"".join(secret.sign(repomd) for secret in reversed(secrets)))

    def sign_rpm_header(self, product: str, header: bytes) -> bytes:
        if not header.startswith(RPM_HEADER_MAGIC):
            raise SigningRefusedError("this is not the header of an rpm")
        secret = self._ring.for_package(product)
        self._note(Line(self._now(), "rpm", hashlib.sha256(header).hexdigest()))
        return secret.sign(header)

    def sign_advisory(self, identifier: str, document: bytes) -> bytes:
        """The armored signature of a CSAF document, with a key that signs nothing else. The version
        and the date only rise; the date of the first version never changes.
        """
        try:
            found = tracking.read(document)
        except ValueError as error:
            raise SigningRefusedError(f"this is no advisory that can be signed: {error}") from None
        if found.identifier != identifier or not re.fullmatch(WORD, identifier):
            raise SigningRefusedError("the advisory has another identifier, or none")
        secret = self._ring.for_advisories()
        name, date = f"{ADVISORIES}/{identifier}", int(found.changed.timestamp())
        frozen = {"initial_release_date": found.first}
        self._admit("csaf", name, found.version, date, document, frozen, oldest=None)
        return openpgp.armor(secret.sign(document))

    def sign_decisions(self, manifest: bytes) -> bytes:
        """The armored signature of the list of what was decided, with a key that signs nothing
        else. A list is only added to: what the last one held stands at the beginning of the next.
        The same list may be signed again, with another key or beside another checker.
        """
        try:
            found = decisions.read(manifest)
        except ValueError as error:
            raise SigningRefusedError(f"this is no list of decisions: {error}") from None
        secret = self._ring.for_decisions()
        date = int(found.date.timestamp())
        self._admit(
            "decisions",
            DECISIONS,
            found.size,
            date,
            manifest,
            {"earlier decisions": found.head},
            before=lambda size: {"earlier decisions": found.head_at(size)},
        )
        return openpgp.armor(secret.sign(manifest))

    def sign_file(self, number: int) -> bytes:
        """The armored signature of the open file `number`, from its beginning."""
        with os.fdopen(os.dup(number), "rb") as file:
            _must_be_plain(number)
            file.seek(0)
            if found_as := lookalike(file.read(HEAD + 1)):
                raise SigningRefusedError(f"this would pass for {found_as}")
            file.seek(0)
            found = hashlib.file_digest(file, "sha256").hexdigest()
        secret = self._ring.for_files()
        self._note(Line(self._now(), "file", found))
        os.lseek(number, 0, os.SEEK_SET)
        return openpgp.armor(secret.sign_open_file(number))

    def _admit(
        self,
        kind: str,
        repository: str,
        serial: int,
        date: int,
        data: bytes,
        frozen: dict[str, str],
        oldest: timedelta | None = OLDEST,
        before: Callable[[int], dict[str, str]] | None = None,
    ) -> None:
        """Let the request pass, once and for good, or raise SigningRefusedError.

        `before` says what was frozen when the last serial was signed, if that may move on.
        """
        if not REPOSITORY.fullmatch(repository):
            raise SigningRefusedError("this is not the name of a repository")
        digest = hashlib.sha256(data).hexdigest()
        with self._lock:
            last = self._log.last(repository)
            is_known = last is not None and (
                (last.kind, last.serial, last.sha256) == (kind, serial, digest)
            )
            if not is_known:
                _must_be_of_now(date, self._clock(), oldest)
                if last is not None:
                    known = before(last.serial) if before else frozen
                    _must_follow(last, kind, serial, date, known)
            self._must_not_hurry(repository)
            if not is_known:
                self._write(Line(self._now(), kind, digest, repository, serial, date, frozen))

    def _note(self, line: Line) -> None:
        with self._lock:
            self._must_not_hurry("")
            self._write(line)

    def _must_not_hurry(self, repository: str) -> None:
        wait = self._rate.ask(repository, time.monotonic())
        if wait:
            whose = f"for {repository}" if repository else "in all"
            raise SignerBusyError(f"too many signatures {whose}: ask again in {wait:.1f} s")

    def _write(self, line: Line) -> None:
        self._note_keys()
        self._log.append(line)

    def _now(self) -> str:
        return self._clock().isoformat(timespec="seconds")

    def _note_keys(self) -> None:
        """The log tells from when on which keys signed."""
        digest = self._ring.digest()
        if digest != self._noted:
            self._log.append(Line(self._now(), "keys", digest))
            self._noted = digest


def _must_be_plain(number: int) -> None:
    """A pipe or a device never ends, and says something else when it is read again."""
    if not stat.S_ISREG(os.fstat(number).st_mode):
        raise SigningRefusedError("only regular files are signed")


def _must_be_of_now(date: int, now: datetime, oldest: timedelta | None) -> None:
    """Also for a repository that the log does not know yet: no index is signed as if long ago."""
    if date > (now + FUTURE).timestamp():
        raise SigningRefusedError("its date is in the future")
    if oldest is not None and date < (now - oldest).timestamp():
        raise SigningRefusedError("its date is more than a day ago: build it again")


def _must_follow(last: Line, kind: str, serial: int, date: int, frozen: dict[str, str]) -> None:
    if kind != last.kind:
        raise SigningRefusedError(f"the repository is of kind {last.kind}")
    if serial < last.serial or (serial == last.serial and kind != "decisions"):
        raise SigningRefusedError(f"serial {serial} does not follow {last.serial}")
    if date < last.date or (date == last.date and kind not in SAME_SECOND):
        raise SigningRefusedError("its date is not later than that of the last one")
    if frozen != last.frozen:
        raise SigningRefusedError(f"{', '.join(frozen)} never change")
