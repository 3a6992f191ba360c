"""Bad .deb files: control files, tar and ar archives, compressions."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile

import zstandard

from releases.packaging.deb import AR_MAGIC, ar_member, tar
from releases.tests import factory
from releases.tests.hostile import Hostile

CONTROL = (
    "Package: exampledb-server\nVersion: 12.3.0\nArchitecture: amd64\n"
    "Maintainer: Dana <dana@example.org>\nDescription: A database\n"
)
NOT_SOUND = "not a sound archive"
NOT_AR = "not a sound ar archive"
UNPACK = "cannot be unpacked"
ONLY_FILES = "no links, no devices"


def deb(archive: bytes, name: str = "control.tar") -> bytes:
    """A .deb around a control archive."""
    members = [ar_member("debian-binary", b"2.0\n", 0), ar_member(name, archive, 0)]
    return AR_MAGIC + b"".join([*members, ar_member("data.tar.gz", b"never opened", 0)])


def plain(control: bytes) -> bytes:
    return gzip.decompress(tar({"control": control}, 0))


def control(text: str | bytes) -> bytes:
    """A .deb with that control file."""
    return deb(plain(text if isinstance(text, bytes) else text.encode()))


def entry(kind: bytes, name: str = "./postinst", target: str = "/etc/passwd") -> bytes:
    """A .deb whose control archive holds a member of that kind before the control file."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        found = tarfile.TarInfo(name)
        found.type, found.linkname = kind, target
        archive.addfile(found)
        found = tarfile.TarInfo("./control")
        found.size = len(CONTROL)
        archive.addfile(found, io.BytesIO(CONTROL.encode()))
    return deb(buffer.getvalue())


def member(name: bytes, control: str = CONTROL, prefix: bytes = b"") -> bytes:
    """One member of a tar archive that holds a control file under any name."""
    found = bytearray(plain(control.encode())[: 512 + -(-len(control.encode()) // 512) * 512])
    found[:100] = name.ljust(100, b"\0")
    found[345 : 345 + len(prefix)] = prefix
    found[148:156] = b" " * 8
    found[148:156] = b"%06o\0 " % sum(found[:512])
    return bytes(found)


def members(*parts: bytes) -> bytes:
    """A .deb whose control archive holds these, to the end of the archive."""
    return deb(b"".join(parts) + bytes(1024))


def other() -> str:
    """The control file that somebody wants dpkg to read in place of ours."""
    return CONTROL.replace("Package: exampledb-server", "Package: bash").replace("12.3.0", "99:1")


def with_size(field: bytes) -> bytes:
    """A .deb whose tar header gives that as the size of the control file."""
    archive = bytearray(plain(CONTROL.encode()))
    archive[124:136] = field.ljust(12, b"\0")
    return deb(bytes(archive))


def member_size(text: str) -> bytes:
    """A .deb whose first ar member gives that as its size."""
    return AR_MAGIC + f"debian-binary   0           0     0     100644  {text:<10}`\n".encode()


def wide_xz() -> bytes:
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 2**30}]
    # A header that asks for a window of 1 GiB; little is needed to write it.
    packed = lzma.compress(plain(CONTROL.encode()), lzma.FORMAT_XZ, filters=_small(filters))
    return deb(_with_window(packed), "control.tar.xz")


def _small(filters: list[dict[str, int]]) -> list[dict[str, int]]:
    return [{**one, "dict_size": 2**16} for one in filters]


def _with_window(packed: bytes) -> bytes:
    """The block header of an .xz with the largest window, and its checksum put right."""
    import zlib

    length = (packed[12] + 1) * 4
    header = bytearray(packed[12 : 12 + length - 4])
    at = header.index(b"\x21\x01") + 2
    header[at] = 36  # 1 GiB
    checksum = zlib.crc32(bytes(header)).to_bytes(4, "little")
    return packed[:12] + bytes(header) + checksum + packed[12 + length :]


def wide_zst() -> bytes:
    frame = zstandard.compress(plain(CONTROL.encode()))
    descriptor = frame[4] & ~0b11100000  # no single segment, no content size: a window follows
    return deb(frame[:4] + bytes([descriptor, 0xFF]) + frame[6:], "control.tar.zst")


def bomb() -> bytes:
    """100 MiB in 100 kB."""
    large = tarfile.TarInfo("./md5sums")
    large.size = 100 * 2**20
    return deb(gzip.compress(large.tobuf() + bytes(large.size)), "control.tar.gz")


def many() -> bytes:
    """100,000 empty files."""
    header = plain(b"")[:512]
    found = bytearray(header)
    found[:100] = b"./file".ljust(100, b"\0")
    return deb(gzip.compress(bytes(found) * 100_000, 1), "control.tar.gz")


def changed(old: str, new: str) -> bytes:
    assert old in CONTROL
    return control(CONTROL.replace(old, new))


def own_field(name: str) -> Hostile:
    return Hostile(
        f"our own field {name}",
        "for the repository to write",
        lambda: control(f"{CONTROL}{name}: x\n"),
    )


def steering(name: str) -> Hostile:
    return Hostile(
        f"the field {name}",
        "for the packages of a distribution",
        lambda: control(f"{CONTROL}{name}: yes\n"),
    )


CASES = [
    Hostile("a path as name", "name is not allowed", lambda: changed("exampledb", "../../evil")),
    Hostile("an upper-case name", "name is not allowed", lambda: changed("example", "Example")),
    Hostile(
        "a name of one letter", "name is not allowed", lambda: changed("exampledb-server", "a")
    ),
    Hostile(
        "an over-long name",
        "name is not allowed",
        lambda: changed("exampledb-server", "a" * 200),
    ),
    Hostile(
        "a path as source",
        "source name is not allowed",
        lambda: control(CONTROL + "Source: ../x\n"),
    ),
    Hostile("a path as version", "not a Debian version", lambda: changed("12.3.0", "1/../../2")),
    Hostile("an over-long version", "not a Debian version", lambda: changed("12.3.0", "1" * 300)),
    Hostile(
        "another architecture", "architecture must be one of", lambda: changed("amd64", "mips")
    ),
    Hostile("a path as architecture", "architecture must be", lambda: changed("amd64", "../all")),
    Hostile("two stanzas", "more than one stanza", lambda: control(f"{CONTROL}\n{CONTROL}")),
    Hostile(
        "a stanza after spaces", "more than one stanza", lambda: control(f"{CONTROL} \nX: 1\n")
    ),
    Hostile("a field twice", "stands twice", lambda: control(f"{CONTROL}version: 3\n")),
    *map(
        own_field,
        ["Filename", "Size", "MD5sum", "SHA1", "SHA256", "SHA512", "sha256", "Status"],
    ),
    *map(steering, ["Essential", "Protected", "important"]),
    Hostile("a NUL", "control character", lambda: changed("A data", "A\0data")),
    Hostile("a carriage return", "control character", lambda: changed("A data", "A\rSize: 3")),
    Hostile("an escape sequence", "control character", lambda: changed("A data", "\x1b[2J")),
    Hostile("a line separator", "control character", lambda: changed("A data", "A\u2028Size: 3")),
    Hostile("invalid UTF-8", "not UTF-8", lambda: control(CONTROL.encode() + b"X: \xff\n")),
    Hostile("a line without colon", "no field", lambda: control(f"{CONTROL}nonsense\n")),
    Hostile("an over-long field name", "no field", lambda: control(f"{CONTROL}{'A' * 80}: x\n")),
    Hostile("a folded line first", "folded line", lambda: control(f" x\n{CONTROL}")),
    Hostile("no maintainer", "no field Maintainer", lambda: changed("Maintainer", "Maintained-By")),
    Hostile("an empty control file", "", lambda: control("")),
    Hostile("a control file of 2 MiB", "no sound control file", lambda: control("X" * 2**21)),
    Hostile("a folder called control", "and their like only", lambda: entry(b"5", "./control")),
    Hostile("a symbolic link", ONLY_FILES, lambda: entry(tarfile.SYMTYPE)),
    Hostile("a hard link", ONLY_FILES, lambda: entry(tarfile.LNKTYPE)),
    Hostile("a character device", ONLY_FILES, lambda: entry(tarfile.CHRTYPE)),
    Hostile("a block device", ONLY_FILES, lambda: entry(tarfile.BLKTYPE)),
    Hostile("a pipe", ONLY_FILES, lambda: entry(tarfile.FIFOTYPE)),
    Hostile("a control link", ONLY_FILES, lambda: entry(tarfile.SYMTYPE, "./control")),
    Hostile("a name that is a long one", ONLY_FILES, lambda: entry(b"0", "d/" * 300)),
    Hostile("a bomb of 100 MiB", "unpacks to too much", bomb),
    Hostile("100,000 members", "and their like only", many),
    Hostile(
        "control twice",
        "control twice",
        lambda: members(member(b"./control"), member(b"control", other())),
    ),
    *(
        Hostile(
            f"a second control file called {name.decode()}",
            "and their like only",
            lambda name=name: members(member(b"./control"), member(name, other())),  # type: ignore[misc]
        )
        for name in (b".//control", b"././control", b"./control/", b"x/../control", b"/control")
    ),
    Hostile(
        "a control file under a prefix",
        "and their like only",
        lambda: members(member(b"control", prefix=b"x"), member(b"./control", other())),
    ),
    Hostile(
        "a control file after the end",
        "goes on after its end",
        lambda: members(member(b"./control"), bytes(512), member(b"./control", other())),
    ),
    Hostile(
        "an archive without its end",
        NOT_SOUND,
        lambda: deb(member(b"./control")),
    ),
    Hostile(
        "an archive in an archive",
        NOT_SOUND,
        lambda: deb(gzip.compress(gzip.compress(plain(CONTROL.encode()))), "control.tar.gz"),
    ),
    Hostile("a negative size", NOT_SOUND, lambda: with_size(b"\xff" * 12)),
    Hostile("a base-256 size", NOT_SOUND, lambda: with_size(b"\x80" + bytes(10) + b"\x60")),
    Hostile("a size with a minus", NOT_SOUND, lambda: with_size(b"-0000000140")),
    Hostile("no size", NOT_SOUND, lambda: with_size(b"")),
    Hostile("a size beyond the end", "ends too early", lambda: with_size(b"00003000000")),
    Hostile("a size beyond the caps", "too much", lambda: with_size(b"77777777777")),
    Hostile("no ar archive", "not a Debian package", lambda: b"PK\x03\x04" + bytes(100)),
    Hostile("a thin ar archive", "not a Debian package", lambda: b"!<thin>\n" + bytes(60)),
    Hostile("an ar size in words", NOT_AR, lambda: member_size("ten")),
    Hostile("a negative ar size", NOT_AR, lambda: member_size("-4")),
    Hostile("an ar size beyond the end", "ends too early", lambda: member_size("9999999999")),
    Hostile(
        "an odd ar size",
        "not of format 2.0",
        lambda: factory.deb().replace(b"4         `", b"3         `", 1),
    ),
    Hostile(
        "another format", "not of format 2.0", lambda: factory.deb().replace(b"2.0\n", b"3.0\n")
    ),
    Hostile("bytes after the end", NOT_AR, lambda: factory.deb() + b"and more"),
    Hostile("a member more", "no more", lambda: factory.deb() + ar_member("extra", b"x", 0)),
    Hostile(
        "no data.tar",
        "in this order",
        lambda: (
            AR_MAGIC
            + ar_member("debian-binary", b"2.0\n", 0)
            + ar_member("control.tar", plain(CONTROL.encode()), 0)
        ),
    ),
    Hostile("bzip2", "plain, gz, xz or zst", lambda: deb(bz2.compress(b"x"), "control.tar.bz2")),
    Hostile("garbage as gz", UNPACK, lambda: deb(b"\x1f\x8b" + bytes(50), "control.tar.gz")),
    Hostile("garbage as xz", UNPACK, lambda: deb(b"\xfd7zXZ\0" + bytes(50), "control.tar.xz")),
    Hostile(
        "garbage as zst",
        NOT_SOUND,
        lambda: deb(b"\x28\xb5\x2f\xfd" + bytes(9), "control.tar.zst"),
    ),
    Hostile("an xz window of 1 GiB", UNPACK, wide_xz),
    Hostile("a zstd window of 2 TiB", UNPACK, wide_zst),
    Hostile(
        "another name than its file",
        "calls for the file name exampledb-server_12.3.0_amd64.deb",
        factory.deb,
        name="renamed_12.3.0_amd64.deb",
    ),
    Hostile(
        "another processor than announced",
        "is for x86_64, but aarch64 was announced",
        factory.deb,
        announced={"cpu": "aarch64"},
    ),
]


def boundaries() -> list[int]:
    """Where each part of a .deb begins and ends, and the bytes beside."""
    data, at, found = factory.deb(), len(AR_MAGIC), {0, 4, len(AR_MAGIC)}
    while at < len(data):
        length = int(data[at + 48 : at + 58])
        found |= {at + 16, at + 59, at + 60, at + 61, at + 60 + length // 2, at + 60 + length}
        at += 60 + length + length % 2
    return sorted(cut for cut in found if cut < len(data))
