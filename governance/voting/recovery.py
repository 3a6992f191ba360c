"""The voter's file: the key, what the registrar signed, what was cast. The browser's is the same.

`static/js/election/recovery.js` and `voter.js` write and read these fields too, so that a voter can
begin with one and go on with the other. Keys are JWK, bytes base64url without padding.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric import ec

from governance.sealed.ballot import Pseudonym, point_of
from governance.sealed.envelope import CURVE
from governance.sealed.wire import to_bytes, to_text

FORMAT: Final = "foundation-portal recovery 1"
ROLE: Final = "voter"
_HALF: Final = 32


class FileError(ValueError):
    """A file that is none of a voter, or cannot be kept; the message says why."""


@dataclass
class Recovery:
    """What a voter has in one contest, for one place on the roll."""

    election: str
    contest: str
    number: int  # on the roll
    manifest_sha256: str
    key: dict[str, str]
    prefix: str
    blinded: str
    inverse: str
    registrar_signature: str = ""
    sequence: int = 0  # the highest one that was used
    pending: dict[str, Any] | None = None  # line, digest, sequence of a ballot without a receipt
    receipts: list[dict[str, Any]] = field(default_factory=list)

    @property
    def private(self) -> ec.EllipticCurvePrivateKey:
        return ec.derive_private_key(int.from_bytes(to_bytes(self.key["d"])), CURVE)

    @property
    def point(self) -> bytes:
        return point_of(self.private)

    @property
    def pseudonym(self) -> Pseudonym:
        """Raises FileError before the registrar has signed it."""
        if not self.registrar_signature:
            raise FileError("the registrar has not signed this key yet: give its --answer")
        return Pseudonym(self.point, to_bytes(self.prefix), to_bytes(self.registrar_signature))


def jwk(key: ec.EllipticCurvePrivateKey) -> dict[str, str]:
    numbers = key.private_numbers()
    public = numbers.public_numbers
    parts = {"x": public.x, "y": public.y, "d": numbers.private_value}
    texts = {name: to_text(number.to_bytes(_HALF)) for name, number in parts.items()}
    return {"kty": "EC", "crv": "P-256", **texts}


def read(path: Path) -> Recovery:
    """Raises FileError for what is no file of a voter."""
    try:
        found = json.loads(path.read_bytes())
        if found.pop("format") != FORMAT or found.pop("role") != ROLE:
            raise FileError(f"{path} is no recovery file of a voter")
        names = Recovery.__dataclass_fields__
        file = Recovery(**{name: value for name, value in found.items() if name in names})
        if point_of(file.private)[1:] != to_bytes(file.key["x"]) + to_bytes(file.key["y"]):
            raise FileError(f"the key in {path} is not whole")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"{path} is no recovery file of a voter") from error
    return file


def write(path: Path, file: Recovery, *, is_new: bool = False) -> None:
    """Whole or not at all, and for its owner alone. A new one never replaces another."""
    if is_new and path.exists():
        raise FileError(f"{path} is there already; a key that is lost is a vote that is lost")
    text = json.dumps({"format": FORMAT, "role": ROLE, **asdict(file)}, indent=1) + "\n"
    beside = path.with_name(path.name + ".new")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    beside.replace(path)
