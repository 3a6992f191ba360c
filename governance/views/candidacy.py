"""Nominations: oneself or somebody else, the answer, seconds, leaving."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from governance.actions import candidacy as actions
from governance.elections import lineup, nominating, stages
from governance.forms.candidacy import DisqualifyForm, NominateForm, StandForm
from governance.models import Candidacy
from governance.refusals import Refusal
from governance.views.fetch import moment, visible_election
from governance.views.fetch_election import (
    acted,
    candidacy_of,
    contest_of,
    posted_from_election,
    run_election,
)
from portal.accounts.access import signed_in


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def nominate(request: HttpRequest, name: str, constituency: str) -> HttpResponse:
    """POST with `who` = me stands oneself, with `who` = other puts somebody else forward."""
    user, at = signed_in(request), moment()
    contest = contest_of(visible_election(request, name, at), constituency)
    refusal = nominating.not_to_nominate(user, contest, at)
    who = request.POST.get("who", "")
    stands = StandForm(
        request.POST if who == "me" else None,
        initial={"affiliation": actions.declared(user, at)},
    )
    other = NominateForm(request.POST if who == "other" else None)
    chosen: Any = {"me": stands, "other": other}.get(who)
    if chosen is not None and refusal is None and chosen.is_valid():
        fields = chosen.cleaned_data if who == "other" else {"nominee": user, **chosen.cleaned_data}
        try:
            made = actions.nominate(actor=user, contest=contest, **fields)
        except Refusal as problem:
            chosen.add_error(None, str(problem))
        else:
            messages.success(request, _nominated(made))
            return redirect(candidacy_url(made, name))
    is_refused = refusal is not None or (chosen is not None and chosen.errors)
    context = {
        "election": contest.election,
        "contest": contest,
        "stands": stands,
        "other": other,
        "refusal": refusal,
        "not_to_stand": nominating.not_to_stand(user, contest.election),
        "own": contest.candidacies.filter(user=user, left_at__isnull=True).first(),
    }
    status = 422 if request.method == "POST" and is_refused else 200
    return render(request, "governance/elections/nominate.html", context, status=status)


def _nominated(candidacy: Candidacy) -> str:
    if candidacy.is_self_nominated:
        return _("You are nominated.")
    words = {"name": candidacy.name}
    return _("%(name)s is nominated and asked by a letter.") % words


def _accepted(candidacy: Candidacy) -> str:
    """What is still missing stands in the same sentence."""
    missing = lineup.of_candidacy(candidacy).missing_seconds
    if not missing:
        return _("You stand.")
    text = ngettext(
        "You have accepted. You stand as soon as %(missing)s person seconds you.",
        "You have accepted. You stand as soon as %(missing)s people second you.",
        missing,
    )
    return text % {"missing": missing}


def candidacy_url(candidacy: Candidacy, name: str) -> str:
    return reverse("governance:candidacy", args=[name, candidacy.pk])


@require_safe
def candidacy_detail(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    """A person who was nominated: statement, seconds, and what became of it."""
    at = moment()
    election = visible_election(request, name, at)
    candidacy = candidacy_of(election, pk)
    user = request.user
    context = {
        "election": election,
        "stage": stages.stage(election, at),
        "candidacy": candidacy,
        "person": lineup.of_candidacy(candidacy),
        "seconds": candidacy.supports.select_related("user"),
        "not_to_second": nominating.not_to_second(user, candidacy, at),
        "not_to_accept": nominating.not_to_accept(user, candidacy, at),
        "not_to_leave": nominating.not_to_leave(user, candidacy, at),
        "not_to_disqualify": nominating.not_to_disqualify(user, candidacy, at),
        "is_own": user.pk == candidacy.user_id,
    }
    return render(request, "governance/elections/candidacy.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def candidacy_answer(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    """Accept with a statement, or change what stands beside one's name."""
    user, at = signed_in(request), moment()
    candidacy = candidacy_of(visible_election(request, name, at), pk)
    refusal = nominating.not_to_accept(user, candidacy, at)
    if refusal is not None:
        messages.error(request, str(refusal))
        return redirect(candidacy_url(candidacy, name))
    form = StandForm(request.POST or None, instance=candidacy)
    if request.method == "POST" and form.is_valid():
        is_new = candidacy.accepted_at is None
        try:
            actions.accept_nomination(actor=user, candidacy=candidacy, **form.cleaned_data)
        except Refusal as problem:
            form.add_error(None, str(problem))
        else:
            said = _accepted(candidacy) if is_new else _("What stands beside your name is changed.")
            messages.success(request, said)
            return redirect(candidacy_url(candidacy, name))
    context = {"election": candidacy.contest.election, "candidacy": candidacy, "form": form}
    status = 422 if form.errors else 200
    return render(request, "governance/elections/candidacy_answer.html", context, status=status)


@login_required
@posted_from_election
def candidacy_second(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    candidacy = candidacy_of(visible_election(request, name, moment()), pk)
    return acted(
        request,
        lambda: actions.second_nomination(actor=signed_in(request), candidacy=candidacy),
        _("You seconded the nomination."),
        candidacy_url(candidacy, name),
    )


@login_required
@posted_from_election
def candidacy_leave(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    """Decline the nomination, or withdraw."""
    candidacy = candidacy_of(visible_election(request, name, moment()), pk)
    return acted(
        request,
        lambda: actions.leave(actor=signed_in(request), candidacy=candidacy),
        _("You do not stand."),
        candidacy_url(candidacy, name),
    )


@login_required
@posted_from_election
def candidacy_disqualify(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    candidacy = candidacy_of(run_election(request, name, moment()), pk)
    form = DisqualifyForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    return acted(
        request,
        lambda: actions.disqualify(actor=signed_in(request), candidacy=candidacy, reason=reason),
        _("%(name)s is disqualified; the reason is public.") % {"name": candidacy.name},
        candidacy_url(candidacy, name),
    )
