"""The check before the switch: what a publication would show, read again from the disk.

What was written anew is unpacked, parsed and compared with the database; what is shown as before
must be there. A full publication is written anew as a whole, and so it is read as a whole.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from releases import store
from releases.actions.index import changes_of, shown_before, shown_in, some_at_once
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
    is_shown = publication.state == Publication.State.CURRENT
    before = {} if is_shown else shown_before(publication)
    builds = IndexBuild.objects.filter(index__repository=publication.repository_id)
    builds = builds.order_by("index_id")
    wanted = builds.shown_by(publication.serial) if is_shown else builds
    if not is_shown:
        wanted = wanted.filter(serial=publication.serial)
    fresh = list(wanted.select_related("index", "gz", "zst"))
    files = {file.path: file.blob for file in publication.files.select_related("blob")}
    clean = {blob.sha256 for build in before.values() for blob in (build.gz, build.zst)}
    clean -= {blob.sha256 for build in fresh for blob in (build.gz, build.zst)}
    data: dict[str, bytes] = {}
    for path, blob in files.items():
        found = b"" if blob.sha256 in clean and _has_size(blob) else _read(blob)
        if found is None:
            yield f"{path} on disk is not what was built"
        else:
            data[blob.sha256] = found
    yield from _list_faults(publication, files, data)
    yield from _total_faults(publication, fresh, before)
    for build in fresh:
        yield from _build_faults(publication, build, before.get(build.index_id), data)


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
    publication: Publication, fresh: Iterable[IndexBuild], before: Mapping[int, IndexBuild]
) -> Iterator[str]:
    """The totals of an index follow from those before and what came and went; those of an index
    that was written as a whole are counted.
    """
    changes = changes_of(publication, full=False)
    for build in fresh:
        index, base = build.index, before.get(build.index_id)
        if not build.counts:
            continue
        if base is None or len(build.written) == len(build.counts):
            wanted = shown_in(index, publication.serial).count()
        else:
            fitting = [change for change in changes if change.fits(index)]
            wanted = base.packages + sum(change.came - change.went for change in fitting)
        if build.packages != wanted:
            yield f"{index} lists {build.packages} packages, the repository holds {wanted}"


def _build_faults(
    publication: Publication,
    build: IndexBuild,
    base: IndexBuild | None,
    data: Mapping[str, bytes],
) -> Iterator[str]:
    """What was written anew, unpacked and parsed, against the database."""
    zst = data.get(build.zst.sha256) or _read(build.zst)
    if zst is None:
        yield f"{build} on disk is not what was built"
        return
    gz_file = Parts(data[build.gz.sha256], build.gz_sizes)
    zst_file = Parts(zst, build.zst_sizes)
    written = range(len(build.counts)) if base is None else build.written
    wanted = _wanted(publication, build, written)
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
        known = [one for one, _ in wanted.get(bucket, [])]
        if len(found) != build.counts[bucket] or not _agree(found, known):
            yield f"{build}, bucket {bucket} is not what the repository holds"
    current = publication.repository.current
    after = current.serial if base is not None and current else 0
    entries = (entry for bucket in wanted.values() for entry in bucket)
    yield from _missing(known for known, since in entries if since > after)


def _wanted(
    publication: Publication, build: IndexBuild, written: Iterable[int]
) -> dict[int, list[tuple[Known, int]]]:
    """What the database knows of the packages in these buckets, and since when each is shown."""
    number = len(build.counts)
    found: dict[int, list[tuple[Known, int]]] = {}
    members = shown_in(build.index, publication.serial)
    for spans in some_at_once(buckets.spans_of(written, number)):
        rows = members.in_slots(spans).values_list("slot", "since_serial", *FIELDS)
        for slot, since, *fields in rows:
            entry = Known(*fields), since
            found.setdefault(buckets.bucket_of(slot, number), []).append(entry)
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
