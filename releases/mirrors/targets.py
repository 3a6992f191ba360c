"""What a probe fetches of a mirror: a few indices, the first line of its manifest, samples."""

from __future__ import annotations

import datetime as dt
from typing import Final

from releases.mirrors.probe import Target, Wanted
from releases.mirrors.sample import samples_of
from releases.models import IndexFile, Mirror, Part, Repository
from releases.serving import below, part_of, root

REPOSITORIES: Final = 8  # looked at in one probe: what is behind first, then what waited longest
INDEX_MOST: Final = 2**20
MANIFEST: Final = Wanted("manifest.txt", 200, only_beginning=True)


def target_of(mirror: Mirror, at: dt.datetime) -> Target:
    wanted = [Wanted(index_path(found), INDEX_MOST) for found in chosen_repositories(mirror)]
    if Part.FILES in mirror.parts:
        wanted.append(MANIFEST)
    return Target(mirror.pk, mirror.base_url, wanted, samples_of(mirror, at))


def carried_repositories(mirror: Mirror) -> list[Repository]:
    """Live repositories that the mirror is said to have."""
    live = Repository.objects.live().select_related("series__product", "release", "current")
    products = set(mirror.products.values_list("pk", flat=True))
    return [
        repository
        for repository in live
        if part_of(repository) in mirror.parts
        and (not products or repository.series.product_id in products)
    ]


def chosen_repositories(mirror: Mirror) -> list[Repository]:
    seen = {found.repository_id: found for found in mirror.sightings.all()}

    def order(repository: Repository) -> tuple[bool, float]:
        sighting = seen.get(repository.pk)
        serial = repository.current.serial if repository.current else 0
        if sighting is None:
            return False, 0.0
        return sighting.serial >= serial, sighting.seen_at.timestamp()

    return sorted(carried_repositories(mirror), key=order)[:REPOSITORIES]


def index_name(repository: Repository) -> str:
    """The signed index, as it is called among the files of a publication."""
    return "InRelease" if repository.system.is_deb else "repodata/repomd.xml"


def index_path(repository: Repository) -> str:
    """Where a mirror has it."""
    name = f"{below(repository)}{index_name(repository)}"
    return f"{part_of(repository)}/{root(repository)}/{name}"


def serials_of(repository: Repository, sha256: str) -> list[int]:
    """The publications whose signed index has these bytes, newest first."""
    files = IndexFile.objects.filter(
        publication__repository=repository, path=index_name(repository), blob__sha256=sha256
    )
    return list(
        files.order_by("-publication__serial").values_list("publication__serial", flat=True)
    )
