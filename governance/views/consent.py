"""Deciding in writing, in the browser: ask, read and sign, take back, certificate."""

from datetime import UTC, datetime, timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from governance.actions import consent as actions
from governance.consent import certificate_pdf, consenting
from governance.forms.consent import ConsentForm, SignForm
from governance.models import Consent
from governance.refusals import Refusal
from governance.views.fetch import (
    deciding_rules,
    moment,
    posted_from_motion,
    refused,
    visible_motion,
)
from governance.views.opening_context import opening_context
from portal.accounts.access import last_authentication, recently_authenticated, signed_in

USUAL_DAYS = 14


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def consent_open(request: HttpRequest, reference: str) -> HttpResponse:
    """A last look at what will be frozen, and until when it can be signed."""
    user, at = signed_in(request), moment()
    motion = visible_motion(request, reference, at)
    try:
        rules = deciding_rules(
            motion, at, lambda rules: consenting.not_to_ask(user, motion, rules, at)
        )
    except Refusal as problem:
        return refused(request, motion, problem)
    usual = (at + timedelta(days=USUAL_DAYS)).replace(minute=0, second=0, microsecond=0)
    form = ConsentForm(request.POST or None, initial={"deadline": usual})
    if request.method == "POST" and form.is_valid():
        try:
            actions.open_consent(actor=user, motion=motion, deadline=form.cleaned_data["deadline"])
        except Refusal as problem:
            form.add_error("deadline", str(problem))
        else:
            messages.success(request, _("Every signer gets a letter."))
            return redirect(motion)
    context = {"motion": motion, "form": form, **opening_context(motion, rules, at), "quorum": None}
    return render(request, "governance/consent_open.html", context)


@recently_authenticated
@require_http_methods(["GET", "HEAD", "POST"])
def consent_sign(request: HttpRequest, reference: str) -> HttpResponse:
    """The text in full, and the name typed under it."""
    user, at = signed_in(request), moment()
    consent = _consent(request, reference, at)
    refusal = consenting.not_to_sign(user, consent, at)
    if refusal is not None:
        return refused(request, consent.motion, refusal)
    form = SignForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            actions.sign_consent(
                actor=user,
                consent=consent,
                name=form.cleaned_data["name"],
                authenticated=_authentication(request),
            )
        except Refusal as problem:
            form.add_error("name", str(problem))
        else:
            messages.success(request, _("You signed. The time and the digest are on record."))
            return redirect("governance:motion", consent.motion.slug)
    places = consent.motion.roster.filter(user=user)
    context = {"motion": consent.motion, "consent": consent, "form": form, "places": places}
    return render(request, "governance/consent_sign.html", context)


@posted_from_motion
@recently_authenticated
def consent_revoke(request: HttpRequest, reference: str) -> HttpResponse:
    consent = _consent(request, reference, moment())
    try:
        actions.revoke_signature(
            actor=signed_in(request), consent=consent, authenticated=_authentication(request)
        )
    except Refusal as refusal:
        return refused(request, consent.motion, refusal)
    messages.success(request, _("Your signature does not count any more."))
    return redirect("governance:motion", consent.motion.slug)


@require_safe
def consent_certificate(request: HttpRequest, reference: str) -> HttpResponse:
    """Who signed what and when, as a paper for the files."""
    consent = _consent(request, reference, moment())
    if consent.effective_at is None:
        raise Http404
    answer = HttpResponse(certificate_pdf.write(consent), content_type="application/pdf")
    name = f"consent-{consent.motion.reference}.pdf"
    answer["Content-Disposition"] = f'inline; filename="{name}"'
    return answer


def _consent(request: HttpRequest, reference: str, at: datetime) -> Consent:
    motion = visible_motion(request, reference, at)
    consent = get_object_or_404(Consent, motion=motion)
    consent.motion = motion
    return consent


def _authentication(request: HttpRequest) -> actions.Authentication:
    record = last_authentication(request)
    method = str(record.get("type") or record["method"])
    return actions.Authentication(method, datetime.fromtimestamp(record["at"], UTC))
