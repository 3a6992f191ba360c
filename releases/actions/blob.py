"""The rows of bytes that lie in the store."""

from __future__ import annotations

from collections.abc import Iterable

from releases.models import Blob
from releases.repository.apt import Digests


def keep_blob(found: Digests) -> Blob:
    """The row of bytes that lie in the store already, with every digest that is known now."""
    fields = {"sha1": found.sha1, "md5": found.md5, "sha512": found.sha512, "size": found.size}
    blob, _ = Blob.objects.get_or_create(sha256=found.sha256, defaults=fields)
    if found.sha512 and not blob.sha512:  # an index had these bytes first
        Blob.objects.filter(pk=blob.pk).update(**fields)
        blob.refresh_from_db()
    return blob


def keep_blobs(found: Iterable[Digests]) -> dict[str, Blob]:
    """The rows of several, by SHA-256. A row that is there tells its key, and learns the digests
    that it lacks; in one order, so that two processes never wait for each other.
    """
    wanted = {one.sha256: one for one in found}
    rows = [
        Blob(sha256=one.sha256, sha1=one.sha1, md5=one.md5, sha512=one.sha512, size=one.size)
        for _, one in sorted(wanted.items())
    ]
    learnt = ["sha1", "md5", "sha512"] if all(row.sha512 for row in rows) else []
    kept = Blob.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["sha256"],
        update_fields=["size", *learnt],
    )
    return {blob.sha256: blob for blob in kept}
