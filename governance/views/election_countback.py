"""A seat that became free, filled from the papers of its election: for everybody to see."""

from collections.abc import Sequence
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from governance import clock
from governance.elections import counting_back, running
from governance.elections.counting_back import Standing
from governance.models import Contest
from governance.views.fetch import visible_election
from portal.lib import ratelimit

COUNTS = 20  # of one address in a minute


@require_safe
def result_countback(request: HttpRequest, name: str, constituency: str) -> HttpResponse:
    """`declined` names, by their number on the ballot, who will not take the seat."""
    at = clock.now()
    election = visible_election(request, name, at)
    contests = Contest.objects.prefetch_related("seats")
    contest = get_object_or_404(contests, election=election, constituency=constituency)
    contest.election = election
    if not counting_back.is_filled_by(contest):
        raise Http404
    context: dict[str, object] = {"election": election, "contest": contest}
    context["runs"] = running.runs(request.user, election.body, at)
    status = 200
    if ratelimit.allowed(request, action="countback", limit=COUNTS, seconds=60):
        declined = {int(text) for text in request.GET.getlist("declined") if _is_place(text)}
        on = timezone.localdate(at)
        found = counting_back.counted_back(contest, declined=declined, on=on)
        context["found"] = found
        context["people"] = [(one, _without(one, found.people)) for one in found.people]
    else:
        status = 429
    return render(request, "governance/elections/countback.html", context, status=status)


def _without(one: Standing, people: Sequence[Standing]) -> str:
    """The query that counts without this person, or with them again."""
    declined = {each.place for each in people if each.declines} ^ {one.place}
    return urlencode([("declined", place) for place in sorted(declined)])


def _is_place(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 4
