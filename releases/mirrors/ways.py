"""Where mirrors have a published file: below releases/, a package in its repositories."""

from __future__ import annotations

from collections.abc import Iterator

from releases.mirrors.carried import Carried
from releases.models import File, Membership, Package, Part, Repository
from releases.serving import part_of, root


def among_files(file: File) -> Carried | None:
    """A file of a release, unless it is a package: those are in repositories alone."""
    release = file.release
    if release is None or release.published_at is None or hasattr(file, "package"):
        return None
    product = release.series.product
    path = f"{Part.FILES}/{product.slug}/{release.version}/{file.name}"
    return Carried(
        product=product, part=Part.FILES, path=path, blob=file.blob, since=release.published_at
    )


def package_path(repository: Repository, package: Package) -> str:
    return f"{part_of(repository)}/{root(repository)}/{package.path}"


def ways_to(file: File) -> Iterator[Carried]:
    """Every place that mirrors may have the file at."""
    if not hasattr(file, "package"):
        found = among_files(file)
        if found is not None:
            yield found
        return
    live = Membership.objects.filter(package=file.package, until_serial=None)
    related = live.filter(repository__in=Repository.objects.live()).order_by("pk")
    for membership in related.select_related("repository__series__product", "repository__release"):
        repository = membership.repository
        yield Carried(
            product=repository.series.product,
            part=part_of(repository),
            path=package_path(repository, file.package),
            blob=file.blob,
            repositories=(repository,),
            package=file.package,
        )
