"""The bundle of an election: one archive with all that anybody needs to count it again."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

from governance.recount import code, files, opened, result
from governance.recount.files import BLOCKS, RESULT, SHEET, FileError
from governance.recount.outcome import Outcome, Votes, outcome
from governance.recount.parts import Parts, seed
from governance.sealed import manifest as manifests
from governance.sealed import wire
from governance.sealed.ballot import BallotError
from governance.sealed.manifest import SEALED, Manifest

SUMS: Final = "SHA256SUMS"
OLDEST: Final = (1980, 1, 1, 0, 0, 0)
LARGEST: Final = 2**31  # bytes of all files


class BundleError(ValueError):
    """What is no bundle; the message says why."""


def votes(parts: Parts, *, workers: int = 1) -> dict[str, Votes]:
    """What counts of each contest. The parts are believed: `check` is what doubts them.

    Raises BallotError for a ballot that the box had to refuse.
    """
    found = manifests.read(parts.manifest)
    if found.level != SEALED:
        return opened.votes_of_sheet(found, parts.sheet, parts.issued)
    ballots = []
    for each in opened.examine(parts.ballots, found, workers=workers):
        if each.ballot is None:
            raise BallotError(f"ballot {each.digest}: {each.fault}")
        ballots.append(each.ballot)
    key = parts.opening.election_key
    return opened.votes(found, ballots, key, issued=parts.issued, workers=workers)


def count(parts: Parts, *, workers: int = 1) -> Outcome:
    """The outcome that follows from the parts. Raises what `votes` does, and ValueError for a
    contest that cannot be counted.
    """
    found = manifests.read(parts.manifest)
    texts = files.of_parts(parts, sealed=found.level == SEALED)
    return outcome(
        found,
        votes(parts, workers=workers),
        left=parts.left,
        seed=seed(anchor(found, texts), parts.opening.nonces),
        inputs=files.inputs(texts),
    )


def write(parts: Parts, counted: Outcome) -> bytes:
    """The archive. The same parts are always the same bytes."""
    return pack(contents(parts, counted), manifests.read(parts.manifest).election)


def contents(parts: Parts, counted: Outcome) -> dict[str, bytes]:
    """The files of the bundle by their names, with the sums of all."""
    found = manifests.read(parts.manifest)
    texts = files.of_parts(parts, sealed=found.level == SEALED)
    return summed({**texts, RESULT: result.write(counted), **code.shipped()})


def summed(texts: Mapping[str, bytes]) -> dict[str, bytes]:
    """With the file that names all others by their SHA-256, as the program `sha256sum` does."""
    listed = {name: data for name, data in texts.items() if name != SUMS}
    return listed | {SUMS: sums(listed)}


def sums(texts: Mapping[str, bytes]) -> bytes:
    lines = [f"{sha256(texts[name]).hexdigest()}  {name}\n" for name in sorted(texts)]
    return "".join(lines).encode()


def anchor(found: Manifest, texts: Mapping[str, bytes]) -> str:
    """What the lots hang on, beside the numbers of the officers. Raises FileError without it."""
    if found.level != SEALED:
        return files.anchor_of_sheet(texts[SHEET])
    lines = files.read_lines(texts[BLOCKS])
    if not lines:
        raise FileError("the board has no block")
    return wire.read_block(lines[-1]).hash


# --- the archive ---


def pack(texts: Mapping[str, bytes], election: str) -> bytes:
    """The same files are always the same bytes, whatever the library or the clock."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(texts):
            info = zipfile.ZipInfo(f"{election}/{name}", OLDEST)
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, texts[name])
    return packed.getvalue()


def unpack(packed: bytes) -> dict[str, bytes]:
    """The files of an archive. Raises BundleError; also for one that was packed in another way,
    because then there are bytes in it that nothing checks.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            if sum(info.file_size for info in archive.infolist()) > LARGEST:
                raise BundleError("the archive is larger than any bundle")
            named = {info.filename: archive.read(info) for info in archive.infolist()}
    except BundleError:
        raise
    except Exception as error:  # what a damaged archive makes of the library
        raise BundleError(f"the archive cannot be read: {error}") from None
    tops = {name.partition("/")[0] for name in named}
    if len(tops) != 1 or not all("/" in name for name in named):
        raise BundleError("the archive does not have everything in one folder")
    [top] = tops
    found = {name.removeprefix(f"{top}/"): data for name, data in named.items()}
    if pack(found, top) != packed:
        raise BundleError(
            "the archive is not as it was packed: a byte between the files differs, or a file is "
            "there twice (if you packed it anew yourself, give the folder instead)"
        )
    return found


def read(path: Path) -> dict[str, bytes]:
    """The files of an archive, or of the folder it was unpacked into. Raises BundleError."""
    try:
        if path.is_dir():
            inside = [each for each in path.rglob("*") if each.is_file() and each.suffix != ".pyc"]
            return {each.relative_to(path).as_posix(): each.read_bytes() for each in inside}
        return unpack(path.read_bytes())
    except OSError as error:
        raise BundleError(f"{path} cannot be read: {error.strerror}") from None
