"""What an .rpm says of itself, with its paragraphs for the indices; its digests are compared.

createrepo_c (GPL) is used here and nowhere else in the portal.
"""

from __future__ import annotations

from typing import BinaryIO, Final

import createrepo_c

from releases.repository import rpm, yum

MOST_FILES: Final = 200_000


def inspect(stream: BinaryIO, size: int) -> dict[str, object]:
    outside = rpm.check(stream)
    found = createrepo_c.package_from_rpm(f"/proc/self/fd/{stream.fileno()}")
    nevra = yum.Nevra(found.name, found.epoch or "0", found.version, found.release, found.arch)
    if len(found.files) > MOST_FILES:
        raise rpm.RpmError("the rpm lists too many files")
    found.location_href = nevra.location
    found.time_file = found.time_build
    primary, filelists, other = createrepo_c.xml_dump(found)
    return {
        "name": nevra.name,
        "version": nevra.full_version,
        "architecture": nevra.architecture,
        "location": nevra.location,
        "primary": primary,
        "filelists": filelists,
        "other": other,
        "signed": rpm.signature_of(outside) is not None,
    }
