"""Voting: the page of a ballot, the credential of a voter, and the way into the box.

The credential is asked for by a member who is signed in. The ballot comes without cookies: nobody
knows here from whom, and nothing is written down about it.
"""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from governance import clock
from governance.actions import credential as actions
from governance.box.client import BallotBoxRefusedError
from governance.elections import offices, public_board, voting
from governance.models import Election, RollEntry
from governance.offices.asking import OfficeUnavailableError
from governance.refusals import NotAllowed, Refusal
from governance.sealed.wire import LARGEST_BALLOT, to_bytes, to_text
from governance.views.confidential import confidential_vote
from governance.views.fetch import visible_election
from governance.voting import shipped
from portal.accounts.access import authenticated_recently, signed_in
from portal.accounts.models import User

STATUS = {"closed": 410, "taken": 409, "old": 409, "election": 404, "contest": 404}
View = Callable[..., HttpResponseBase]


def answered_in_json(view: View) -> View:
    """What is refused is said as JSON, with a status and a word that programs understand."""

    @wraps(view)
    def guarded(request: HttpRequest, name: str, **more: Any) -> HttpResponseBase:
        try:
            return view(request, name, **more)
        except actions.TakenError as refusal:
            return _refused(409, "taken", str(refusal))
        except NotAllowed as refusal:
            return _refused(404, "closed", str(refusal))
        except Refusal as refusal:
            return _refused(410, "closed", str(refusal))
        except BallotBoxRefusedError as refused:
            return _refused(STATUS.get(refused.code, 400), refused.code, refused.message)
        except OfficeUnavailableError:
            return _refused(
                503, "busy", _("The office does not answer just now. Nothing is lost: try again.")
            )

    return guarded


@login_required
@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def vote(request: HttpRequest, name: str) -> HttpResponse:
    """The ballot of each contest in which the person votes; one at a time where there are more.
    A sealed one is never posted here: it goes to the box.
    """
    user, at = signed_in(request), clock.now()
    election = visible_election(request, name, at)
    entries = list(RollEntry.objects.of(user).filter(contest__election=election))
    if not election.takes_votes(at) or not entries:
        messages.error(request, voting.not_to_vote(election, entries, at))
        return redirect(election)
    if not election.is_sealed:
        return confidential_vote(request, election, entries)
    if request.method == "POST":
        return HttpResponseNotAllowed(["GET", "HEAD"])
    asked = request.GET.get("entry", "")
    entry = next((each for each in entries if str(each.pk) == asked), entries[0])
    contest = entry.contest
    contest.election = election
    page = voting.page_of(entry, shown_to=str(user.pk))
    return render(
        request,
        "governance/elections/vote.html",
        {
            "election": election,
            "contest": contest,
            "entry": entry,
            "choices": [(each, f"?entry={each.pk}", each == entry) for each in entries],
            "voters": contest.roll.filter(number__isnull=False).count(),
            **page,
        },
    )


@never_cache
@require_POST
@answered_in_json
def credential(request: HttpRequest, name: str) -> HttpResponse:
    """`{"contest", "number", "blinded"}` from who is signed in and just proved who they are;
    answered with `{"blind_signature"}`.
    """
    if not isinstance(request.user, User):
        return _refused(401, "sign-in", _("Sign in first. Nothing is lost."))
    if not authenticated_recently(request):
        return _refused(403, "confirm", _("Prove again who you are. Nothing is lost."))
    try:
        asked = json.loads(request.body)
        number, contest = int(asked["number"]), str(asked["contest"])
        blinded = to_bytes(str(asked["blinded"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return _refused(400, "invalid", _("This question cannot be read. Load the page again."))
    constituency = contest.removeprefix(f"{name}/")
    entry = get_object_or_404(
        RollEntry.objects.of(request.user).select_related("contest__election"),
        contest__election__name=name,
        contest__election__level=Election.Level.SEALED,
        contest__constituency=constituency,
        number=number,
    )
    signature = actions.issue_credential(
        actor=request.user, entry=entry, blinded=blinded, registrar=offices.registrar()
    )
    return JsonResponse({"blind_signature": to_text(signature)})


@csrf_exempt
@never_cache
@require_POST
@answered_in_json
def ballots(request: HttpRequest, name: str) -> HttpResponse:
    """A ballot as one line of JSON, from nobody; `{"digest", "receipt"}`."""
    receipt = offices.ballot_box().cast(request.read(LARGEST_BALLOT + 1))
    return JsonResponse({"digest": receipt.digest, "receipt": to_text(receipt.signature)})


@require_safe
@answered_in_json
def ballot_found(request: HttpRequest, name: str, digest: str) -> HttpResponse:
    """Where a ballot is: in a block of the board, or waiting for the next one (`null`)."""
    election = get_object_or_404(Election.objects.with_a_board(), name=name)
    found = public_board.find(election, digest)
    if not found.is_known:
        return _refused(404, "unknown", _("The box has no ballot of this name."))
    return JsonResponse({"digest": digest, "block": found.block})


@require_safe
@answered_in_json
def blocks(request: HttpRequest, name: str) -> HttpResponse:
    """The board so far, a block in a line; `?after=` a number leaves out those up to it."""
    election = get_object_or_404(Election.objects.with_a_board(), name=name)
    after = request.GET.get("after", "")
    number = int(after) if after.isdecimal() and len(after) < 10 else 0
    lines = public_board.lines(election, number)
    return HttpResponse(
        b"".join(line + b"\n" for line in lines), content_type="application/x-ndjson"
    )


@require_safe
def manifest_json(request: HttpRequest, name: str) -> HttpResponse:
    """What was fixed, byte for byte as the officers signed it."""
    election = get_object_or_404(Election.objects.exclude(manifest=""), name=name)
    return HttpResponse(election.manifest.encode(), content_type="application/json")


@require_safe
def vote_client(request: HttpRequest) -> HttpResponse:
    """The program that votes without a browser."""
    answer = HttpResponse(shipped.archive(), content_type="application/zip")
    answer["Content-Disposition"] = 'attachment; filename="vote.zip"'
    return answer


def _refused(status: int, code: str, message: str) -> JsonResponse:
    headers = {"Retry-After": "5"} if status == 503 else {}
    answer = JsonResponse({"code": code, "message": message}, status=status, headers=headers)
    answer._has_been_logged = True  # type: ignore[attr-defined]  # nor is anything of it written
    return answer
