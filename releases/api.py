"""Uploading the files of a release: announced, sent in chunks, finished, then looked at.

In the manner of tus: the offset is what is durably on disk. A client that was cut off asks with
HEAD where to go on.
"""

from __future__ import annotations

import re
from typing import Any, Final, cast
from uuid import UUID

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Field, Router, Schema, Status
from ninja.errors import HttpError

from portal.accounts.models import ApiToken
from portal.accounts.tokens import TokenAuth, TokenScope
from releases import tasks
from releases.actions import upload as uploads
from releases.errors import RefusedError, WrongOffsetError
from releases.models import Product, Release, Upload

OFFSET: Final = re.compile(r"[0-9]{1,18}")

router = Router(tags=["uploads"], auth=TokenAuth(TokenScope.UPLOAD_RELEASES))


class Announcement(Schema):
    """What is about to be sent."""

    product: str = Field(max_length=60)
    version: str = Field(max_length=60)
    name: str = Field(max_length=200)
    size: int
    sha256: str = Field(max_length=64)
    os: str = Field("", pattern="^(Source|Linux|Windows|macOS|)$")
    cpu: str = Field("", pattern="^[a-z0-9_]{0,20}$")
    distributions: list[str] = Field(default_factory=list, max_length=40)


class UploadState(Schema):
    """Where an upload stands. `state`: open, received, accepted or refused (with a reason)."""

    id: UUID
    name: str
    size: int
    offset: int
    state: str
    reason: str
    chunk: int = uploads.LARGEST_CHUNK


class Problem(Schema):
    detail: str


def _token(request: HttpRequest) -> ApiToken:
    return cast(ApiToken, cast(Any, request).auth)


def _products(token: ApiToken) -> Any:
    """The products that this token may send files for."""
    managed = Product.objects.managed_by(token.user, timezone.now())
    limit = token.limits.get("product")
    return managed.filter(slug=limit) if limit else managed


def _upload(request: HttpRequest, upload_id: UUID) -> Upload:
    allowed = Upload.objects.filter(release__series__product__in=_products(_token(request)))
    return get_object_or_404(allowed, pk=upload_id)


def _offset(request: HttpRequest) -> int:
    text = request.headers.get("Upload-Offset", "")
    if not OFFSET.fullmatch(text):
        raise HttpError(400, "Say in Upload-Offset where the chunk begins.")
    return int(text)


@router.post(
    "", url_name="announce_upload", response={200: UploadState, 404: Problem, 409: Problem}
)
def announce(request: HttpRequest, announcement: Announcement) -> Any:
    """Announce a file of a draft release; the same announcement again resumes the same upload."""
    token = _token(request)
    release = Release.objects.filter(
        series__product__in=_products(token),
        series__product__slug=announcement.product,
        version=announcement.version,
    ).first()
    if release is None:
        message = "There is no draft of this version that you manage: make one on the staff page."
        return Status(404, {"detail": message})
    try:
        return Status(
            200,
            uploads.announce_upload(
                actor=token.user,
                release=release,
                at=timezone.now(),
                **announcement.model_dump(exclude={"product", "version"}),
            ),
        )
    except RefusedError as error:
        return Status(409, {"detail": str(error)})


@router.get("/{uuid:upload_id}", url_name="upload", response=UploadState)
def show(request: HttpRequest, upload_id: UUID) -> Upload:
    """Where the upload stands."""
    return _upload(request, upload_id)


@router.api_operation(["HEAD"], "/{uuid:upload_id}", url_name="upload", include_in_schema=False)
def offset(request: HttpRequest, upload_id: UUID) -> HttpResponse:
    """The offset to go on from, as a header."""
    return _with_offset(HttpResponse(), _upload(request, upload_id).offset)


@router.patch("/{uuid:upload_id}", url_name="upload", response={204: None, 409: Problem})
def append(request: HttpRequest, upload_id: UUID) -> HttpResponse:
    """Append the body, at most 8 MiB, at Upload-Offset."""
    upload = _upload(request, upload_id)
    try:
        reached = uploads.append_chunk(upload=upload, offset=_offset(request), data=request.body)
    except WrongOffsetError as error:
        return _conflict(error, error.offset)
    except RefusedError as error:
        return _conflict(error, upload.offset)
    return _with_offset(HttpResponse(status=204), reached)


@router.post(
    "/{uuid:upload_id}/finish", url_name="finish_upload", response={202: UploadState, 409: Problem}
)
def finish(request: HttpRequest, upload_id: UUID) -> Any:
    """Say that all bytes are there. Ask again for the state until it is accepted or refused."""
    upload = _upload(request, upload_id)
    try:
        upload = uploads.finish_upload(actor=_token(request).user, upload=upload, at=timezone.now())
    except WrongOffsetError as error:
        return _conflict(error, error.offset)
    transaction.on_commit(lambda: tasks.accept.delay(str(upload.pk)))
    return Status(202, upload)


def _conflict(error: RefusedError, reached: int) -> HttpResponse:
    body = Problem(detail=str(error)).model_dump_json()
    response = HttpResponse(body, status=409, content_type="application/json")
    return _with_offset(response, reached)


def _with_offset(response: HttpResponse, reached: int) -> HttpResponse:
    response["Upload-Offset"] = str(reached)
    response["Cache-Control"] = "no-store"
    return response
