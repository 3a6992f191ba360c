"""The package in an uploaded file: what is checked against the catalogue, and its row."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from releases.distributions import EVERY_PROCESSOR, PROCESSORS
from releases.errors import RefusedError
from releases.models import File, Package, Product, Upload
from releases.naming import expected_name
from releases.repository import apt


def check_package(*, upload: Upload, kind: str, inspected: dict[str, Any]) -> None:
    """Raises RefusedError when it is not what was announced, or there already."""
    _check_names(upload, kind, inspected)
    product = upload.release.series.product
    same = Package.objects.filter(product=product, format=kind).filter(
        Q(path=package_path(kind, inspected))
        | Q(**{field: inspected[field] for field in ("name", "version", "architecture")})
    )
    if (package := same.first()) is not None:
        raise RefusedError(
            _("%(package)s is there already. The same package and version is never replaced.")
            % {"package": str(package)}
        )


def _check_names(upload: Upload, kind: str, inspected: dict[str, Any]) -> None:
    architecture = inspected["architecture"]
    expected = expected_name(kind, inspected["name"], inspected["version"], architecture)
    if upload.name != expected:
        raise RefusedError(
            _("The package inside calls for the file name %(name)s.") % {"name": expected}
        )
    cpu = PROCESSORS.get(architecture, "")
    if upload.cpu and upload.cpu != cpu and architecture not in EVERY_PROCESSOR:
        raise RefusedError(
            _("The package is for %(inside)s, but %(announced)s was announced.")
            % {"inside": cpu, "announced": upload.cpu}
        )


def package_path(kind: str, inspected: dict[str, Any]) -> str:
    """Where the package lies in a repository: derived by us, unique for a product."""
    if kind == Package.Format.RPM:
        return str(inspected["location"])
    return apt.pool_path(
        inspected["source"],
        inspected["name"],
        inspected["version"],
        inspected["architecture"],
    )


def make_package(*, file: File, product: Product, kind: str, inspected: dict[str, Any]) -> Package:
    """The package's row; within the transaction that makes its file."""
    package = new_package(file=file, product=product, kind=kind, inspected=inspected)
    package.save(force_insert=True)
    return package


def new_package(*, file: File, product: Product, kind: str, inspected: dict[str, Any]) -> Package:
    """The same, not saved yet."""
    path = package_path(kind, inspected)
    if kind == Package.Format.DEB:
        stanza = apt.stanza(inspected["control"], path, file.blob.digests)
        stanzas = {"packages": stanza.decode()}
    else:
        stanzas = {}  # written when the rpm is signed: its bytes change then
    return Package(
        file=file,
        product=product,
        format=kind,
        name=inspected["name"],
        version=inspected["version"],
        architecture=inspected["architecture"],
        component=apt.component_of(inspected["name"], inspected.get("section", "")),
        path=path,
        stanzas=stanzas,
    )
