"""What may be announced for a draft: names, sizes, systems, and how many at a time."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from releases.distributions import DISTRIBUTIONS
from releases.errors import RefusedError
from releases.models import Release, Upload
from releases.models.upload import UploadQuerySet
from releases.naming import package_format

LARGEST: Final = 10 * 2**30
MOST_BEGUN: Final = 300  # uploads of a draft that still take bytes
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+~-]{0,199}")
SHADOWED: Final = re.compile(r"\.(asc|md5|sha1|sha256|sha512)$|sums\.txt$")  # our own addresses
SHA256: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Announced:
    """What somebody says of a file before its bytes come."""

    name: str
    size: int
    sha256: str
    os: str = ""
    cpu: str = ""
    distributions: tuple[str, ...] = ()


def check_announcement(*, release: Release, asked: Announced, at: dt.datetime) -> None:
    """Raises RefusedError, in words that say what to do, when this cannot be sent."""
    if release.is_published(at):
        raise RefusedError(_("This release is published: its files are fixed. Make a new version."))
    if not NAME.fullmatch(asked.name) or ".." in asked.name:
        raise RefusedError(_("A file name has letters, digits and . _ + ~ - only."))
    if SHADOWED.search(asked.name):
        raise RefusedError(
            _(
                "Checksums and signatures are made here: send no .asc, .md5, .sha1, .sha256 or"
                " .sha512 and no list of checksums (sums.txt)."
            )
        )
    if not 0 < asked.size <= LARGEST:
        raise RefusedError(_("A file has between 1 byte and 10 GiB."))
    if asked.sha256 and not SHA256.fullmatch(asked.sha256):
        raise RefusedError(
            _("Announce the SHA-256 of the file as 64 lower-case hexadecimal digits.")
        )
    _check_distributions(asked)


def _check_distributions(asked: Announced) -> None:
    if unknown := sorted(set(asked.distributions) - set(DISTRIBUTIONS)):
        raise RefusedError(
            _("Unknown distribution %(unknown)s. Known are: %(known)s.")
            % {"unknown": ", ".join(unknown)[:80], "known": ", ".join(DISTRIBUTIONS)}
        )
    kind = package_format(asked.name)
    formats = {DISTRIBUTIONS[slug].format for slug in asked.distributions}
    if kind and formats != {kind}:
        raise RefusedError(
            _("Say for which distributions of format %(kind)s this package is.") % {"kind": kind}
        )
    if not kind and formats:
        raise RefusedError(_("Only packages (.deb, .rpm) belong to distributions."))


def earlier_upload(*, release: Release, asked: Announced) -> Upload | None:
    """What was sent under this name before, locked: its check may be accepting it just now.

    An upload that was only begun may be of other bytes: it makes way. Raises RefusedError when
    the name has other bytes already, or the draft has too many uploads.
    """
    if not asked.sha256:
        raise RefusedError(
            _("Announce the SHA-256 of the file as 64 lower-case hexadecimal digits.")
        )
    live = Upload.objects.live().filter(release=release)
    before = live.select_for_update(of=["self"]).filter(name=asked.name).first()
    return _compared(before, live, asked)


def look_up(*, release: Release, asked: Announced) -> Upload | None:
    """The same without a lock, and without a digest if there is none yet."""
    live = Upload.objects.live().filter(release=release)
    return _compared(live.filter(name=asked.name).first(), live, asked)


def _compared(before: Upload | None, live: UploadQuerySet, asked: Announced) -> Upload | None:
    if before is None:
        if live.begun().count() >= MOST_BEGUN:
            raise RefusedError(
                _("%(count)d uploads of this draft are begun. Finish or take back some first.")
                % {"count": MOST_BEGUN}
            )
        return None
    same = before.size == asked.size and asked.sha256 in ("", before.sha256)
    if not same and not before.is_open:
        raise RefusedError(
            _("%(name)s is there with other bytes. A name never gets other bytes.")
            % {"name": asked.name}
        )
    if same:
        _check_same_distributions(before, asked)
    return before


def _check_same_distributions(before: Upload, asked: Announced) -> None:
    """The same bytes for other distributions would change nothing: say so."""
    if set(before.distributions) != set(asked.distributions):
        raise RefusedError(
            _("%(name)s is here for %(held)s; take it out first to change that.")
            % {"name": asked.name, "held": ", ".join(before.distributions)}
        )
