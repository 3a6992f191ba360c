"""Bytes: files of releases with checksums and signatures, repositories, keys, the client."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from portal.lib.program import checksum_response, program_response
from releases import downloads, serving, store
from releases.mirrors.redirect import to_mirror
from releases.mirrors.ways import among_files
from releases.models import File, Release
from releases.streaming import file_response

CONTENT_TYPES: Final = {
    ".asc": "application/pgp-signature",
    ".deb": "application/vnd.debian.binary-package",
    ".gz": "application/gzip",
    ".gpg": "application/pgp-signature",
    ".msi": "application/x-msi",
    ".rpm": "application/x-rpm",
    ".xml": "application/xml",
    ".zip": "application/zip",
    ".zst": "application/zstd",
}
PLAIN: Final = "text/plain; charset=utf-8"
TEXTS: Final = {"InRelease", "Release", "Packages"}
CHECKSUMS: Final = ("md5", "sha1", "sha256", "sha512")
CLIENT: Final = Path(__file__).resolve().parent.parent / "client" / "portal_upload.py"


def content_type_of(name: str) -> str:
    if name in TEXTS:
        return PLAIN
    return CONTENT_TYPES.get(Path(name).suffix, "application/octet-stream")


def _published_file(product: str, version: str, name: str) -> File:
    published = Release.objects.published(timezone.now())
    files = File.objects.downloadable().filter(
        release__in=published, release__series__product__slug=product, release__version=version
    )
    related = files.select_related("blob", "release__series__product")
    return get_object_or_404(related, name=name)


@require_safe
def release_file(request: HttpRequest, product: str, version: str, name: str) -> HttpResponseBase:
    """A file of a published release."""
    file = _published_file(product, version, name)
    response = to_mirror(request, among_files(file)) or _own(request, file)
    downloads.note(request, response, file.pk, timezone.now())
    return response


def _own(request: HttpRequest, file: File) -> HttpResponseBase:
    """The bytes from here."""
    response = file_response(
        request,
        store.blob_path(file.blob.sha256),
        size=file.blob.size,
        sha256=file.blob.sha256,
        content_type=content_type_of(file.name),
        cache=serving.FOREVER if not hasattr(file, "package") else serving.ASK_AGAIN,
        modified=file.uploaded_at,
    )
    response["Content-Disposition"] = f'attachment; filename="{file.name}"'
    return response


@require_safe
def release_file_checksum(
    request: HttpRequest, product: str, version: str, name: str, algorithm: str
) -> HttpResponse:
    """A line that `sha256sum --check` and its like read."""
    file = _published_file(product, version, name)
    if algorithm not in CHECKSUMS:
        raise Http404
    line = f"{getattr(file.blob, algorithm)}  {file.name}\n"
    return HttpResponse(line, content_type=PLAIN)


@require_safe
def release_file_signature(
    request: HttpRequest, product: str, version: str, name: str
) -> HttpResponse:
    file = _published_file(product, version, name)
    if not file.signature:
        raise Http404
    return HttpResponse(file.signature, content_type=CONTENT_TYPES[".asc"])


@require_safe
def release_checksums(
    request: HttpRequest, product: str, version: str, algorithm: str
) -> HttpResponse:
    """One line for each file of the release."""
    published = Release.objects.published(timezone.now())
    release = get_object_or_404(published, series__product__slug=product, version=version)
    if algorithm not in CHECKSUMS:
        raise Http404
    files = File.objects.downloadable().filter(release=release).select_related("blob")
    lines = "".join(f"{getattr(file.blob, algorithm)}  {file.name}\n" for file in files)
    return HttpResponse(lines, content_type=PLAIN)


@require_safe
def apt_path(request: HttpRequest, path: str = "") -> HttpResponseBase:
    return _answer(request, f"/repo/{path}", serving.find_apt(path))


@require_safe
def yum_path(request: HttpRequest, path: str = "") -> HttpResponseBase:
    return _answer(request, f"/yum/{path}", serving.find_yum(path))


def _answer(request: HttpRequest, path: str, found: serving.Found) -> HttpResponseBase:
    """A file, a folder with or without its slash, or 404. The roots are folders from the start."""
    if isinstance(found, serving.Served):
        response = to_mirror(request, found.carried) or file_response(
            request,
            store.blob_path(found.blob.sha256),
            size=found.blob.size,
            sha256=found.blob.sha256,
            content_type=content_type_of(found.name),
            cache=found.cache,
            modified=found.modified,
        )
        package = found.carried.package if found.carried else None
        if package is not None:
            downloads.note(request, response, package.file_id, timezone.now())
        return response
    if isinstance(found, serving.Folder) or path in {"/repo/", "/yum/"}:
        names = found.names if found else []
        context = {"path": f"{path.rstrip('/')}/", "names": names}
        return render(request, "releases/folder.html", context)
    raise Http404


@require_safe
def upload_client(request: HttpRequest) -> HttpResponse:
    """The command line client, one file."""
    return program_response(CLIENT)


@require_safe
def upload_client_checksum(request: HttpRequest) -> HttpResponse:
    """Its SHA-256, as `sha256sum --check` reads it."""
    return checksum_response(CLIENT)
