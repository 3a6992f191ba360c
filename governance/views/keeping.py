"""What the secretary of a body does with the record of a motion, and sees of its letters."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from governance import letters
from governance.actions.redaction import redact
from governance.discussion import discussing
from governance.forms.discussion import RedactionForm
from governance.motions import deliveries
from governance.refusals import Refusal
from governance.views.fetch import moment, visible_motion
from portal.accounts.access import signed_in

PER_PAGE = 50


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def redactions(request: HttpRequest, reference: str) -> HttpResponse:
    """What the public does not read of a motion, and why; taking another passage out."""
    user, at = signed_in(request), moment()
    motion = visible_motion(request, reference, at)
    refusal = discussing.not_to_keep(user, motion, at)
    if refusal is not None:
        raise PermissionDenied(str(refusal))
    form = RedactionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            redact(actor=user, motion=motion, **form.cleaned_data)
        except Refusal as problem:
            form.add_error("passage", str(problem))
        else:
            messages.success(request, _("The public does not read this passage any more."))
            return redirect("governance:motion_redactions", motion.reference)
    context = {
        "motion": motion,
        "form": form,
        "redactions": motion.redactions.select_related("redacted_by"),
    }
    status = 422 if form.errors else 200
    return render(request, "governance/motion_redactions.html", context, status=status)


@login_required
@require_safe
def delivery(request: HttpRequest, reference: str) -> HttpResponse:
    """Which letters about a motion left, for whom, and which did not; for its body."""
    user, at = signed_in(request), moment()
    motion = visible_motion(request, reference, at)
    if not discussing.belongs(user, motion.body, at):
        raise PermissionDenied(_("Only the body sees which letters about its motions left."))
    asked = request.GET.get("q", "")[:80]
    page = Paginator(deliveries.addresses(letters.about(motion), asked), PER_PAGE).get_page(
        request.GET.get("page")
    )
    context = {
        "motion": motion,
        "page": page,
        "asked": asked,
        "recipients": deliveries.recipients(letters.about(motion), list(page.object_list)),
        "rounds": motion.letter_rounds.running(),
        "keeps": discussing.keeps(user, motion.body, at),
    }
    return render(request, "governance/motion_delivery.html", context)
