"""Files of which a probe fetches the bytes: packages, and files of releases in whole or in part."""

from __future__ import annotations

import datetime as dt
import hashlib
import logging
import secrets
from typing import Final

from django.db.models import F, Q

from releases.mirrors.fetch import Piece
from releases.mirrors.manifest import Contents
from releases.mirrors.probe import Sample, Wanted
from releases.mirrors.ways import among_files, package_path
from releases.models import Blob, File, Membership, Mirror, Part
from releases.store import blob_path

logger = logging.getLogger(__name__)

PACKAGE_MOST: Final = 4 * 2**20  # larger packages are not sampled
PIECE: Final = 64 * 2**10  # of a larger file of a release
NEWEST: Final = 100  # a sample is one of these


def samples_of(mirror: Mirror, at: dt.datetime) -> list[Sample]:
    return [*_package_samples(mirror), *_file_samples(mirror, at)]


def _package_samples(mirror: Mirror) -> list[Sample]:
    """A package that the mirror should have by now."""
    has = Q(
        repository__sightings__mirror=mirror,
        since_serial__lte=F("repository__sightings__serial"),
    )
    held = Membership.objects.filter(
        has, until_serial=None, package__file__blob__size__lte=PACKAGE_MOST
    )
    newest = list(held.order_by("-pk").values_list("pk", flat=True)[:NEWEST])
    if not newest:
        return []
    found = held.select_related(
        "repository__series__product", "repository__release", "package__file__blob"
    )
    membership = found.get(pk=secrets.choice(newest))
    path = package_path(membership.repository, membership.package)
    return [Sample(Wanted(path, PACKAGE_MOST), membership.package.file.blob.sha256)]


def _file_samples(mirror: Mirror, at: dt.datetime) -> list[Sample]:
    """One of the newest that it says it has; and the oldest while it has said nothing yet, so that
    whatever it will say is put to the test at once.
    """
    if Part.FILES not in mirror.parts:
        return []
    files = Contents(mirror.files_until or at).files().select_related("blob")
    if products := list(mirror.products.values_list("pk", flat=True)):
        files = files.filter(release__series__product__in=products)
    newest_first = files.order_by("-release__published_at", "-pk")
    newest = list(newest_first.values_list("pk", flat=True)[:NEWEST])
    chosen = {secrets.choice(newest)} if newest else set()
    if newest and mirror.files_until is None:
        chosen.add(newest_first.reverse().values_list("pk", flat=True)[0])
    found = files.filter(pk__in=chosen).select_related("release__series__product")
    return [sample for file in found if (sample := _file_sample(file))]


def _file_sample(file: File) -> Sample | None:
    """All of a small file, else a part of it at a place that nobody can foresee. None where our
    own copy cannot be read: no mirror is to blame for that.
    """
    carried = among_files(file)
    assert carried is not None  # noqa: S101  (the file is of a published release, and no package)
    if file.blob.size <= PIECE:
        return Sample(Wanted(carried.path, PIECE), file.blob.sha256, carried.since)
    piece = Piece(secrets.randbelow(file.blob.size - PIECE + 1), PIECE, file.blob.size)
    try:
        digest = _digest_here(file.blob, piece)
    except OSError:
        logger.exception("our own copy of %s", carried.path)
        return None
    return Sample(Wanted(carried.path, PIECE, piece=piece), digest, carried.since)


def _digest_here(blob: Blob, piece: Piece) -> str:
    with blob_path(blob.sha256).open("rb") as file:
        file.seek(piece.start)
        return hashlib.sha256(file.read(piece.length)).hexdigest()
