"""Writing the indices of a publication: dirty buckets from the database, the others copied."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models.fields.json import KeyTextTransform

from releases import store
from releases.actions.blob import keep_blobs
from releases.actions.extra_index import extra_indices
from releases.batch import Batch
from releases.distributions import DEFAULT_ARCHITECTURES, EVERY_PROCESSOR
from releases.models import Index, IndexBuild, Membership, Publication, Repository
from releases.models.repository import MembershipQuerySet
from releases.repository import buckets, yum
from releases.repository.apt import COMPONENTS, Digests
from releases.repository.buckets import Member, Parts, Span, Stored
from releases.repository.forms import form_of

logger = logging.getLogger(__name__)

SPANS_AT_ONCE = 50  # in one question to the database
ONE_PART = Stored([], Parts(b"", [0]), Parts(b"", [0]))


@dataclass(frozen=True)
class Change:
    """A package that came or went since the last publication."""

    slot: int
    architecture: str
    component: str
    came: bool
    went: bool

    def fits(self, index: Index) -> bool:
        """An index of YUM shows all packages, one of APT those of its component and processor."""
        if not index.component:
            return True
        fits_processor = self.architecture == index.name or self.architecture in EVERY_PROCESSOR
        return fits_processor and self.component == index.component


@dataclass(frozen=True, slots=True)
class Entry:
    """A package in an index: its place and its paragraph."""

    slot: int
    name: str
    version: str
    architecture: str
    text: str


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


def write_indices(*, publication: Publication) -> list[IndexBuild]:
    """The builds that the publication shows: new where a package came or went, else as before.

    Within the transaction of the caller. A full one copies nothing.
    """
    before = shown_before(publication)
    changes = changes_of(publication, full=not before)
    fresh: list[Written] = []
    shown = []
    with Batch() as batch:
        for index in _indices(publication.repository, changes):
            base = before.get(index.pk)
            dirty = _dirty(index, base, changes)
            if base is not None and not dirty:
                shown.append(base)
            else:
                fresh.append(_write(index, publication.serial, base, dirty, batch))
        for kind, text in extra_indices(publication.repository).items():
            index = _extra_index(publication.repository, kind)
            base = before.get(index.pk)
            if base is not None and base.text_sha256 == hashlib.sha256(text).hexdigest():
                shown.append(base)
            else:
                fresh.append(_write_extra(index, text, batch))
    return shown + _keep(fresh, publication.serial)


def shown_before(publication: Publication) -> dict[int, IndexBuild]:
    """What the current publication shows, by index; nothing when there is nothing to copy from."""
    current = publication.repository.current
    if current is None or publication.full:
        return {}
    shown = IndexBuild.objects.shown_now(publication.repository)
    return {build.index_id: build for build in shown.select_related("index", "gz", "zst")}


def changes_of(publication: Publication, *, full: bool) -> list[Change]:
    """What came and went since the current publication; all that is there, for a full one."""
    members = Membership.objects.filter(repository=publication.repository)
    serial, current = publication.serial, publication.repository.current
    after = 0 if full or current is None else current.serial
    found = members.in_publication(serial) if full else members.changed(after, serial)
    rows = found.values_list(
        "slot", "package__architecture", "package__component", "since_serial", "until_serial"
    )
    return [
        Change(slot, architecture, component, since > after, until is not None and until <= serial)
        for slot, architecture, component, since, until in rows
    ]


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
    index: Index, serial: int, base: IndexBuild | None, dirty: Collection[int], batch: Batch
) -> Written:
    """The files of the index. One whose last files the disk has damaged is written as a whole."""
    old = _stored(base) if base is not None and len(dirty) < index.buckets else None
    if old is None:
        old, dirty = Stored.empty(index.buckets), range(index.buckets)
    members = _members(index, serial, dirty)
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
        batch.add(old.gz.spliced(gz), md5=True),
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


def _members(index: Index, serial: int, dirty: Collection[int]) -> dict[int, Member]:
    """The dirty buckets, out of the database; one that became empty too."""
    found = buckets.sort(entries_of(index, serial, dirty), index.buckets)
    members = {}
    for number in dirty:
        entries = found.get(number, [])
        text = "".join(entry.text for entry in entries).encode()
        members[number] = buckets.pack(text, len(entries))
    return members


def entries_of(index: Index, serial: int, dirty: Collection[int]) -> Iterator[Entry]:
    """The packages of these buckets as a publication of this serial shows them."""
    text = KeyTextTransform(form_of(index.name).paragraph, "package__stanzas")
    members = shown_in(index, serial)
    for spans in some_at_once(buckets.spans_of(dirty, index.buckets)):
        rows = members.in_slots(spans).values_list(
            "slot", "package__name", "package__version", "package__architecture", text
        )
        yield from (Entry(*row) for row in rows)


def shown_in(index: Index, serial: int) -> MembershipQuerySet:
    """The members of the repository that stand in this index."""
    members = Membership.objects.filter(repository=index.repository_id).in_publication(serial)
    if not index.component:
        return members
    return members.filter(
        package__architecture__in=[index.name, *EVERY_PROCESSOR],
        package__component=index.component,
    )


def some_at_once(spans: Sequence[Span]) -> Iterator[Sequence[Span]]:
    for start in range(0, len(spans), SPANS_AT_ONCE):
        yield spans[start : start + SPANS_AT_ONCE]


# --- indices that are not of packages -----------------------------------------------------------


def _extra_index(repository: Repository, kind: str) -> Index:
    index, _ = Index.objects.get_or_create(
        repository=repository, component="", name=kind, defaults={"buckets": 1}
    )
    return index


def _write_extra(index: Index, text: bytes, batch: Batch) -> Written:
    """The whole text as one part."""
    return _spliced(index, ONE_PART, {0: buckets.pack(text)}, [], [], batch)


# --- rows ---------------------------------------------------------------------------------------


def _keep(fresh: Sequence[Written], serial: int) -> list[IndexBuild]:
    blobs = keep_blobs(found for one in fresh for found in (one.gz, one.zst)) if fresh else {}
    return IndexBuild.objects.bulk_create(
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
