"""Reading the control file of a .deb: own streaming ar and tar readers with caps. Pure.

data.tar is never opened. What may stand in a package that we publish is an allow-list; the
fields that describe our copy of the file (Filename, Size, hashes) are ours alone to write.
Sources: deb(5), Debian Policy 5.6.
"""

from __future__ import annotations

import gzip
import io
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final, Protocol

import zstandard

AR_MAGIC: Final = b"!<arch>\n"
AR_HEADER: Final = 60
BLOCK: Final = 512
LARGEST_CONTROL_ARCHIVE: Final = 16 * 2**20
LARGEST_CONTROL: Final = 2**20
WINDOW: Final = 64 * 2**20  # of xz and zstd

ARCHITECTURES: Final = ("all", "amd64", "arm64", "armhf", "i386", "ppc64el", "riscv64", "s390x")
PACKAGE: Final = re.compile(r"[a-z0-9][a-z0-9+.-]{1,127}")
VERSION: Final = re.compile(r"(?:[0-9]{1,9}:)?[0-9][A-Za-z0-9.+~-]{0,127}")
FIELD: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,63}")
FORBIDDEN: Final = frozenset(
    {"filename", "size", "md5sum", "sha1", "sha256", "sha512", "status", "conffiles"}
)
STEERING: Final = frozenset({"essential", "protected", "important"})  # apt would never remove it
MAINTAINER_FILES: Final = frozenset(
    {"control", "conffiles", "md5sums", "sha256sums", "sha512sums", "preinst", "postinst", "prerm"}
    | {"postrm", "config", "templates", "triggers", "shlibs", "symbols"}
)
REQUIRED: Final = ("Package", "Version", "Architecture", "Maintainer", "Description")
CONTROL_CHARACTER: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


class DebError(ValueError):
    """The file is not a .deb that we take; the message says why."""


@dataclass(frozen=True, slots=True)
class Control:
    """The checked control file: its fields in their order, folded lines kept."""

    fields: dict[str, str]

    @property
    def package(self) -> str:
        return self.fields["Package"]

    @property
    def version(self) -> str:
        return self.fields["Version"]

    @property
    def architecture(self) -> str:
        return self.fields["Architecture"]

    @property
    def text(self) -> str:
        """The stanza as it enters an index, without a line end."""
        return "\n".join(f"{name}: {value}" for name, value in self.fields.items())


def read(stream: BinaryIO, size: int) -> Control:
    """The control file of the .deb of `size` bytes that `stream` stands at. Raises DebError."""
    if stream.read(len(AR_MAGIC)) != AR_MAGIC:
        raise DebError("this is not a Debian package")
    names: list[str] = []
    control: bytes | None = None
    at = len(AR_MAGIC)
    while at < size:
        name, length = _member(stream)
        at += AR_HEADER
        if at + length > size:
            raise DebError("the package ends too early")
        names.append(name)
        if name == "debian-binary" and stream.read(min(length, 64)) != b"2.0\n":
            raise DebError("the package is not of format 2.0")
        if name.startswith("control.tar"):
            control = _control_member(stream, name, length)
        at += length + length % 2
        stream.seek(at)
        if len(names) > 3:
            raise DebError("a package holds debian-binary, control.tar and data.tar, no more")
    if [name.split(".")[0] for name in names] != ["debian-binary", "control", "data"]:
        raise DebError("a package holds debian-binary, control.tar and data.tar in this order")
    if at not in (size, size + 1):
        raise DebError("the package ends too early")
    if control is None:
        raise DebError("the package has no control file")
    return parse(control)


def parse(raw: bytes) -> Control:
    """The fields of one control stanza, every one allowed. Raises DebError."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise DebError("the control file is not UTF-8") from None
    if CONTROL_CHARACTER.search(text):
        raise DebError("the control file holds a control character")
    lines = text.rstrip("\n").lstrip("\n").split("\n")
    if any(not line.strip() for line in lines):
        raise DebError("the control file holds more than one stanza")
    fields = dict(_fields(lines))
    _check(fields)
    return Control(fields)


def _fields(lines: list[str]) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    name, value = "", ""
    for line in lines:
        if line[0] in " \t":
            if not name:
                raise DebError("the control file begins with a folded line")
            value += "\n" + line
            continue
        if name:
            yield name, value
        name, colon, value = line.partition(":")
        value = value.strip()
        if not colon or not FIELD.fullmatch(name):
            raise DebError("a line of the control file is no field")
        if name.lower() in seen:
            raise DebError(f"the field {name} stands twice in the control file")
        if name.lower() in FORBIDDEN:
            raise DebError(f"the field {name} is for the repository to write")
        if name.lower() in STEERING:
            raise DebError(f"the field {name} is for the packages of a distribution itself")
        seen.add(name.lower())
    yield name, value


def _check(fields: dict[str, str]) -> None:
    for name in REQUIRED:
        if not fields.get(name, "").strip():
            raise DebError(f"the control file has no field {name}")
    if not PACKAGE.fullmatch(fields["Package"]):
        raise DebError("the package name is not allowed: use a-z, 0-9 and + . -")
    if not VERSION.fullmatch(fields["Version"]):
        raise DebError("the version of the package is not a Debian version")
    if fields["Architecture"] not in ARCHITECTURES:
        raise DebError(f"the architecture must be one of {', '.join(ARCHITECTURES)}")


# --- ar -----------------------------------------------------------------------------------------


def _member(stream: BinaryIO) -> tuple[str, int]:
    header = stream.read(AR_HEADER)
    if len(header) != AR_HEADER or header[58:] != b"`\n":
        raise DebError("the package is not a sound ar archive")
    name = header[:16].decode("ascii", "replace").strip().rstrip("/")
    length = header[48:58].strip()
    if not length.isdigit():
        raise DebError("the package is not a sound ar archive")
    return name, int(length)


# --- control.tar --------------------------------------------------------------------------------


class Readable(Protocol):
    """What a decompressor offers."""

    def read(self, size: int = ..., /) -> bytes: ...


Opener = Callable[[BinaryIO], Readable]
OPENERS: Final[dict[str, Opener]] = {
    "control.tar": lambda raw: raw,
    "control.tar.gz": lambda raw: gzip.GzipFile(fileobj=raw),
    "control.tar.xz": lambda raw: _Xz(raw),  # noqa: PLW0108
    "control.tar.zst": lambda raw: zstandard.ZstdDecompressor(max_window_size=WINDOW).stream_reader(
        raw
    ),
}


class _Xz(io.RawIOBase):
    """A reader of xz with a cap on memory, which lzma.LZMAFile has not."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self._decoder = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=2 * WINDOW)

    def read(self, size: int = -1) -> bytes:
        data = b""
        while size > len(data) and not self._decoder.eof:
            more = self._raw.read(65_536) if self._decoder.needs_input else b""
            if self._decoder.needs_input and not more:
                raise EOFError
            data += self._decoder.decompress(more, size - len(data))
        return data


def _control_member(stream: BinaryIO, name: str, length: int) -> bytes:
    if name not in OPENERS:
        raise DebError("control.tar must be plain, gz, xz or zst")
    if length > LARGEST_CONTROL_ARCHIVE:
        raise DebError("control.tar is too large")
    packed = io.BytesIO(stream.read(length))
    try:
        return _control_file(OPENERS[name](packed))
    except (OSError, EOFError, lzma.LZMAError, zlib.error, zstandard.ZstdError, MemoryError):
        raise DebError("control.tar cannot be unpacked") from None


def _control_file(tar: Readable) -> bytes:
    """The member ./control of the tar archive, within the caps. Every name stands once, so that
    whoever else reads the archive finds the same file.
    """
    found: dict[str, bytes] = {}
    total = 0
    while name := _checked_header(header := tar.read(BLOCK)):
        length = _length(header)
        total += BLOCK + length
        if total > LARGEST_CONTROL_ARCHIVE:
            raise DebError("control.tar unpacks to too much")
        if name in found:
            raise DebError(f"control.tar holds {name} twice")
        is_control = name == "control"
        if is_control and length > LARGEST_CONTROL:
            raise DebError("control.tar holds no sound control file")
        found[name] = tar.read(length) if is_control else b""
        if is_control and len(found[name]) != length:
            raise DebError("control.tar ends too early")
        _skip(tar, -length % BLOCK if is_control else length + -length % BLOCK)
    _must_be_over(tar, LARGEST_CONTROL_ARCHIVE - total)
    if "control" not in found:
        raise DebError("the package has no control file")
    return found["control"]


def _checked_header(header: bytes) -> str:
    """The name of a member without its ./, nothing at the end of the archive."""
    if header == bytes(BLOCK):
        return ""
    if len(header) != BLOCK or header[257:262] != b"ustar":
        raise DebError("control.tar is not a sound archive")
    if header[156:157] not in (b"0", b"\0", b"5"):
        raise DebError("control.tar may hold files and folders only: no links, no devices")
    raw = header[:100].partition(b"\0")[0]
    name = raw.removeprefix(b"./").decode("ascii", "replace") or "."
    allowed = {"."} if header[156:157] == b"5" else MAINTAINER_FILES
    if header[345:500].strip(b"\0") or not raw or name not in allowed:
        raise DebError("control.tar may hold control, md5sums, postinst and their like only")
    return name


def _length(header: bytes) -> int:
    digits = header[124:136].strip(b" \0")
    if not digits or digits.strip(b"01234567"):
        raise DebError("control.tar is not a sound archive")
    return int(digits, 8)


def _must_be_over(tar: Readable, most: int) -> None:
    """After the first empty block come empty ones alone."""
    while piece := tar.read(65_536):
        most -= len(piece)
        if most < 0:
            raise DebError("control.tar unpacks to too much")
        if piece.strip(b"\0"):
            raise DebError("control.tar goes on after its end")


def _skip(tar: Readable, size: int) -> None:
    while size > 0:
        read = tar.read(min(size, 65_536))
        if not read:
            raise DebError("control.tar ends too early")
        size -= len(read)
