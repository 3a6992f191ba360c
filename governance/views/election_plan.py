"""Writing an election, changing it, announcing it, calling it off."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from governance.actions import election as actions
from governance.elections import running
from governance.forms.election import ContestForm, ElectionForm, first_values, seats_of
from governance.meetings.forms import ReasonForm
from governance.models import Body, Contest, Election
from governance.models.election import run_by
from governance.refusals import Refusal
from governance.views.fetch import moment
from governance.views.fetch_election import acted, posted_from_election, run_election
from portal.accounts.access import signed_in


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def election_new(request: HttpRequest) -> HttpResponse:
    """For the body in `?body=`, else the first that elects anybody."""
    at = moment()
    bodies = _electing(request, at)
    body = next((each for each in bodies if each.slug == request.GET.get("body")), bodies[0])
    instance = Election(body=body)
    contests = _contest_forms(request, body, None)
    form = ElectionForm(
        request.POST or None,
        instance=instance,
        initial=first_values(body, at),
        asks_only=_asks_only(contests),
    )
    if request.method == "POST" and _are_valid(form, contests):
        plans = [each.plan() for each in contests if each.is_included]
        try:
            election = actions.draft_election(
                actor=signed_in(request), election=form.instance, contests=plans
            )
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Drafted. Look at it, then announce it."))
            return redirect(election)
    return _form_page(request, form, contests, bodies=bodies, body=body)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def election_edit(request: HttpRequest, name: str) -> HttpResponse:
    """A draft whole; of what was announced dates and words."""
    at = moment()
    election = run_election(request, name, at)
    refusal = running.not_to_edit(request.user, election, at)
    if refusal is not None:
        messages.error(request, str(refusal))
        return redirect(election)
    is_draft = election.state == Election.State.DRAFT
    contests = _contest_forms(request, election.body, election) if is_draft else []
    asks_only = _asks_only(contests) if contests else not election.elects_people
    form = ElectionForm(request.POST or None, instance=election, asks_only=asks_only)
    if request.method == "POST" and _are_valid(form, contests):
        try:
            changed = actions.edit_election(
                actor=signed_in(request),
                election=election,
                changed=form.changed,
                contests=[each.plan() for each in contests if each.is_included],
            )
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The election is changed."))
            return redirect(changed)
    return _form_page(request, form, contests, body=election.body, name=name)


@login_required
@posted_from_election
def election_announce(request: HttpRequest, name: str) -> HttpResponse:
    election = run_election(request, name, moment())
    return acted(
        request,
        lambda: actions.announce_election(actor=signed_in(request), election=election),
        _("The election is announced. Everybody reads it now."),
        election.get_absolute_url(),
    )


@login_required
@posted_from_election
def election_cancel(request: HttpRequest, name: str) -> HttpResponse:
    election = run_election(request, name, moment())
    form = ReasonForm(request.POST)
    because = form.cleaned_data["reason"] if form.is_valid() else ""
    return acted(
        request,
        lambda: actions.cancel_election(
            actor=signed_in(request), election=election, because=because
        ),
        _("The election is called off. Everybody who was asked to take part gets a letter."),
        election.get_absolute_url(),
    )


def _electing(request: HttpRequest, at: datetime) -> list[Body]:
    """The bodies whose elections the visitor runs, those first that have elected seats."""
    existing = run_by(request.user, at).existing(timezone.localdate(at))
    bodies = [each for each in existing if each.kind != Body.Kind.MEMBERSHIP]
    if not bodies:
        raise PermissionDenied(
            _("Elections are run by election officers, the secretary of the body and the staff.")
        )
    return sorted(bodies, key=lambda body: not _elected(body))


def _elected(body: Body) -> bool:
    return any(seats_of(body, each).exists() for each in Body.Constituency.values)


def _contest_forms(
    request: HttpRequest, body: Body, election: Election | None
) -> list[ContestForm]:
    """One for each constituency; of a new election those are ticked that fill seats."""
    rehearses = "is_rehearsal" in request.POST
    written = {each.constituency: each for each in election.contests.all()} if election else {}
    forms = []
    for constituency in Body.Constituency.values:
        seats, before = seats_of(body, constituency), written.get(constituency)
        first: dict[str, Any] = {"included": before is not None}
        if election is None:
            first = {"included": seats.exists(), "places": max(1, seats.count())}
        elif before is not None:
            first |= {name: getattr(before, name) for name in ContestForm.COLUMNS}
            first["seats"] = list(before.seats.all())
        forms.append(
            ContestForm(
                request.POST or None,
                body=body,
                constituency=constituency,
                is_rehearsal=rehearses,
                initial=first,
            )
        )
    return forms


def _asks_only(contests: list[ContestForm]) -> bool:
    """Whether every contest that was sent is a question."""
    if not contests or not contests[0].is_bound:
        return False
    for each in contests:
        each.is_valid()
    methods = {each.cleaned_data.get("method") for each in contests if each.is_included}
    return methods == {Contest.Method.QUESTION}


def _are_valid(form: ElectionForm, contests: list[ContestForm]) -> bool:
    """All are asked, so that all that is wrong is said at once."""
    answers = [form.is_valid(), *[each.is_valid() for each in contests]]
    return all(answers)


def _form_page(
    request: HttpRequest,
    form: ElectionForm,
    contests: list[ContestForm],
    *,
    body: Body,
    bodies: list[Body] | None = None,
    name: str = "",
) -> HttpResponse:
    refused = form.is_bound and (form.errors or any(each.errors for each in contests))
    context = {
        "form": form,
        "contests": contests,
        "body": body,
        "bodies": bodies or [],
        "name": name,  # as it is kept: the form may hold another
        "announced": form.instance.announced_at is not None,
    }
    status = 422 if refused else 200
    return render(request, "governance/elections/form.html", context, status=status)
