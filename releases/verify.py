"""The commands by which a person checks a download, ready to paste into a shell. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote


def commands(*, release: str, file: str, keys: Sequence[str]) -> str:
    """Fetch one file and check it by its checksum and its signature.

    `release` is the address of the release, with its slash; `keys` are addresses of public keys:
    more than one after the key changed.
    """
    name = quote(file)
    address = quote(f"{release}{file}")
    lines = [
        f"curl -fLO {address}",
        f"curl -fLO {quote(f'{release}{file}.asc')}",
        f"curl -fL {quote(f'{release}{file}.sha256')} | sha256sum --check",
        *(f"curl -fL {quote(key)} | gpg --import" for key in keys),
        f"gpg --verify {quote(f'{file}.asc')} {name}",
    ]
    return "\n".join(lines)
