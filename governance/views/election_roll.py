"""The rolls of an election in pages, one's own standing with every rule, objections and rulings."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from governance.actions import roll as actions
from governance.elections import enfranchised
from governance.forms.ruling import ObjectionForm, RulingForm
from governance.models import Contest, Election, Objection, RollEntry
from governance.refusals import Refusal
from governance.views.fetch import moment, visible_election
from governance.views.fetch_election import contest_of, run_election
from portal.accounts.access import signed_in

PER_PAGE = 100


@require_safe
def election_roll(request: HttpRequest, name: str, constituency: str) -> HttpResponse:
    """Everybody who votes in a contest, by name, and what was objected to."""
    at = moment()
    election = visible_election(request, name, at)
    contest = contest_of(election, constituency)
    asked = request.GET.get("q", "")[:80]
    entries = RollEntry.objects.standing().filter(contest=contest)
    found = entries
    if asked:
        found = entries.filter(Q(name__icontains=asked) | Q(voter_name__icontains=asked))
    page = Paginator(found.order_by("name", "pk"), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "election": election,
        "contest": contest,
        "asked": asked,
        "page": page,
        "size": entries.count(),
        "objections": contest.objections.select_related("made_by", "answered_by"),
        "not_to_object": enfranchised.not_to_object(request.user, election, at),
        "takes_objections": election.takes_objections(at),
    }
    return render(request, "governance/elections/roll.html", context)


@login_required
@never_cache
@require_safe
def own_standing(request: HttpRequest, name: str) -> HttpResponse:
    """Whether one may vote, and why not: every rule with what was found."""
    user, at = signed_in(request), moment()
    election = visible_election(request, name, at)
    context = {
        "election": election,
        "standings": enfranchised.standings(user, election, at),
        "is_drawn": election.roll_drawn_at is not None,
        "not_to_object": enfranchised.not_to_object(user, election, at),
    }
    return render(request, "governance/elections/own_standing.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def roll_object(request: HttpRequest, name: str, constituency: str) -> HttpResponse:
    """To the vote named by `?kind=` and `?key=`."""
    user, at = signed_in(request), moment()
    election = visible_election(request, name, at)
    contest = contest_of(election, constituency)
    asked = {"kind": request.GET.get("kind", ""), "key": request.GET.get("key", "")}
    form = ObjectionForm(request.POST or None, initial=asked)
    named = _named(contest, form["kind"].value(), form["key"].value(), request)
    refusal = enfranchised.not_to_object(user, election, at)
    if refusal is not None:
        messages.error(request, str(refusal))
        return redirect("governance:election_roll", name, constituency)
    if request.method == "POST" and form.is_valid():
        fields = {**form.cleaned_data, "kind": Objection.Kind(form.cleaned_data["kind"])}
        try:
            made = actions.object_to_roll(actor=user, contest=contest, **fields)
        except Refusal as problem:
            form.add_error(None, str(problem))
        else:
            messages.success(request, _("Your objection is public and waits for its ruling."))
            return redirect(objection_url(made, name))
    context = {"election": election, "contest": contest, "form": form, "named": named}
    status = 422 if form.errors else 200
    return render(request, "governance/elections/objection_form.html", context, status=status)


def _named(contest: Contest, kind: str, key: str, request: HttpRequest) -> str:
    """Whose vote it is about; 404 for one that nobody can object to here."""
    entry = contest.roll.filter(key=key).first()
    if kind == Objection.Kind.REMOVE and entry is not None:
        return entry.label
    if kind == Objection.Kind.ADD:
        election = contest.election
        for each in enfranchised.standings(signed_in(request), election, moment()):
            if each.contest.pk == contest.pk and each.key == key:
                return each.name
    raise Http404


def objection_url(objection: Objection, name: str) -> str:
    return reverse("governance:objection", args=[name, objection.pk])


@require_http_methods(["GET", "HEAD", "POST"])
def objection(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    """One objection and its ruling; POST rules on it."""
    at = moment()
    election = visible_election(request, name, at)
    found = _objection_of(election, pk)
    form = RulingForm(request.POST or None)
    if request.method == "POST":
        run_election(request, name, at)
        if form.is_valid():
            answer = Objection.Answer(form.cleaned_data["answer"])
            reason = form.cleaned_data["reason"]
            try:
                actions.rule_on_objection(
                    actor=signed_in(request), objection=found, answer=answer, reason=reason
                )
            except Refusal as refusal:
                form.add_error(None, str(refusal))
            else:
                messages.success(request, _("Ruled. The roll and the record say so."))
                return redirect(objection_url(found, name))
    context = {
        "election": election,
        "objection": found,
        "form": form,
        "not_to_rule": enfranchised.not_to_rule(request.user, found, at),
    }
    status = 422 if form.errors else 200
    return render(request, "governance/elections/objection.html", context, status=status)


def _objection_of(election: Election, pk: int) -> Objection:
    found = Objection.objects.filter(contest__election=election)
    return get_object_or_404(
        found.select_related("contest__election__body", "made_by", "answered_by"), pk=pk
    )
