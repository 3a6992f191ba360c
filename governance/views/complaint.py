"""Complaints about an election: made, listed, ruled on."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from governance.actions.complaint import answer_complaint, complain
from governance.elections import complaining, running
from governance.forms.ruling import ComplaintForm, RulingForm
from governance.models import Complaint
from governance.refusals import Refusal
from governance.views.fetch import moment, visible_election
from governance.views.fetch_election import run_election
from portal.accounts.access import signed_in
from portal.accounts.models import User


@require_http_methods(["GET", "HEAD", "POST"])
def complaints(request: HttpRequest, name: str) -> HttpResponse:
    """All of them with their rulings; POST makes one."""
    at = moment()
    election = visible_election(request, name, at)
    form = ComplaintForm(request.POST or None)
    if request.method == "POST":
        if not isinstance(request.user, User):
            raise PermissionDenied(_("Sign in to complain."))
        if form.is_valid():
            try:
                text = form.cleaned_data["text"]
                made = complain(actor=request.user, election=election, text=text)
            except Refusal as refusal:
                form.add_error(None, str(refusal))
            else:
                messages.success(request, _("Your complaint is public and waits for its answer."))
                # The place of it tells the browser that what was typed is saved.
                return redirect(
                    f"{reverse('governance:complaints', args=[name])}#complaint-{made.pk}"
                )
    context = {
        "election": election,
        "form": form,
        "complaints": election.complaints.select_related("made_by", "answered_by"),
        "runs": running.runs(request.user, election.body, at),
        "not_to_complain": complaining.not_to_complain(request.user, election, at),
    }
    status = 422 if form.errors else 200
    return render(request, "governance/elections/complaints.html", context, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def complaint(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    """The desk of who rules on it."""
    at = moment()
    election = run_election(request, name, at)
    found = get_object_or_404(election.complaints.select_related("made_by", "answered_by"), pk=pk)
    found.election = election
    form = RulingForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            answer_complaint(
                actor=signed_in(request),
                complaint=found,
                answer=Complaint.Answer(form.cleaned_data["answer"]),
                reason=form.cleaned_data["reason"],
            )
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Ruled; everybody reads it."))
            return redirect("governance:complaints", name)
    context = {
        "election": election,
        "complaint": found,
        "form": form,
        "not_to_answer": complaining.not_to_answer(request.user, found, at),
    }
    status = 422 if form.errors else 200
    return render(request, "governance/elections/complaint.html", context, status=status)
