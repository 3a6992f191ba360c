"""A key that gpg-agent holds: in its own folder, on a smart card or a token. gpg signs with it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from releases import openpgp
from releases.signer.secret import KeyUnsafeError

SECONDS: Final = 60
OPTIONS: Final = ("--batch", "--no-tty", "--quiet", "--digest-algo", "SHA512", "--no-armor")


class AgentSecret:
    """The key `fingerprint` of the GnuPG folder `home`."""

    def __init__(self, home: Path, fingerprint: str) -> None:
        self._home, self._fingerprint = home, fingerprint

    @property
    def certificate(self) -> bytes:
        found = self._gpg("--export", "--export-options", "export-minimal", self._fingerprint)
        if not found:
            raise KeyUnsafeError(f"gpg knows no key {self._fingerprint} in {self._home}")
        return found

    def sign(self, data: bytes) -> bytes:
        return _in_new_form(self._gpg(*self._user, "--detach-sign", data=data))

    def sign_text(self, text: bytes) -> bytes:
        return openpgp.dearmor(self._gpg(*self._user, "--armor", "--clear-sign", data=text))

    def sign_open_file(self, number: int) -> bytes:
        path = f"/proc/self/fd/{number}"
        return self._gpg(*self._user, "--output", "-", "--detach-sign", path, passed=[number])

    @property
    def _user(self) -> list[str]:
        return ["--local-user", f"{self._fingerprint}!"]

    def _gpg(self, *words: str, data: bytes = b"", passed: list[int] | None = None) -> bytes:
        program = shutil.which("gpg")
        if program is None:
            raise KeyUnsafeError("gpg is not installed: keys that an agent holds need it")
        done = subprocess.run(
            [program, "--homedir", str(self._home), *OPTIONS, *words],
            input=data,
            capture_output=True,
            check=False,
            timeout=SECONDS,
            pass_fds=passed or [],
            env={"PATH": os.defpath},
        )
        if done.returncode != 0:
            told = done.stderr.decode(errors="replace").strip()
            raise KeyUnsafeError(f"gpg does not sign with {self._fingerprint}: {told}")
        return done.stdout


def _in_new_form(signatures: bytes) -> bytes:
    """gpg writes packets in the old form; the header of an rpm takes the new one alone."""
    return b"".join(openpgp.packet(tag, body) for tag, body in openpgp.read_packets(signatures))
