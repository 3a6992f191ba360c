"""Declaring affiliations and interests, ending them, taking a mistake back."""

from datetime import date

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from governance import people
from governance.actions.affiliation import declare_affiliation
from governance.actions.declaration import end_declaration, retract_declaration
from governance.actions.interest import declare_interest
from governance.forms import AffiliationForm, EndDeclarationForm, InterestForm, RetractForm
from governance.models import Affiliation, Interest
from governance.refusals import Refusal
from governance.views.fetch import moment
from portal.accounts.access import signed_in
from portal.accounts.models import User
from portal.members.models import Organisation


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def affiliation_new(request: HttpRequest, pk: int) -> HttpResponse:
    person, today = _declared_for(request, pk)
    form = AffiliationForm(request.POST or None, initial={"since": today})
    if request.method == "POST" and form.is_valid():
        try:
            declare_affiliation(actor=signed_in(request), user=person, **form.wanted())
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Declared. It is public from now on."))
            return _back(request, person)
    context = {
        "form": form,
        "person": person,
        "is_own": request.user.pk == person.pk,
        "running": Affiliation.objects.of(person).on(today),
        "known": Organisation.objects.members_on(moment()).filter(is_listed=True),
    }
    status = 422 if form.errors else 200
    return render(request, "governance/affiliation_form.html", context, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def interest_new(request: HttpRequest, pk: int) -> HttpResponse:
    person, today = _declared_for(request, pk)
    form = InterestForm(request.POST or None, initial={"since": today})
    if request.method == "POST" and form.is_valid():
        declare_interest(actor=signed_in(request), user=person, **form.wanted())
        messages.success(request, _("Declared. It stands in the register."))
        return _back(request, person)
    context = {"form": form, "person": person, "is_own": request.user.pk == person.pk}
    status = 422 if form.errors else 200
    return render(request, "governance/interest_form.html", context, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def affiliation(request: HttpRequest, pk: int) -> HttpResponse:
    return _change(request, get_object_or_404(Affiliation.objects.standing(), pk=pk))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def interest(request: HttpRequest, pk: int) -> HttpResponse:
    return _change(request, get_object_or_404(Interest.objects.standing(), pk=pk))


def _change(request: HttpRequest, declaration: Affiliation | Interest) -> HttpResponse:
    """End it, or take it back: two forms, told apart by the button that was pressed."""
    person, today = _declared_for(request, declaration.user_id)
    retracting = "retract" in request.POST
    sent = request.POST or None
    ending = EndDeclarationForm(None if retracting else sent, today=today)
    taking_back = RetractForm(sent if retracting else None)
    form = taking_back if retracting else ending
    if request.method == "POST" and form.is_valid():
        try:
            _act(request, declaration, form)
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Saved."))
            return _back(request, person)
    context = {
        "declaration": declaration,
        "person": person,
        "ending": ending,
        "taking_back": taking_back,
        "is_own": request.user.pk == person.pk,
        "is_interest": isinstance(declaration, Interest),
    }
    status = 422 if form.errors else 200
    return render(request, "governance/declaration.html", context, status=status)


def _act(
    request: HttpRequest,
    declaration: Affiliation | Interest,
    form: EndDeclarationForm | RetractForm,
) -> None:
    actor, sent = signed_in(request), form.cleaned_data
    if isinstance(form, RetractForm):
        retract_declaration(
            actor=actor, declaration=declaration, because=sent["because"], at=timezone.now()
        )
    else:
        end_declaration(actor=actor, declaration=declaration, on=sent["on"])


def _declared_for(request: HttpRequest, pk: int) -> tuple[User, date]:
    """The person, if the visitor may declare for them; else 403."""
    at = moment()
    person = get_object_or_404(User, pk=pk)
    if not people.may_declare_for(request.user, person, at):
        raise PermissionDenied(_("People declare for themselves, or their secretary for them."))
    return person, timezone.localdate(at)


def _back(request: HttpRequest, person: User) -> HttpResponse:
    if request.user.pk == person.pk:
        return redirect("governance:own")
    return redirect("governance:person", person.pk)
