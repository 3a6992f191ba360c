"""The result of an election: stages, report, what if, and everything to count it again."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from governance import clock
from governance.actions import election_result as actions
from governance.elections import (
    counting_back,
    outcomes,
    running,
    sheet,
    signed,
    told_paper,
    what_if,
)
from governance.elections.counted import Counted, Turnout
from governance.elections.report import report
from governance.elections.shown import shown
from governance.elections.stage_file import stage_csv
from governance.elections.what_if import Choice, Compared
from governance.elections.what_if_page import WhatIf, refused, what_if_page
from governance.models import Contest, Election
from governance.refusals import NeedsException, Refusal
from governance.tally.formats import blt, preflib, table
from governance.tally.formats.sheet import FormatError, Sheet
from governance.tally.stages import Tally
from governance.tally.ties import Lot
from governance.views.fetch import visible_election
from portal.accounts.access import signed_in
from portal.lib import ratelimit
from portal.lib.open_data import for_everybody

COUNTS = 20  # "what if" of one address in a minute
REMEMBERED = 24 * 60 * 60  # seconds
FORMATS: dict[str, Callable[[Sheet], str]] = {
    "blt": blt.write,
    "csv": table.write,
    "preflib": preflib.write,
}


@require_safe
def result(request: HttpRequest, name: str) -> HttpResponse:
    """Who is elected, how it was counted, and where to get everything."""
    at = clock.now()
    election = _counted_election(request, name)
    found = outcomes.counted(election)
    contests = list(election.contests.all())
    context = {
        "election": election,
        "count": election.count,
        "turnouts": [each.turnout for each in found],
        "blank_word": _blank_word([each.turnout for each in found]),
        "parts": [
            {
                "contest": contest,
                "counted": each,
                "report": report(each),
                "shown": shown(each) if each.elected else None,
                "is_filled": counting_back.is_filled_by(contest),
                "has_other_rules": what_if.is_asked_of(each.contest),
                "has_stages": each.rounds and isinstance(each.rounds[-1].tally, Tally),
                "with_everybody": _everybody(contest, each),
            }
            for contest, each in zip(contests, found, strict=True)
        ],
        "runs": running.runs(request.user, election.body, at),
        "not_to_declare": outcomes.not_to_declare(election, at),
        **_looked_up(request, election),
    }
    return render(request, "governance/elections/result.html", context)


def _blank_word(turnouts: Sequence[Turnout]) -> str:
    """Over the column of blank papers: in a question they abstain."""
    if all(each.is_question for each in turnouts):
        return _("Abstained")
    if any(each.is_question for each in turnouts):
        return _("Blank or abstained")
    return _("Blank")


def _looked_up(request: HttpRequest, election: Election) -> dict[str, object]:
    """Of a confidential election, what the line says whose name was asked for."""
    asked = request.GET.get("line", "").strip()[:64]
    if election.is_sealed or not asked:
        return {"line_asked": "", "line_found": []}
    found = sheet.find(election, asked)
    if found is None:
        return {"line_asked": asked, "line_found": []}
    contest = signed.manifest_of(election).contest(found.contest)
    return {"line_asked": asked, "line_found": told_paper.lines(found.paper, contest)}


@require_safe
def result_what_if(request: HttpRequest, name: str, constituency: str) -> HttpResponse:
    """The same papers, counted otherwise."""
    contest = _contest(request, name, constituency)
    counted = outcomes.counted_contest(contest)
    context = {
        "election": contest.election,
        "contest": contest,
        "what_if": _compared(request, contest, counted),
    }
    return render(request, "governance/elections/what_if.html", context)


@require_safe
def result_json(request: HttpRequest, name: str) -> HttpResponseBase:
    election = _counted_election(request, name)
    told = JsonResponse(election.count.result, json_dumps_params={"indent": 1})
    return for_everybody(request, told)


@require_safe
def bundle_zip(request: HttpRequest, name: str) -> HttpResponse:
    """Everything that is needed to count again, with the program that does it."""
    election = _counted_election(request, name)
    answer = HttpResponse(bytes(election.count.bundle), content_type="application/zip")
    answer["Content-Disposition"] = f'attachment; filename="{name}.zip"'
    return answer


@require_safe
def result_stages(request: HttpRequest, name: str, constituency: str) -> HttpResponse:
    """The stages of the count that stands, as CSV."""
    contest = _contest(request, name, constituency)
    counted = outcomes.counted_contest(contest)
    tally = counted.rounds[-1].tally if counted.rounds else None
    if not isinstance(tally, Tally):
        raise Http404
    text = stage_csv(tally, counted.names)
    return _file(text, "text/csv", f"{name}-{constituency}-stages.csv")


@require_safe
def result_papers(request: HttpRequest, name: str, constituency: str, kind: str) -> HttpResponse:
    """The papers for other counting programs: BLT, CSV, PrefLib."""
    contest = _contest(request, name, constituency)
    if kind not in FORMATS:
        raise Http404
    try:
        text = FORMATS[kind](outcomes.papers(contest))
    except FormatError as error:
        return HttpResponse(f"{error}\n", status=422, content_type="text/plain; charset=utf-8")
    content = "text/csv" if kind == "csv" else "text/plain"
    return _file(text, content, f"{name}-{constituency}.{kind}")


@login_required
@require_POST
def election_declare(request: HttpRequest, name: str) -> HttpResponse:
    """Seat who was elected."""
    election = _counted_election(request, name)
    refusal = running.not_to_run(signed_in(request), election.body, clock.now())
    if refusal is not None:
        raise PermissionDenied(str(refusal))
    try:
        actions.declare_election(
            actor=signed_in(request),
            election=election,
            exception=request.POST.get("exception", "").strip()[:300],
        )
    except NeedsException as refusal:
        words = _("Say in the field of exceptions why it does not hold here.")
        messages.error(request, f"{refusal} {words}")
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        seated = _("The result is declared. Who was elected takes the seat.")
        said = seated if election.elects_people else _("The result is declared.")
        messages.success(request, said)
    return redirect("governance:result", name)


def _counted_election(request: HttpRequest, name: str) -> Election:
    election = visible_election(request, name, clock.now())
    if election.counted_at is None:
        raise Http404
    return election


def _contest(request: HttpRequest, name: str, constituency: str) -> Contest:
    election = _counted_election(request, name)
    contest = get_object_or_404(Contest, election=election, constituency=constituency)
    contest.election = election
    return contest


def _everybody(contest: Contest, stands: Counted) -> tuple[str, ...]:
    """Who would have been elected with those who left, where that is somebody else."""
    found = outcomes.of_contest(contest)
    elected = found.everybody.elected if found.has_quorum else ()
    return tuple(stands.names[one] for one in elected) if elected != stands.elected else ()


def _compared(request: HttpRequest, contest: Contest, counted: Counted) -> WhatIf:
    """The form, and where something was asked the answer."""
    held = what_if.as_held(counted.contest)
    if not request.GET:
        return what_if_page(counted, held)
    try:
        asked = what_if.read(dict(request.GET.lists()), counted.contest)
        compared = _remembered(request, contest, counted, asked)
    except what_if.ChoiceError as error:
        return what_if_page(counted, held, fault=refused(error))
    return what_if_page(counted, asked, compared)


def _remembered(
    request: HttpRequest, contest: Contest, counted: Counted, asked: Choice
) -> Compared:
    """The same question of the same papers has the same answer, and may have taken seconds."""
    query = urlencode(what_if.query(asked, counted.contest))
    said = f"{contest.election.count.bundle_sha256}:{contest.constituency}:{query}"
    key = f"what-if:{sha256(said.encode()).hexdigest()}"
    known = cache.get(key)
    if known is not None:
        return what_if.beside(asked, counted.contest, tuple(known), elected=counted.elected)
    if not ratelimit.allowed(request, action="what-if", limit=COUNTS, seconds=60):
        raise what_if.TooOftenError
    papers = [each for each in contest.election.count.papers_of(contest.id_on_the_board) if each]
    compared = what_if.compare(
        papers,
        counted.contest,
        asked,
        elected=counted.elected,
        lot=Lot(counted.seed),
        absent=counted.absent,
    )
    cache.set(key, compared.elected, timeout=REMEMBERED)
    return compared


def _file(text: str, kind: str, name: str) -> HttpResponse:
    answer = HttpResponse(text, content_type=f"{kind}; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
