"""Writing the indices of a publication: dirty buckets from the database, the others copied."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from releases import store
from releases.actions.extra_index import extra_indices
from releases.actions.membership import Change, Entry, Reader, changes_of
from releases.batch import Batch
from releases.distributions import DEFAULT_ARCHITECTURES, EVERY_PROCESSOR
from releases.models import Blob, Index, IndexBuild, Publication, Repository
from releases.repository import buckets, yum
from releases.repository.apt import COMPONENTS, Digests
from releases.repository.buckets import Member, Parts, Stored
from releases.repository.forms import form_of

logger = logging.getLogger(__name__)

ONE_PART = Stored([], Parts(b"", [0]), Parts(b"", [0]))


@dataclass(frozen=True)
class Written:
    """What a build will say once its files have rows."""

    index: Index
    counts: list[int]
    buckets: list[int]
    gz_sizes: list[int]
    zst_sizes: list[int]
    gz: Digests
    zst: Digests
    text_size: int
    text_sha256: str


@dataclass(frozen=True)
class Indices:
    """What a publication shows: indices as before, and those that are written anew."""

    kept: Sequence[IndexBuild]
    fresh: Sequence[Written]
    packages: int

    def __iter__(self) -> Iterator[IndexBuild | Written]:
        yield from self.kept
        yield from self.fresh

    @property
    def new_files(self) -> list[Digests]:
        return [found for one in self.fresh for found in (one.gz, one.zst)]


def write_indices(*, publication: Publication, batch: Batch) -> Indices:
    """The indices of the publication: new where a package came or went, else as before. Their files
    are durable and get rows when the batch is over: `keep_builds` remembers them then.

    Within the transaction of the caller. A full one copies nothing.
    """
    before = shown_before(publication)
    changes = changes_of(publication, full=not before)
    reader = Reader(publication.serial)
    kept: list[IndexBuild] = []
    fresh: list[Written] = []
    for index in _indices(publication.repository, changes):
        base = before.get(index.pk)
        dirty = _dirty(index, base, changes)
        if base is not None and not dirty:
            kept.append(base)
        else:
            fresh.append(_write(index, base, dirty, reader, batch))
    for kind, text in extra_indices(publication.repository).items():
        index = _extra_index(publication.repository, kind)
        base = before.get(index.pk)
        if base is not None and base.text_sha256 == hashlib.sha256(text).hexdigest():
            kept.append(base)
        else:
            fresh.append(_write_extra(index, text, batch))
    return Indices(kept, fresh, _packages(publication, before, changes))


def keep_builds(fresh: Iterable[Written], serial: int, blobs: Mapping[str, Blob]) -> None:
    """Remember what was written, so that the next publication copies it."""
    IndexBuild.objects.bulk_create(
        IndexBuild(
            index=one.index,
            serial=serial,
            counts=one.counts,
            written=one.buckets,
            gz_sizes=one.gz_sizes,
            zst_sizes=one.zst_sizes,
            gz=blobs[one.gz.sha256],
            zst=blobs[one.zst.sha256],
            text_size=one.text_size,
            text_sha256=one.text_sha256,
        )
        for one in fresh
    )


def _packages(
    publication: Publication, before: Mapping[int, IndexBuild], changes: Iterable[Change]
) -> int:
    """How many the repository holds: what it held, and what came and went since."""
    current = publication.repository.current
    held = current.packages if before and current is not None else 0
    return held + sum(change.came - change.went for change in changes)


def shown_before(publication: Publication) -> dict[int, IndexBuild]:
    """What the current publication shows, by index; nothing when there is nothing to copy from."""
    current = publication.repository.current
    if current is None or publication.full:
        return {}
    shown = IndexBuild.objects.shown_now(publication.repository)
    return {build.index_id: build for build in shown.select_related("index", "gz", "zst")}


def _indices(repository: Repository, changes: Iterable[Change]) -> list[Index]:
    """The rows of all indices of packages, made when an architecture is seen first."""
    known = {(one.component, one.name): one for one in repository.indices.order_by()}
    wanted = {key for key in known if key[0] or key[1] in yum.KINDS}  # no extra ones
    if repository.system.is_deb:
        names = {*DEFAULT_ARCHITECTURES["deb"], *(change.architecture for change in changes)}
        wanted |= {(part, name) for part in COMPONENTS for name in names - EVERY_PROCESSOR}
    else:
        wanted |= {("", kind) for kind in yum.KINDS}
    new = sorted(wanted - set(known))
    number = buckets.fitting(sum(change.came for change in changes))
    made = Index.objects.bulk_create(
        Index(repository=repository, component=component, name=name, buckets=number)
        for component, name in new
    )
    return [known[key] for key in sorted(wanted & set(known))] + made


def _dirty(index: Index, base: IndexBuild | None, changes: Iterable[Change]) -> Collection[int]:
    """The buckets to write: those of packages that came or went, or all."""
    if base is None or len(base.counts) != index.buckets:
        return range(index.buckets)
    return {
        buckets.bucket_of(change.slot, index.buckets) for change in changes if change.fits(index)
    }


def _write(
    index: Index, base: IndexBuild | None, dirty: Collection[int], reader: Reader, batch: Batch
) -> Written:
    """The files of the index. One whose last files the disk has damaged is written as a whole."""
    old = _stored(base) if base is not None and len(dirty) < index.buckets else None
    if old is None:
        old, dirty = Stored.empty(index.buckets), range(index.buckets)
    members = _members(index, reader.read(index, dirty), dirty)
    counts = old.counts_with(members)
    form = form_of(index.name)
    new = {number + 1: member for number, member in members.items()}
    new |= buckets.ends(form.head(sum(counts)), form.tail, sum(counts), index.buckets)
    return _spliced(index, old, new, counts, sorted(dirty), batch)


def _spliced(
    index: Index,
    old: Stored,
    new: Mapping[int, Member],
    counts: list[int],
    dirty: list[int],
    batch: Batch,
) -> Written:
    gz = {number: member.gz for number, member in new.items()}
    zst = {number: member.zst for number, member in new.items()}
    text = {number: member.text for number, member in new.items()}
    return Written(
        index,
        counts,
        dirty,
        old.gz.sizes_with(gz),
        old.zst.sizes_with(zst),
        batch.add(old.gz.spliced(gz), md5=bool(index.component)),
        batch.add(old.zst.spliced(zst)),
        *buckets.digest_of(old.zst.texts(text)),
    )


def _stored(base: IndexBuild) -> Stored | None:
    """The last files, compared with their digests; nothing when they are not what they were."""
    files = []
    for blob in (base.gz, base.zst):
        path = store.blob_path(blob.sha256)
        data = path.read_bytes() if path.exists() else b""
        if hashlib.sha256(data).hexdigest() != blob.sha256:
            logger.error("%s is damaged on disk: the index is written anew", base)
            return None
        files.append(data)
    gz, zst = files
    return Stored(base.counts, Parts(gz, base.gz_sizes), Parts(zst, base.zst_sizes))


def _members(
    index: Index, found: Mapping[int, list[Entry]], dirty: Iterable[int]
) -> dict[int, Member]:
    """The dirty buckets, compressed; one that became empty too."""
    form = form_of(index.name)
    members = {}
    for number in dirty:
        entries = found.get(number, [])
        text = "".join(entry.paragraphs[form.paragraph] for entry in entries).encode()
        members[number] = buckets.pack(text, len(entries))
    return members


# --- indices that are not of packages -----------------------------------------------------------


def _extra_index(repository: Repository, kind: str) -> Index:
    index, _ = Index.objects.get_or_create(
        repository=repository, component="", name=kind, defaults={"buckets": 1}
    )
    return index


def _write_extra(index: Index, text: bytes, batch: Batch) -> Written:
    """The whole text as one part."""
    return _spliced(index, ONE_PART, {0: buckets.pack(text)}, [], [], batch)
