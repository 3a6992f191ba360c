"""The contract with the signer, the one process that holds a private key, and the way to it.

A signature over a repository index is asked for with the repository's name and a serial; the signer
reads the index itself and refuses what goes back in time or changes what is frozen. Asking again
for the same bytes answers again, so a caller that was killed simply repeats. Knows no Django.
"""

from __future__ import annotations

import base64
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from portal.lib import sockets

SECONDS: Final = 300.0


class SigningRefusedError(Exception):
    """The signer understood and will not sign; asking again is of no use."""


class SignerUnavailableError(Exception):
    """The signer does not answer now; ask again later."""


class SignerBusyError(SignerUnavailableError):
    """The signer was asked for too many signatures in a minute; ask again later."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """The public half, armored and binary, its fingerprint in upper case, and what it is for.

    Times are seconds since 1970.
    """

    fingerprint: str
    user_id: str
    armored: str
    binary: bytes
    name: str
    algorithm: str
    state: str  # next, active, retired
    scope: str
    for_files: bool
    created: int
    expires: int | None


@dataclass(frozen=True, slots=True)
class SignedRelease:
    """An APT Release, clear-signed (InRelease) and its detached signature (Release.gpg)."""

    inline: bytes
    detached: bytes


class Signer(Protocol):
    """What the portal asks. All raise SigningRefusedError and SignerUnavailableError."""

    def ping(self) -> None: ...

    def public_keys(self) -> list[PublicKey]: ...

    def sign_release(self, repository: str, serial: int, release: bytes) -> SignedRelease: ...

    def sign_repomd(self, repository: str, serial: int, repomd: bytes) -> bytes: ...

    def sign_rpm_header(self, product: str, header: bytes) -> bytes: ...

    def sign_advisory(self, identifier: str, document: bytes) -> str: ...

    def sign_decisions(self, manifest: bytes) -> str: ...

    def sign_file(self, path: Path) -> str: ...


class SocketSigner:
    """The signer behind its Unix socket; one connection for each question."""

    def __init__(self, address: Path, seconds: float = SECONDS) -> None:
        self.address = address
        self.seconds = seconds

    def ping(self) -> None:
        self._ask("ping")

    def public_keys(self) -> list[PublicKey]:
        """Every key that the signer holds, in the order in which they were entered."""
        return keys_from_json(self._ask("keys")[1])

    def sign_release(self, repository: str, serial: int, release: bytes) -> SignedRelease:
        answer, inline = self._ask("sign_release", release, repository=repository, serial=serial)
        return SignedRelease(inline, answer["detached"].encode())

    def sign_repomd(self, repository: str, serial: int, repomd: bytes) -> bytes:
        return self._ask("sign_repomd", repomd, repository=repository, serial=serial)[1]

    def sign_rpm_header(self, product: str, header: bytes) -> bytes:
        return self._ask("sign_rpm_header", header, product=product)[1]

    def sign_advisory(self, identifier: str, document: bytes) -> str:
        """The armored detached signature of a CSAF document."""
        return self._ask("sign_advisory", document, identifier=identifier)[1].decode()

    def sign_decisions(self, manifest: bytes) -> str:
        """The armored detached signature of a list of decisions."""
        return self._ask("sign_decisions", manifest)[1].decode()

    def sign_file(self, path: Path) -> str:
        """The armored detached signature of a file, which is handed over open, not by name."""
        with path.open("rb") as file:
            return self._ask("sign_file", passed=[file.fileno()])[1].decode()

    def _ask(
        self, verb: str, body: bytes = b"", *, passed: list[int] | None = None, **head: Any
    ) -> tuple[dict[str, Any], bytes]:
        try:
            question = {"verb": verb, **head}
            answer, reply = sockets.ask(
                self.address, question, body, seconds=self.seconds, passed=passed
            )
        except (OSError, EOFError) as error:
            raise SignerUnavailableError(f"the signer at {self.address}: {error}") from error
        if "busy" in answer:
            raise SignerBusyError(answer["busy"])
        if "refused" in answer:
            raise SigningRefusedError(answer["refused"])
        return answer, reply


def keys_as_json(keys: list[PublicKey]) -> bytes:
    shown = [asdict(key) | {"binary": base64.b64encode(key.binary).decode()} for key in keys]
    return json.dumps(shown).encode()


def keys_from_json(body: bytes) -> list[PublicKey]:
    return [
        PublicKey(**fields | {"binary": base64.b64decode(fields["binary"])})
        for fields in json.loads(body)
    ]
