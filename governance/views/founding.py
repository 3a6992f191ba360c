"""Founding a body, describing it, dissolving it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from governance.actions import body as actions
from governance.forms import BodyForm, DissolveForm
from governance.refusals import Refusal
from governance.views.fetch import kept_body, moment
from portal.accounts.access import role_required, signed_in
from portal.accounts.roles import Role


@role_required(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def body_new(request: HttpRequest) -> HttpResponse:
    form = BodyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        body = actions.save_body(actor=signed_in(request), body=form.instance)
        messages.success(request, _("“%(body)s” is founded. Now make its seats.") % {"body": body})
        return redirect("governance:seats", body.slug)
    status = 422 if form.errors else 200
    return render(request, "governance/body_form.html", {"form": form}, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def body_edit(request: HttpRequest, slug: str) -> HttpResponse:
    body = kept_body(request, slug, moment())
    name = body.name
    form = BodyForm(request.POST or None, instance=body)
    if request.method == "POST" and form.is_valid():
        actions.save_body(actor=signed_in(request), body=form.instance)
        messages.success(request, _("Saved."))
        return redirect("governance:seats", body.slug)
    status = 422 if form.errors else 200
    context = {"form": form, "body": body, "name": name}
    return render(request, "governance/body_form.html", context, status=status)


@role_required(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def body_dissolve(request: HttpRequest, slug: str) -> HttpResponse:
    body = kept_body(request, slug, moment())
    form = DissolveForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            actions.dissolve_body(actor=signed_in(request), body=body, on=form.cleaned_data["on"])
        except Refusal as refusal:
            form.add_error("on", str(refusal))
        else:
            messages.success(request, _("Its terms and seats end on that day."))
            return redirect(body)
    status = 422 if form.errors else 200
    context = {"form": form, "body": body}
    return render(request, "governance/body_dissolve.html", context, status=status)
