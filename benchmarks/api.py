"""The upload API: a file of a benchmark tool comes in, the run it became goes out."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Query, Router, Status

from benchmarks import advice, machines, tables, tasks
from benchmarks.actions.run import Kept, RunIdTakenError
from benchmarks.actions.upload import Foreseen, foresee, upload_run
from benchmarks.api_schemas import BODY, Asked, PreviewOut, RefusedOut, RunData, RunOut, RunPage
from benchmarks.documents import Measured, RefusedError
from benchmarks.keys import address_of, claim_of, deletion_of
from benchmarks.models import Result, Run, State
from benchmarks.readers import READERS
from benchmarks.readers.content import PLAIN_LIMIT
from benchmarks.sending import comparison_of, said_from
from benchmarks.throttle import may_preview, may_upload
from portal.accounts.models import ApiToken, User
from portal.accounts.tokens import TokenAuth, TokenScope
from portal.lib.jobs import after_commit
from portal.lib.problems import Problem, refused

SHOWN: Final = 50  # results that a preview lists
router = Router(tags=["benchmarks"])


def without_token(request: HttpRequest) -> AnonymousUser | None:
    """Anybody may upload; a token that is not good is still an error."""
    return None if "Authorization" in request.headers else AnonymousUser()


@router.post(
    "/runs",
    auth=[TokenAuth(TokenScope.UPLOAD_BENCHMARKS), without_token],
    response={
        200: RunOut,
        201: RunOut,
        409: Problem,
        413: Problem,
        422: RefusedOut,
        429: Problem,
    },
    openapi_extra=BODY,
    url_name="benchmark_upload",
    summary="Upload a run",
)
def upload(request: HttpRequest) -> Status[dict[str, Any]]:
    """Keep a run. 201: kept; 200: this run id came before, this is that run.

    Without a token the run waits in quarantine until a maintainer has looked at it.
    """
    actor = _actor(request)
    if actor is None and not may_upload(request):
        return _too_many()
    try:
        raw, fields = _sent(request)
        kept = upload_run(actor=actor, raw=raw, said=said_from(fields), at=timezone.now())
    except RefusedError as error:
        return _unread(error)
    except RunIdTakenError:
        return refused(409, "This run id belongs to another upload. Make a new one.")
    except RequestDataTooBig:
        return _too_big()
    if kept.is_new:
        after_commit(tasks.compute_run, kept.run.pk)
    return Status(201 if kept.is_new else 200, _answer(request, kept))


@router.post(
    "/runs/preview",
    auth=[TokenAuth(TokenScope.UPLOAD_BENCHMARKS), without_token],
    response={200: PreviewOut, 413: Problem, 422: RefusedOut, 429: Problem},
    openapi_extra=BODY,
    url_name="benchmark_preview",
    summary="See what would be understood",
)
def preview(request: HttpRequest) -> Status[dict[str, Any]]:
    """Read an upload as it would be read, and keep nothing."""
    actor = _actor(request)
    if actor is None and not may_preview(request):
        return _too_many()
    try:
        raw, fields = _sent(request)
        found = foresee(actor=actor, raw=raw, said=said_from(fields), at=timezone.now())
    except RefusedError as error:
        return _unread(error)
    except RequestDataTooBig:
        return _too_big()
    return Status(200, _foreseen(found, State.PUBLISHED if actor else State.QUARANTINE))


@router.get(
    "/runs", auth=None, response=RunPage, url_name="benchmark_upload", summary="Runs, newest first"
)
def runs(request: HttpRequest, response: HttpResponse, asked: Query[Asked]) -> dict[str, Any]:
    """Published runs in pages."""
    found = Run.objects.published().select_related("suite").order_by("-pk")
    if asked.suite:
        found = found.filter(suite__slug=asked.suite)
    if asked.before:
        found = found.filter(pk__lt=asked.before)
    page, more = list(found[: asked.limit]), ""
    if found[asked.limit : asked.limit + 1]:
        query = asked.model_dump() | {"before": page[-1].pk}
        more = request.build_absolute_uri(f"{request.path}?{urlencode(query)}")
        response["Link"] = f'<{more}>; rel="next"'
    response["Access-Control-Allow-Origin"] = "*"
    return {"runs": [_entry(request, each) for each in page], "next": more or None}


@router.get(
    "/runs/{uuid:uid}",
    auth=None,
    response=RunData,
    url_name="benchmark_run",
    summary="A run with everything measured",
)
def run(request: HttpRequest, uid: UUID) -> Any:
    found = get_object_or_404(
        Run.objects.visible_to(AnonymousUser()).select_related("suite"), uid=uid
    )
    results = Result.objects.told().filter(run=found).order_by("position")
    return tables.json_answer(tables.run_data(found, results))


def _actor(request: HttpRequest) -> User | None:
    token = getattr(request, "auth", None)
    return token.user if isinstance(token, ApiToken) else None


def _too_many() -> Status[dict[str, Any]]:
    return refused(429, "Too many uploads from this address. Use a token, or wait an hour.")


def _too_big() -> Status[dict[str, Any]]:
    return refused(413, "The file is too large. Send it as a form, or pack it with gzip.")


def _unread(error: RefusedError) -> Status[dict[str, Any]]:
    words = f"{error.place}: {error.reason}" if error.place else error.reason
    return refused(422, words, place=error.place, reason=error.reason)


def _sent(request: HttpRequest) -> tuple[bytes, dict[str, str]]:
    """The file, and the fields beside it."""
    if request.content_type == "multipart/form-data":
        file = request.FILES.get("file")
        if file is None:
            raise RefusedError("file", "The form has no file.")
        if (file.size or 0) > PLAIN_LIMIT:
            raise RefusedError("", "The file is larger than 20 MB.")
        return file.read(), {key: str(value) for key, value in request.POST.items()}
    return request.body, {key: str(value) for key, value in request.GET.items()}


def _entry(request: HttpRequest, run: Run) -> dict[str, Any]:
    return {
        "id": run.uid,
        "suite": run.suite.slug,
        "title": run.title,
        "trust": run.trust,
        "uploaded_at": run.uploaded_at,
        "address": request.build_absolute_uri(address_of(run)),
        "data": request.build_absolute_uri(f"{request.path}/{run.uid}"),
    }


def _answer(request: HttpRequest, kept: Kept) -> dict[str, Any]:
    run = kept.run
    compare = comparison_of(run)
    links = {}
    if kept.claim:
        links = {"claim": claim_of(run, kept.claim), "delete": deletion_of(run)}
    return {
        **{name: request.build_absolute_uri(link) for name, link in links.items()},
        "id": str(run.uid),
        "state": run.state,
        "trust": run.trust,
        "suite": run.suite.slug,
        "results": run.results.count(),
        "address": request.build_absolute_uri(address_of(run)),
        "compare": request.build_absolute_uri(compare) if compare else "",
        "remarks": run.remarks,
    }


def _foreseen(found: Foreseen, state: State) -> dict[str, Any]:
    document = found.document
    return {
        "format": READERS[document.format].name,
        "suite": found.understood.suite_slug,
        "title": document.title,
        "state": state,
        "trust": found.trust,
        "signed_as": found.proof.signed_as,
        "machine": machines.in_words(document.environment),
        "environment": document.environment,
        "results": len(document.results),
        "read": [_read(one) for one in document.results[:SHOWN]],
        "remarks": document.remarks,
        "unmapped": found.understood.unmapped(),
        "advice": advice.on(document),
    }


def _read(one: Measured) -> dict[str, Any]:
    return {
        "place": one.place,
        "subject": one.subject.name,
        "version": one.subject.version,
        "case": one.case,
        "params": one.params,
        "metric": one.metric,
        "unit": one.unit,
        "processes": len(one.samples),
        "samples": sum(map(len, one.samples)),
        "error": one.error,
    }
