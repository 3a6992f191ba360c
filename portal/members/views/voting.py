"""Who may vote at a record date, and why not: one's own page, and the staff's for everybody."""

from __future__ import annotations

from collections.abc import Iterator

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from portal.accounts.access import role_required, signed_in
from portal.accounts.roles import Role
from portal.lib import spreadsheet
from portal.members.electorate import Candidate, electorate, of_organisations, of_person
from portal.members.eligibility import Constituency
from portal.members.eligibility_words import CONSTITUENCIES, RULES, explain, summary
from portal.members.forms.voting import ElectorateForm, RecordDateForm, end_of
from portal.members.models import Organisation

PAGE_SIZE = 50
HEADINGS = ("constituency", "name", "may vote", "cast by", "why", "key")


@require_safe
@never_cache
@login_required
def voting(request: HttpRequest) -> HttpResponse:
    """The person's own vote and those of their organisations, rule by rule."""
    user = signed_in(request)
    form = RecordDateForm(request.GET or None)
    day = form.day()
    own = Organisation.objects.of(user, timezone.now())
    candidates = [of_person(user, end_of(day)), *of_organisations(own, end_of(day))]
    context = {
        "form": form,
        "day": day,
        "candidates": [_told(candidate) for candidate in candidates],
        "votes": sum(candidate.answer.voter == user.pk for candidate in candidates),
    }
    return render(request, "members/voting.html", context)


@role_required(Role.STAFF)
@require_safe
@never_cache
def electorate_list(request: HttpRequest) -> HttpResponse:
    """Everybody at a day, filtered; how many votes each constituency has."""
    form = ElectorateForm(request.GET or None)
    day = form.day()
    everybody = electorate(end_of(day))
    shown = [candidate for candidate in everybody if form.shows(candidate)]
    page = Paginator(shown, PAGE_SIZE).get_page(request.GET.get("page"))
    votes = {
        constituency: sum(
            c.answer.may_vote and c.answer.constituency == constituency for c in everybody
        )
        for constituency in Constituency
    }
    context = {
        "form": form,
        "day": day,
        "page": page,
        "rows": [(candidate, summary(candidate.answer)) for candidate in page],
        "members": votes[Constituency.MEMBERS],
        "contributors": votes[Constituency.CONTRIBUTORS],
        "query": request.GET.urlencode(),
    }
    return render(request, "members/electorate.html", context)


@role_required(Role.STAFF)
@require_safe
@never_cache
def electorate_detail(request: HttpRequest, key: str) -> HttpResponse:
    """One answer, rule by rule."""
    form = RecordDateForm(request.GET or None)
    day = form.day()
    found = [c for c in electorate(end_of(day)) if c.key == key]
    if not found:
        raise Http404
    context = {"form": form, "day": day, "told": _told(found[0])}
    return render(request, "members/electorate_detail.html", context)


@role_required(Role.STAFF)
@require_safe
@never_cache
def electorate_csv(request: HttpRequest) -> StreamingHttpResponse:
    form = ElectorateForm(request.GET or None)
    day = form.day()
    shown = (candidate for candidate in electorate(end_of(day)) if form.shows(candidate))
    response = StreamingHttpResponse(
        spreadsheet.lines(_rows(shown)), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="electorate-{day}.csv"'
    return response


def _rows(candidates: Iterator[Candidate]) -> Iterator[tuple[str, ...]]:
    yield HEADINGS
    for candidate in candidates:
        answer = candidate.answer
        yield (
            answer.constituency.value,
            candidate.name,
            "yes" if answer.may_vote else "no",
            answer.voter_name,
            summary(answer),
            candidate.key,
        )


def _told(candidate: Candidate) -> dict[str, object]:
    """An answer with its words, for a template."""
    answer = candidate.answer
    return {
        "candidate": candidate,
        "is_organisation": answer.constituency == Constituency.MEMBERS,
        "constituency": CONSTITUENCIES[answer.constituency],
        "summary": summary(answer),
        "steps": [
            {"title": RULES[step.rule], "met": step.met, "text": explain(step)}
            for step in answer.steps
        ],
    }
