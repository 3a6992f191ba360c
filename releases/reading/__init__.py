"""Reading a repository back as a client does: over HTTP, against the keyring that is published.

Pure: an address and what we know of the repository in; what was read, or what is wrong, out.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass


class UnsoundError(Exception):
    """A client could not use the repository, or should not; the message says why."""


@dataclass(frozen=True, slots=True)
class Place:
    """What a client has in its configuration, and what we know of what it must find."""

    address: str  # of the repository, without a slash at its end
    keyring: str  # address of the binary keyring
    codename: str  # of an APT repository; empty for YUM
    serial: int
    dated_at: dt.datetime


@dataclass(frozen=True, slots=True)
class Sample:
    """A package as an index lists it: where, how large, its SHA-256 in lower case."""

    path: str
    size: int
    sha256: str
