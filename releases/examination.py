"""What arrived: its digests, whether it may be signed, what the package in it says. Writes nothing.

Files are examined side by side, because hashing and the inspector leave this process idle; nothing
here asks the database.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from django.utils.translation import gettext as _

from releases import sandbox, store
from releases.errors import RefusedError
from releases.models import Upload
from releases.naming import package_format
from releases.repository.apt import Digests
from releases.repository.lookalike import HEAD, lookalike

logger = logging.getLogger(__name__)

SIDE_BY_SIDE: Final = 2
SECONDS: Final = 60  # after which no other file is begun: what is done is not held up


@dataclass(frozen=True)
class Findings:
    """`kind` and `package`: its format and what the inspector tells, of a package."""

    digests: Digests
    kind: str = ""
    package: dict[str, Any] | None = None


@dataclass(frozen=True)
class Refusal:
    """`reason` is for the person who sent it."""

    reason: str


def examine(upload: Upload) -> Findings:
    """Raises RefusedError, PackageRefusedError, InspectorUnavailableError."""
    path = store.upload_path(upload.pk)
    digests = store.digest(path)
    if (digests.size, digests.sha256) != (upload.size, upload.sha256):
        raise RefusedError(_("The bytes that arrived have another SHA-256 than was announced."))
    _check_bytes(path)
    kind = package_format(upload.name)
    return Findings(digests, kind, sandbox.inspect(kind, path) if kind else None)


def examine_all(uploads: Sequence[Upload]) -> Iterator[tuple[Upload, Findings | Refusal]]:
    """What is found of each, in their order; without those that wait, because nothing can be said
    of them now or the time is over.
    """
    begun = time.monotonic()
    with ThreadPoolExecutor(SIDE_BY_SIDE) as threads:
        found = threads.map(partial(_found, begun), uploads)
        for upload, finding in zip(uploads, found, strict=True):
            if finding is not None:
                yield upload, finding


def _found(begun: float, upload: Upload) -> Findings | Refusal | None:
    if time.monotonic() - begun > SECONDS:
        return None
    try:
        return examine(upload)
    except (RefusedError, sandbox.PackageRefusedError) as error:
        return Refusal(str(error))
    except sandbox.InspectorUnavailableError as error:
        logger.error("upload %s waits: %s", upload.pk, error)
    except Exception:  # one file never holds up the others
        logger.exception("upload %s cannot be examined now", upload.pk)
    return None


def _check_bytes(path: Path) -> None:
    """A signature of these bytes could be passed off for that of an index: the signer refuses."""
    with path.open("rb") as file:
        if found := lookalike(file.read(HEAD + 1)):
            raise RefusedError(
                _(
                    "This file would pass for %(found)s, so it cannot be signed."
                    " Pack it in an archive."
                )
                % {"found": found}
            )
