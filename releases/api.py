"""Uploading the files of a release: announced, sent in chunks, finished, then looked at.

In the manner of tus: the offset is what is durably on disk. A client that was cut off asks with
HEAD where to go on.
"""

from __future__ import annotations

import re
from typing import Any, Final, cast
from uuid import UUID

from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from ninja import Field, Router, Schema, Status
from ninja.errors import HttpError
from ninja.security import SessionAuth

from portal.accounts.models import ApiToken, User
from portal.accounts.tokens import TokenAuth, TokenScope
from portal.lib import ratelimit
from portal.lib.problems import Problem, problem, refused
from releases import naming, tasks
from releases.actions import announcement as announcements
from releases.actions import upload as uploads
from releases.errors import RefusedError, WrongOffsetError
from releases.models import Product, Release, Upload
from releases.models.release import ReleaseQuerySet

OFFSET: Final = re.compile(r"[0-9]{1,18}")
NO_NUL: Final = r"^[^\x00]*$"  # what PostgreSQL takes as text
ANNOUNCEMENTS_A_MINUTE: Final = 600
TOO_OFTEN: Final = "Too many announcements from this address: wait a minute and go on."


class ManagerSession(SessionAuth):
    """The page of a release manager: a session, and Django's token against forged requests."""

    def authenticate(self, request: HttpRequest, key: str | None) -> User | None:
        user = request.user
        is_manager = Product.objects.managed_by(user, timezone.now()).exists()
        return user if isinstance(user, User) and is_manager else None


CHUNK: Final[dict[str, Any]] = {
    "parameters": [
        {
            "name": "Upload-Offset",
            "in": "header",
            "required": True,
            "description": "where the chunk begins: all that came before is on disk",
            "schema": {"type": "string", "pattern": "^[0-9]{1,18}$"},
            "example": "0",
        }
    ],
    "requestBody": {
        "required": True,
        "description": "Bytes, at most `chunk` of them. The answer says in Upload-Offset how far it"
        " is; 409 says so too, where the chunk began elsewhere.",
        "content": {
            "application/offset+octet-stream": {"schema": {"type": "string", "format": "binary"}}
        },
    },
}
router = Router(tags=["uploads"], auth=[TokenAuth(TokenScope.UPLOAD_RELEASES), ManagerSession()])


class Announcement(Schema):
    """What is about to be sent."""

    product: str = Field(max_length=60, pattern=NO_NUL, examples=["exampledb"])
    version: str = Field(max_length=60, pattern=NO_NUL, examples=["11.8.10"])
    name: str = Field(max_length=200, pattern=NO_NUL, examples=["exampledb-11.8.10.tar.gz"])
    size: int = Field(strict=True, examples=[3])
    sha256: str = Field(
        "",
        max_length=64,
        pattern=NO_NUL,
        examples=["ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
        description="Needed to send; not to ask beforehand.",
    )
    os: str = Field("", pattern="^(Source|Linux|Windows|macOS|)$")
    cpu: str = Field("", pattern="^[a-z0-9_]{0,20}$")
    distributions: list[str] = Field(default_factory=list, max_length=40)


class UploadState(Schema):
    """Where an upload stands. `state`: open, received, accepted or refused (with a reason)."""

    id: UUID
    name: str = Field(examples=["exampledb-11.8.10.tar.gz"])
    size: int = Field(examples=[3])
    offset: int = Field(examples=[0])
    state: str = Field(examples=["open"])
    reason: str = Field(examples=[""])
    chunk: int = uploads.LARGEST_CHUNK


class Prospect(Schema):
    """What would come of an announcement: what the name tells, where an earlier one stands, and
    what stands against it.
    """

    distributions: list[str]
    os: str
    cpu: str
    state: str = Field("new", description="new, open, received or accepted")
    offset: int = 0
    problem: str = Field("", description="why it would be refused; mostly empty")


def _user(request: HttpRequest) -> User:
    """Who sends: the owner of the token, or of the session."""
    found: ApiToken | User = cast(Any, request).auth
    return found.user if isinstance(found, ApiToken) else found


def _releases(request: HttpRequest) -> ReleaseQuerySet:
    """The releases that files may be sent for: its owner's, within the limits of the token."""
    releases, limits = _managed(request), _limits(request)
    if product := limits.get("product"):
        releases = releases.filter(series__product__slug=product)
    if series := limits.get("series"):
        releases = releases.filter(series__name=series)
    return releases


def _managed(request: HttpRequest) -> ReleaseQuerySet:
    """The releases that the owner looks after, whatever the token is limited to."""
    managed = Product.objects.managed_by(_user(request), timezone.now())
    return Release.objects.filter(series__product__in=managed).with_names()


def _limits(request: HttpRequest) -> dict[str, str]:
    """What the token is limited to; a session is to nothing."""
    found: ApiToken | User = cast(Any, request).auth
    return found.limits if isinstance(found, ApiToken) else {}


def _upload(request: HttpRequest, upload_id: UUID) -> Upload:
    allowed = Upload.objects.filter(release__in=_releases(request))
    return get_object_or_404(allowed, pk=upload_id)


def _release(request: HttpRequest, announcement: Announcement) -> Release:
    release = _releases(request).filter(**_names(announcement)).first()
    if release is None:
        raise HttpError(404, _missing(request, announcement))
    return release


def _names(announcement: Announcement) -> dict[str, str]:
    return {"series__product__slug": announcement.product, "version": announcement.version}


def _missing(request: HttpRequest, announcement: Announcement) -> str:
    """Why there is no such release for the one who asks."""
    limits = _limits(request)
    if (product := limits.get("product")) and product != announcement.product:
        return f"Your token is only for {product}."
    series = limits.get("series")
    if series and _managed(request).filter(**_names(announcement)).exists():
        return f"Your token is only for series {series}."
    page = reverse("releases:manage_new")
    return f"There is no draft of this version: make one at {page}"


def _offset(request: HttpRequest) -> int:
    text = request.headers.get("Upload-Offset", "")
    if not OFFSET.fullmatch(text):
        raise HttpError(400, "Say in Upload-Offset where the chunk begins.")
    return int(text)


@router.post(
    "",
    url_name="announce_upload",
    summary="Announce a file",
    response={200: UploadState, 404: Problem, 409: Problem, 429: Problem},
)
def announce(request: HttpRequest, announcement: Announcement) -> Any:
    """Announce a file of a draft release; the same announcement again resumes the same upload."""
    if not _may_announce(request):
        return refused(429, TOO_OFTEN)
    release = _release(request, announcement)
    try:
        return Status(
            200,
            uploads.announce_upload(
                actor=_user(request),
                release=release,
                at=timezone.now(),
                **announcement.model_dump(exclude={"product", "version"}),
            ),
        )
    except RefusedError as error:
        return refused(409, str(error))


@router.post(
    "/check",
    url_name="check_upload",
    summary="Ask what an announcement would come to",
    response={200: Prospect, 404: Problem, 429: Problem},
)
def check(request: HttpRequest, announcement: Announcement) -> Any:
    """Ask what an announcement would come to, and change nothing.

    What it leaves open (distributions, system, processor) is answered from the file's name.
    """
    if not _may_announce(request):
        return refused(429, TOO_OFTEN)
    release = _release(request, announcement)
    asked = _filled(announcement)
    prospect = Prospect(
        distributions=list(asked.distributions), os=asked.os, cpu=asked.cpu, state="new", problem=""
    )
    try:
        announcements.check_announcement(release=release, asked=asked, at=timezone.now())
        before = announcements.look_up(release=release, asked=asked)
    except RefusedError as error:
        prospect.problem = str(error)
    else:
        if before is not None:
            prospect.state, prospect.offset = before.state, before.offset
    return Status(200, prospect)


def _filled(announcement: Announcement) -> announcements.Announced:
    """What is announced, with what the name tells where nothing was said."""
    told = naming.guess(announcement.name)
    return announcements.Announced(
        name=announcement.name,
        size=announcement.size,
        sha256=announcement.sha256,
        os=announcement.os or told.os,
        cpu=announcement.cpu or told.cpu,
        distributions=tuple(announcement.distributions) or told.distributions,
    )


def _may_announce(request: HttpRequest) -> bool:
    return ratelimit.allowed(
        request, action="announce-upload", limit=ANNOUNCEMENTS_A_MINUTE, seconds=60
    )


@router.get(
    "/{uuid:upload_id}", url_name="upload", response=UploadState, summary="Where an upload stands"
)
def show(request: HttpRequest, response: HttpResponse, upload_id: UUID) -> Upload:
    """Where the upload stands; the offset to go on from also as the header Upload-Offset."""
    upload = _upload(request, upload_id)
    _with_offset(response, upload.offset)
    return upload


@router.patch(
    "/{uuid:upload_id}",
    url_name="upload",
    summary="Send a chunk",
    response={204: None, 409: Problem},
    openapi_extra=CHUNK,
)
def append(request: HttpRequest, upload_id: UUID) -> HttpResponse:
    """Append the body, at most 8 MiB, at Upload-Offset."""
    upload, offset = _upload(request, upload_id), _offset(request)
    # Read, not `body`: requests live in cycles, and each would keep its 8 MiB until a collection.
    data = request.read(uploads.LARGEST_CHUNK + 1)
    try:
        reached = uploads.append_chunk(upload=upload, offset=offset, data=data)
    except WrongOffsetError as error:
        return _conflict(error, error.offset)
    except RefusedError as error:
        return _conflict(error, upload.offset)
    return _with_offset(HttpResponse(status=204), reached)


@router.post(
    "/{uuid:upload_id}/finish",
    url_name="finish_upload",
    summary="Say that all is sent",
    response={202: UploadState, 409: Problem},
)
def finish(request: HttpRequest, upload_id: UUID) -> Any:
    """Say that all bytes are there. Ask again for the state until it is accepted or refused."""
    upload = _upload(request, upload_id)
    try:
        upload = uploads.finish_upload(actor=_user(request), upload=upload, at=timezone.now())
    except WrongOffsetError as error:
        return _conflict(error, error.offset)
    transaction.on_commit(lambda: tasks.accept.delay(str(upload.pk)))
    return Status(202, upload)


def _conflict(error: RefusedError, reached: int) -> HttpResponse:
    response = JsonResponse(problem(409, str(error)), status=409)
    return _with_offset(response, reached)


def _with_offset(response: HttpResponse, reached: int) -> HttpResponse:
    response["Upload-Offset"] = str(reached)
    response["Cache-Control"] = "no-store"
    return response
