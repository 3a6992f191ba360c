"""The check before the switch: what a publication would show, read again from the disk.

What was written anew is unpacked, parsed and compared with the database; what is shown as before
must be there. A full publication is written anew as a whole, and so it is read as a whole.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from releases import store
from releases.actions.membership import changes_of, shown_in, some_at_once
from releases.models import Blob, IndexBuild, Publication
from releases.repository import apt, buckets, yum
from releases.repository.apt import Known
from releases.repository.buckets import DamagedError, Parts
from releases.repository.forms import form_of

FIELDS = (
    *("package__name", "package__version", "package__architecture", "package__path"),
    *("package__file__blob__size", "package__file__blob__sha256"),
)


def faults_of(publication: Publication) -> str:
    """The first thing that is wrong, or an empty text. What clients read now is read as a whole."""
    return next(_faults(publication), "")


def _faults(publication: Publication) -> Iterator[str]:
    fresh, kept = _builds_of(publication)
    files = {file.path: file.blob for file in publication.files.select_related("blob")}
    clean = {blob.sha256 for build in kept for blob in (build.gz, build.zst)}
    clean -= {blob.sha256 for build in fresh for blob in (build.gz, build.zst)}
    data: dict[str, bytes] = {}
    for path, blob in files.items():
        found = b"" if blob.sha256 in clean and _has_size(blob) else _read(blob)
        if found is None:
            yield f"{path} on disk is not what was built"
        else:
            data[blob.sha256] = found
    yield from _list_faults(publication, files, data)
    reader = Reader(publication)
    yield from _total_faults(publication, fresh, reader)
    for build in fresh:
        yield from _build_faults(build, data, reader)
    yield from _missing(reader.new)


def _builds_of(publication: Publication) -> tuple[list[IndexBuild], list[IndexBuild]]:
    """What has to be read, and what clients read already. Of a publication that clients read now
    everything is read.
    """
    builds = IndexBuild.objects.filter(index__repository=publication.repository_id)
    shown = list(builds.shown_by(publication.serial).select_related("index", "gz", "zst"))
    if publication.state == Publication.State.CURRENT:
        return shown, []
    fresh = [build for build in shown if build.serial == publication.serial]
    return fresh, [build for build in shown if build.serial < publication.serial]


def _has_size(blob: Blob) -> bool:
    path = store.blob_path(blob.sha256)
    return path.exists() and path.stat().st_size == blob.size


def _read(blob: Blob) -> bytes | None:
    """The bytes, if they are what they are called."""
    path = store.blob_path(blob.sha256)
    data = path.read_bytes() if path.exists() else b""
    return data if hashlib.sha256(data).hexdigest() == blob.sha256 else None


def _list_faults(
    publication: Publication, files: dict[str, Blob], data: dict[str, bytes]
) -> Iterator[str]:
    """The signed list names the files as they are, and the signed files hold it."""
    if publication.repository.system.is_deb:
        release = data[files["Release"].sha256]
        listed = {path: sha256 for path, (sha256, _) in apt.read_listed(release.decode()).items()}
        wrong = [p for p, blob in files.items() if "/" in p and listed.get(p) != blob.sha256]
        if release not in data[files["InRelease"].sha256]:
            yield "InRelease does not hold the Release"
    else:
        _, _, found = yum.read_repomd(data[files[yum.REPOMD].sha256])
        wrong = [p for p, sha256 in found.items() if p not in files or files[p].sha256 != sha256]
    if wrong:
        yield f"the signed list does not name {wrong[0]} as it is"


def _total_faults(
    publication: Publication, fresh: Iterable[IndexBuild], reader: Reader
) -> Iterator[str]:
    """The totals of an index follow from those before and what came and went; those of an index
    that is read as a whole are counted.
    """
    in_part = [build for build in fresh if not reader.reads_all_of(build)]
    wanted = _totals_in_part(publication, in_part)
    for build in fresh:
        if not build.counts:
            continue
        if build.index_id not in wanted:
            wanted[build.index_id] = shown_in(build.index, publication.serial).count()
        if build.packages != wanted[build.index_id]:
            yield (
                f"{build.index} lists {build.packages} packages,"
                f" the repository holds {wanted[build.index_id]}"
            )


def _totals_in_part(publication: Publication, builds: Iterable[IndexBuild]) -> dict[int, int]:
    """By index: what the build before had, and what came and went since."""
    indices = {build.index_id: build.index for build in builds}
    if not indices:
        return {}
    changes = changes_of(publication, full=False)
    before = IndexBuild.objects.filter(index__in=indices).shown_by(publication.serial - 1)
    totals = {}
    for number, counts in before.values_list("index_id", "counts"):
        fitting = [change for change in changes if change.fits(indices[number])]
        totals[number] = sum(counts) + sum(change.came - change.went for change in fitting)
    return totals


def _build_faults(build: IndexBuild, data: Mapping[str, bytes], reader: Reader) -> Iterator[str]:
    """What was written anew, unpacked and parsed, against the database."""
    zst = data.get(build.zst.sha256) or _read(build.zst)
    if zst is None:
        yield f"{build} on disk is not what was built"
        return
    gz_file = Parts(data[build.gz.sha256], build.gz_sizes)
    zst_file = Parts(zst, build.zst_sizes)
    written = reader.buckets_of(build)
    wanted = reader.read(build)
    for bucket in written:
        try:
            text = buckets.unpack_gz(gz_file.part(bucket + 1))
            same = text == buckets.unpack_zst(zst_file.part(bucket + 1))
            found = list(form_of(build.index.name).read(text))
        except (DamagedError, ValueError) as error:
            yield f"{build}, bucket {bucket}: {error}"
            return
        if not same:
            yield f"{build}, bucket {bucket}: gz and zst differ"
        if len(found) != build.counts[bucket] or not _agree(found, wanted.get(bucket, [])):
            yield f"{build}, bucket {bucket} is not what the repository holds"


class Reader:
    """What the database knows of the packages that have to be read. The last answer is remembered,
    as the three kinds of YUM show the same ones. `new` are those that nobody was shown before, and
    all of an index that is read as a whole.
    """

    def __init__(self, publication: Publication) -> None:
        current = publication.repository.current
        self._serial = publication.serial
        self._shown = current.serial if current else 0
        self._reads_all = publication.state == Publication.State.CURRENT
        self._known: tuple[object, dict[int, list[Known]]] = (None, {})
        self.new: list[Known] = []

    def buckets_of(self, build: IndexBuild) -> Sequence[int]:
        """The buckets of the index that have to be read."""
        return range(len(build.counts)) if self._reads_all else build.written

    def reads_all_of(self, build: IndexBuild) -> bool:
        return len(self.buckets_of(build)) == len(build.counts)

    def read(self, build: IndexBuild) -> Mapping[int, list[Known]]:
        """The packages in these buckets, by bucket."""
        number, read = len(build.counts), list(self.buckets_of(build))
        wanted = (build.index.shows, number, read)
        if self._known[0] != wanted:
            self._known = (wanted, self._ask(build, read))
        return self._known[1]

    def _ask(self, build: IndexBuild, wanted: Sequence[int]) -> dict[int, list[Known]]:
        number = len(build.counts)
        after = 0 if self.reads_all_of(build) else self._shown
        found: dict[int, list[Known]] = {}
        members = shown_in(build.index, self._serial)
        for spans in some_at_once(buckets.spans_of(wanted, number)):
            rows = members.in_slots(spans).values_list("slot", "since_serial", *FIELDS)
            for slot, since, *fields in rows:
                entry = Known(*fields)
                found.setdefault(buckets.bucket_of(slot, number), []).append(entry)
                if since > after:
                    self.new.append(entry)
        return found


def _agree(found: Iterable[Known], wanted: Iterable[Known]) -> bool:
    """An index other than primary says less of a package than the database knows."""
    told = set(found)
    if all(one.path for one in told):
        return told == set(wanted)
    return told == {replace(one, path="", size=0) for one in wanted}


def _missing(packages: Iterable[Known]) -> Iterator[str]:
    for package in packages:
        if not store.blob_path(package.sha256).exists():
            yield f"{package.name} {package.version} {package.architecture} is not in the store"
