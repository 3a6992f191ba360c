"""Bundles for tests: signed, read, changed, and what the checker says."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from governance.actions.bundle import sign_bundle
from governance.actions.records import write_records
from governance.bundle import archive, chain, check_bundle, records
from governance.models import Bundle
from releases.signing import Signer

Document = dict[str, Any]


def sealed(signer: Signer, at: datetime | None = None) -> Bundle:
    """Write down and sign what was decided."""
    write_records(at=at)
    bundle = sign_bundle(signer=signer, at=at)
    assert bundle is not None
    return bundle


def files_of(bundle: Bundle) -> dict[str, bytes]:
    return archive.unpack(bytes(bundle.packed or b""))


def complaints(packed: bytes) -> list[str]:
    """What the checker finds in an archive, as the program does it."""
    try:
        return list(check_bundle.problems(archive.unpack(packed)))
    except archive.NotABundleError as error:
        return [str(error)]


def flipped(data: bytes, at: int, bit: int = 0) -> bytes:
    return data[:at] + bytes([data[at] ^ (1 << bit)]) + data[at + 1 :]


def forged(files: dict[str, bytes], path: str, change: Callable[[Document], object]) -> list[str]:
    """What the checker says of a record that was changed by who also wrote the list: the digests
    fit, and what is told does not.
    """
    document = json.loads(files[path])
    change(document)
    data = chain.canonical(document)
    manifest = json.loads(files["manifest.json"])
    for row in manifest["records"]:
        if row["path"] == path:
            row["sha256"] = chain.digest(data)
    manifest["head"] = list(chain.heads(row["sha256"] for row in manifest["records"]))[-1]
    return list(records.problems(files | {path: data}, manifest))
