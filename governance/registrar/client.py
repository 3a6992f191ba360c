"""The contract with the registrar of sealed elections, and the way to it. Knows no Django.

Whatever is asked again is answered again, so a caller that was killed simply repeats.
"""

from __future__ import annotations

import json
from typing import Final, Protocol

from governance.offices.asking import Caller, OfficeRefusedError, OfficeUnavailableError
from governance.sealed.wire import to_text

REFUSALS: Final = {
    "contest": "no election with this contest is open here, or the name is none",
    "manifest": "what came is no manifest of a sealed election, or not signed by its officers",
    "key": "a key of the manifest is not this registrar's",
    "other": "another manifest opened this election",
    "early": "the election is not open yet",
    "late": "the election is closed",
    "number": "nobody on the roll has this number",
    "blinded": "what came is no blinded message of the key of this contest",
    "taken": "this number was given its signature, for something else",
    "question": "the question is not understood",
}


class RegistrarRefusedError(OfficeRefusedError):
    """The registrar will not do it; `code` is one of `REFUSALS`."""


class RegistrarUnavailableError(OfficeUnavailableError):
    """The registrar does not answer now; ask the same again later."""


class Registrar(Protocol):
    """What the portal asks. All raise RegistrarRefusedError and RegistrarUnavailableError."""

    def ping(self) -> None: ...

    def key(self, contest: str) -> bytes:
        """The public key of a contest as DER, made when it is asked for the first time."""

    def open(self, manifest: bytes, signatures: list[bytes]) -> None:
        """Take the manifest of an election, which all its officers signed."""

    def sign(self, contest: str, number: int, blinded: bytes) -> bytes:
        """The blind signature for a number of the roll: one for good."""

    def issued(self, contest: str) -> list[int]:
        """The numbers of the roll that have a signature, in their order."""


class SocketRegistrar(Caller):
    """The registrar behind its Unix socket."""

    office = "the registrar"
    refused = RegistrarRefusedError
    unavailable = RegistrarUnavailableError

    def key(self, contest: str) -> bytes:
        return self._ask("key", contest=contest)[1]

    def open(self, manifest: bytes, signatures: list[bytes]) -> None:
        self._ask("open", manifest, signatures=[to_text(each) for each in signatures])

    def sign(self, contest: str, number: int, blinded: bytes) -> bytes:
        return self._ask("sign", blinded, contest=contest, number=number)[1]

    def issued(self, contest: str) -> list[int]:
        numbers: list[int] = json.loads(self._ask("issued", contest=contest)[1])
        return numbers
