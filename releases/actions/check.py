"""The check before the switch: what a publication would show, read again from the disk.

What was written anew is unpacked, parsed and compared with the database; what is shown as before
must be there. A full publication is written anew as a whole, and so it is read as a whole.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace

from releases import store
from releases.actions.index import changes_of, shown_before, shown_in, some_at_once
from releases.models import Blob, IndexBuild, Publication
from releases.repository import apt, buckets, yum
from releases.repository.apt import Known
from releases.repository.buckets import DamagedError, Parts
from releases.repository.forms import form_of

FIELDS = ("name", "version", "architecture", "path", "file__blob__size", "file__blob__sha256")


def faults_of(publication: Publication) -> str:
    """The first thing that is wrong, or an empty text."""
    return next(_faults(publication), "")


def _faults(publication: Publication) -> Iterator[str]:
    builds = list(
        IndexBuild.objects.filter(index__repository=publication.repository_id)
        .shown_by(publication.serial)
        .select_related("index", "gz", "zst")
    )
    files = {file.path: file.blob for file in publication.files.select_related("blob")}
    fresh = [build for build in builds if build.serial == publication.serial]
    clean = {blob.sha256 for build in builds for blob in (build.gz, build.zst)} - {
        blob.sha256 for build in fresh for blob in (build.gz, build.zst)
    }
    data: dict[str, bytes] = {}
    for path, blob in files.items():
        if blob.sha256 in clean:
            if not _has_size(blob):
                yield f"{path} on disk is not what was built"
        elif (found := _read(blob)) is None:
            yield f"{path} on disk is not what was built"
        else:
            data[blob.sha256] = found
    yield from _list_faults(publication, files, data)
    yield from _total_faults(publication, builds)
    for build in fresh:
        yield from _build_faults(build, data)


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


def _total_faults(publication: Publication, builds: Iterable[IndexBuild]) -> Iterator[str]:
    """The totals of each index follow from those before and what came and went; those of an index
    that was written as a whole are counted.
    """
    before = shown_before(publication)
    changes = changes_of(publication, full=False)
    for build in builds:
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


def _build_faults(build: IndexBuild, data: dict[str, bytes]) -> Iterator[str]:
    """What was written anew, unpacked and parsed, against the database."""
    zst = data.get(build.zst.sha256) or _read(build.zst)
    if zst is None:
        yield f"{build} on disk is not what was built"
        return
    files = Parts(data[build.gz.sha256], build.gz_sizes), Parts(zst, build.zst_sizes)
    wanted = _wanted(build)
    for bucket in build.written:
        try:
            text, same = (
                unpack(file.part(bucket + 1))
                for unpack, file in zip((buckets.unpack_gz, buckets.unpack_zst), files, strict=True)
            )
            found = list(form_of(build.index.name).read(text))
        except (DamagedError, ValueError) as error:
            yield f"{build}, bucket {bucket}: {error}"
            return
        if text != same:
            yield f"{build}, bucket {bucket}: gz and zst differ"
        if len(found) != build.counts[bucket] or not _agree(found, wanted.get(bucket, [])):
            yield f"{build}, bucket {bucket} is not what the repository holds"
    yield from _missing(entry for entries in wanted.values() for entry in entries)


def _wanted(build: IndexBuild) -> dict[int, list[Known]]:
    """What the database knows of the packages in the buckets that were written anew."""
    number = build.index.buckets
    found: dict[int, list[Known]] = {}
    members = shown_in(build.index, build.serial)
    for spans in some_at_once(buckets.spans_of(build.written, number)):
        rows = members.in_slots(spans).values_list("slot", *(f"package__{one}" for one in FIELDS))
        for slot, *fields in rows:
            found.setdefault(buckets.bucket_of(slot, number), []).append(Known(*fields))
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
