"""The signed bundle of everything that was decided: its page, and the archive."""

import json
from datetime import datetime
from itertools import zip_longest

from django.db.models import Exists
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from governance.models import Bundle, Motion, Record
from governance.views.fetch import moment
from portal.lib.open_data import for_everybody

SHOWN = 20


@require_safe
def decisions(request: HttpRequest) -> HttpResponse:
    """What the bundle is, how to check it, and the heads of the lists that were signed."""
    at = moment()
    bundles = list(Bundle.objects.newest_first().defer("packed", "manifest").select_related("key"))
    newest = bundles[0] if bundles else None
    context = {
        "newest": newest,
        "bundles": _told(bundles)[:SHOWN],
        "filename": _filename(newest) if newest else "",
        "waiting": _waiting(newest, at) if newest else 0,
    }
    return render(request, "governance/decisions.html", context)


def _told(bundles: list[Bundle]) -> list[tuple[Bundle, str]]:
    """Each with why it was signed where it holds no more than the one before it."""
    return [(new, _why_again(new, old)) for new, old in zip_longest(bundles, bundles[1:])]


def _why_again(bundle: Bundle, before: Bundle | None) -> str:
    if before is None or (bundle.size, bundle.head) != (before.size, before.head):
        return ""
    if bundle.key_id != before.key_id:
        return _("the same records, signed with another key")
    return _("the same records, with another checker beside them")


def _filename(bundle: Bundle) -> str:
    return f"decisions-{bundle.signed_at:%Y-%m-%d}-{bundle.size}.zip"


def _waiting(bundle: Bundle, at: datetime) -> int:
    """How much was decided since: records that are not signed, motions that have no record yet."""
    unsigned = Record.objects.filter(number__gt=bundle.size).count()
    decided = Motion.objects.filter(decided_at__lte=at)
    return unsigned + decided.exclude(Exists(Record.objects.named("motions/", "slug"))).count()


@require_safe
def decisions_zip(request: HttpRequest) -> HttpResponse:
    """The newest bundle; who has it already is told so."""
    newest = Bundle.objects.newest_first().filter(packed__isnull=False).first()
    if newest is None:
        raise Http404
    etag = quote_etag(f"{newest.pk}-{newest.head}")
    answer = get_conditional_response(request, etag=etag)
    if answer is None:
        answer = HttpResponse(bytes(newest.packed or b""), content_type="application/zip")
    answer["Content-Disposition"] = f'attachment; filename="{_filename(newest)}"'
    answer["ETag"] = etag
    answer["Access-Control-Allow-Origin"] = "*"
    return answer


@require_safe
def decisions_json(request: HttpRequest) -> HttpResponseBase:
    """The newest signed list with its signature, for programs that watch that it only grows."""
    newest = Bundle.objects.newest_first().defer("packed").select_related("key").first()
    if newest is None:
        raise Http404
    told = JsonResponse(
        {
            "size": newest.size,
            "head": newest.head,
            "signed": newest.signed_at,
            "key": newest.key.fingerprint,
            "list": json.loads(newest.manifest),
            "signature": newest.signature,
        }
    )
    return for_everybody(request, told)
