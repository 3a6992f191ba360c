"""The programs of the embedded PostgreSQL: in the wheel, or in a copy that its account reaches.

Root runs PostgreSQL under an ordinary account, with a capability that opens private folders to
it. initdb looks for its companions with access(2), which disregards capabilities: in a project
below the home of root they would be "not found". So they are copied to where everybody may look.
This module knows no Django.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Sequence
from pathlib import Path

SHARED = Path("/var/tmp")  # noqa: S108 - what lies there is used only when root made it


def reachable(folder: Path) -> bool:
    """Whether every account may walk down to `folder`."""
    return all(place.stat().st_mode & stat.S_IXOTH for place in [folder, *folder.parents])


def shared_copy(site: Path, parts: Sequence[str], place: Path = SHARED) -> Path:
    """A folder below `place` with copies of `parts` of `site`, which find each other by their
    relative places; made once for each version of them.

    Raises PermissionError when something that we did not make has the name of the copy.
    """
    versions = [f"{site / part} {(site / part).stat().st_mtime_ns}" for part in parts]
    digest = hashlib.sha256("\n".join(versions).encode()).hexdigest()
    target = place / f"portal-postgresql-{digest[:16]}"
    if not os.path.lexists(target):
        draft = Path(tempfile.mkdtemp(prefix="portal-copy-", dir=place))
        for part in parts:
            shutil.copytree(site / part, draft / part, symlinks=True)
        draft.chmod(0o755)
        try:
            draft.rename(target)
        except OSError:  # somebody else was faster
            shutil.rmtree(draft)
    found = target.lstat()
    ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
    if not ours or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(f"{target} was not made by us. Remove it and start again.")
    return target
