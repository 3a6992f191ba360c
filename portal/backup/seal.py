"""Keys leave their folders encrypted only: an OpenPGP message that a pass phrase opens.

`gpg --decrypt signer.pgp | tar -x` opens one without the portal. A folder is packed in memory, so
that nothing lies on the disk of the backup in between.
"""

from __future__ import annotations

import io
import os
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pysequoia

from portal.backup import BackupError

LOCKS = frozenset({"lock"})  # of who runs, nothing to keep


def packed(files: Mapping[str, bytes]) -> bytes:
    """A tar file of these names."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as tar:
        for name, content in files.items():
            about = tarfile.TarInfo(name)
            about.size, about.mode = len(content), 0o600
            tar.addfile(about, io.BytesIO(content))
    return target.getvalue()


def unpacked(data: bytes) -> dict[str, bytes]:
    """Raises BackupError where a name leads out of the folder."""
    result = {}
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        for about in tar:
            file = tar.extractfile(about)
            if file is None or about.name.startswith("/") or ".." in Path(about.name).parts:
                raise BackupError(f"A sealed part holds {about.name}, which is no file of ours.")
            result[about.name] = file.read()
    return result


def folder_files(folder: Path) -> dict[str, bytes]:
    """The files of a folder of keys. Logs come last: they may be longer than what tells how long
    they are, as after a crash, and never shorter.
    """
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name not in LOCKS]
    paths.sort(key=lambda path: (path.suffix == ".jsonl", path.as_posix()))
    return {f"folder/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in paths}


def sealed(files: Mapping[str, bytes], phrase: str) -> bytes:
    return pysequoia.encrypt(packed(files), passwords=[phrase], armor=False)


def opened(path: Path, phrase: str) -> dict[str, bytes]:
    """Raises BackupError for a wrong pass phrase."""
    try:
        content = pysequoia.decrypt(path.read_bytes(), passwords=[phrase]).bytes
    except Exception as error:  # Sequoia's errors have no class of their own
        raise BackupError(f"The pass phrase does not open {path}.") from error
    if content is None:
        raise BackupError(f"{path} holds nothing.")
    return unpacked(content)


def put_folder(files: Mapping[str, bytes], folder: Path) -> None:
    """Write the files of a folder of keys, readable by their owner alone."""
    for name, content in files.items():
        if not name.startswith("folder/"):
            continue
        target = folder / name.removeprefix("folder/")
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        number = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(number, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
