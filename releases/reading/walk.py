"""The walk of a client: keyring, signed list, an index, a package; everything is compared."""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Final, Protocol
from urllib.parse import quote

import zstandard

from releases.reading import Place, Sample, UnsoundError, gpgv
from releases.reading.http import Fetched
from releases.repository import apt, buckets, rpm, yum

LIST_MOST: Final = 4 * 2**20
INDEX_MOST: Final = 512 * 2**20
PACKAGE_MOST: Final = 128 * 2**20  # larger packages are not fetched
TRIES: Final = 20  # packages looked at for one that is small enough
AHEAD: Final = dt.timedelta(minutes=1)  # how far a client's clock may be behind ours
SUFFIXES: Final = (".gz", ".zst")


class Get(Protocol):
    """What fetches; `releases.reading.http.Http().get`, or a twin in tests."""

    def __call__(self, url: str, *, most: int) -> Fetched: ...


@dataclass(frozen=True, slots=True)
class Read:
    """What was read: the path of a package, empty if the index has none, and who sent it; and the
    package manager that read it too, if one was asked.
    """

    package: str
    came_from: str
    program: str = ""


def walk(place: Place, get: Get, *, at: dt.datetime) -> Read:
    """Read a repository as a client does. Raises UnsoundError with what a client would meet."""
    keyring = get(place.keyring, most=LIST_MOST).read()
    try:
        return (_apt if place.codename else _yum)(place, get, keyring, at)
    except (ValueError, KeyError, buckets.DamagedError, zstandard.ZstdError) as error:
        raise UnsoundError(f"an index cannot be read: {error}") from None


# --- apt ----------------------------------------------------------------------------------------


def _apt(place: Place, get: Get, keyring: bytes, at: dt.datetime) -> Read:
    base = f"{place.address}/dists/{place.codename}"
    text = gpgv.signed_text(get(f"{base}/InRelease", most=LIST_MOST).read(), keyring).decode()
    fields = apt.read_fields(text)
    _must_be_fresh(place, parsedate_to_datetime(fields["Date"]), at)
    if "Valid-Until" in fields and parsedate_to_datetime(fields["Valid-Until"]) <= at:
        raise UnsoundError(f"InRelease was valid until {fields['Valid-Until']}")
    listed = apt.read_listed(text)
    path = _some_index(listed)
    stanzas = _packages_of(base, path, listed, get).split(b"\n\n")[:-1]
    sample = _sample(stanzas, lambda stanza: apt.read_stanzas(stanza + b"\n\n"))
    return Read("", "") if sample is None else _package(place, sample, get)[0]


def _some_index(listed: dict[str, tuple[str, int]]) -> str:
    """Without its suffix: one that lists packages, if there is any."""
    plain = [path for path in listed if path.endswith("/Packages")]
    return secrets.choice([path for path in plain if listed[path][1]] or plain)


def _packages_of(base: str, path: str, listed: dict[str, tuple[str, int]], get: Get) -> bytes:
    """The index under the address that apt asks for, in one of its two forms."""
    suffix = secrets.choice(SUFFIXES)
    sha256, size = listed[path + suffix]
    found = get(f"{base}/{apt.by_hash(path, sha256)}", most=size)
    _must_be(found, Sample(path + suffix, size, sha256))
    text = _unpacked(found.read(), suffix)
    if (hashlib.sha256(text).hexdigest(), len(text)) != listed[path]:
        raise UnsoundError(f"{path}{suffix} unpacks to other bytes than are listed")
    return text


def _unpacked(packed: bytes, suffix: str) -> bytes:
    if suffix == ".gz":
        return buckets.unpack_gz(packed)
    by = zstandard.ZstdDecompressor()
    with by.stream_reader(packed, read_across_frames=True) as reader:
        return reader.read()


# --- yum ----------------------------------------------------------------------------------------


def _yum(place: Place, get: Get, keyring: bytes, at: dt.datetime) -> Read:
    repomd = get(f"{place.address}/{yum.REPOMD}", most=LIST_MOST).read()
    signature = get(f"{place.address}/{yum.REPOMD}.asc", most=LIST_MOST).read()
    gpgv.check(repomd, signature, keyring, "repomd.xml")
    revision, stamp, listed = yum.read_repomd(repomd)
    if revision < place.serial:
        raise UnsoundError(f"repomd.xml is publication {revision}, published is {place.serial}")
    _must_be_fresh(place, dt.datetime.fromtimestamp(stamp, dt.UTC), at)
    (path,) = (path for path in listed if path.endswith("-primary.xml.gz"))
    found = get(f"{place.address}/{path}", most=INDEX_MOST)
    _must_be(found, Sample(path, found.size, listed[path]))
    fragments = buckets.unpack_gz(found.read()).split(b"</package>")[:-1]
    sample = _sample(fragments, _fragment)
    if sample is None:
        return Read("", "")
    read, package = _package(place, sample, get)
    _must_be_signed(package, sample, keyring)
    return read


def _fragment(text: bytes) -> Iterator[apt.Known]:
    begin = text.index(b"<package ")
    return yum.read_fragments("primary", text[begin:] + b"</package>")


def _must_be_signed(package: Fetched, sample: Sample, keyring: bytes) -> None:
    """The rpm itself holds a signature, which dnf looks at too."""
    try:
        outside = rpm.read(package.body)
    except rpm.RpmError as error:
        raise UnsoundError(f"{sample.path}: {error}") from None
    signature = rpm.signature_of(outside)
    if signature is None:
        raise UnsoundError(f"{sample.path} holds no signature")
    gpgv.check(outside.header, signature, keyring, sample.path)


# --- both ---------------------------------------------------------------------------------------


def _must_be_fresh(place: Place, date: dt.datetime, at: dt.datetime) -> None:
    if date < place.dated_at:
        raise UnsoundError(
            f"the index is dated {date:%Y-%m-%d %H:%M:%S} UTC, published is one of"
            f" {place.dated_at:%Y-%m-%d %H:%M:%S} UTC: something in between keeps an old one"
        )
    if date > at + AHEAD:
        raise UnsoundError(f"the index is dated in the future: {date:%Y-%m-%d %H:%M:%S} UTC")


def _sample(entries: list[bytes], read: Callable[[bytes], Iterator[apt.Known]]) -> Sample | None:
    """One of the packages, at random; None if there is none that is not too large."""
    some = secrets.SystemRandom().sample(entries, min(TRIES, len(entries)))
    known = (found for entry in some for found in read(entry))
    return next(
        (Sample(one.path, one.size, one.sha256) for one in known if one.size <= PACKAGE_MOST), None
    )


def _package(place: Place, sample: Sample, get: Get) -> tuple[Read, Fetched]:
    found = get(f"{place.address}/{quote(sample.path)}", most=sample.size)
    _must_be(found, sample)
    return Read(sample.path, found.came_from), found


def _must_be(found: Fetched, listed: Sample) -> None:
    if found.size != listed.size:
        raise UnsoundError(
            f"{listed.path} from {found.came_from} has {found.size} bytes, listed are {listed.size}"
        )
    if found.sha256 != listed.sha256:
        raise UnsoundError(f"{listed.path} from {found.came_from} has other bytes than are listed")
