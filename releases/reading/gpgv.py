"""Verifying with gpgv, which apt relies on: an implementation that is not ours."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from releases.reading import UnsoundError

SECONDS: Final = 60
PLACES: Final = "/usr/bin:/usr/local/bin:/bin:/opt/homebrew/bin"


def program() -> str | None:
    """Where it is installed."""
    return shutil.which("gpgv") or shutil.which("gpgv", path=PLACES)


def signed_text(inline: bytes, keyring: bytes) -> bytes:
    """The text of an InRelease that a key of the keyring signed."""
    return _verify(inline, None, keyring, "InRelease")


def check(data: bytes, signature: bytes, keyring: bytes, name: str) -> None:
    """A detached signature, armored or not, by a key of the keyring."""
    _verify(data, signature, keyring, name)


def _verify(data: bytes, signature: bytes | None, keyring: bytes, name: str) -> bytes:
    """Good as apt means it: one signature by a key of the keyring, and none that is bad."""
    found = program()
    if found is None:
        raise UnsoundError("gpgv is not installed")
    with tempfile.TemporaryDirectory(prefix="reading-") as folder:
        home = Path(folder)
        (home / "keyring.gpg").write_bytes(keyring)
        (home / "data").write_bytes(data)
        named = ["data"] if signature is None else ["signature", "data"]
        if signature is not None:
            (home / "signature").write_bytes(signature)
        options = ["--homedir", folder, "--keyring", str(home / "keyring.gpg"), "--status-fd", "1"]
        command = [found, *options, "--output", "text", *named]
        done = subprocess.run(
            command, cwd=folder, capture_output=True, timeout=SECONDS, check=False
        )
        words = {line.split()[1] for line in done.stdout.decode("utf-8", "replace").splitlines()}
        if "GOODSIG" not in words or "BADSIG" in words:
            raise UnsoundError(
                f"{name} is not signed by a key of the keyring: {_told(done.stderr)}"
            )
        return (home / "text").read_bytes() if signature is None else data


def _told(stderr: bytes) -> str:
    lines = stderr.decode("utf-8", "replace").replace("gpgv: ", "").splitlines()
    return "; ".join(line.strip() for line in lines if line.strip())[:300]
