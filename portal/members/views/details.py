"""What an organisation says about itself: each contact changes its part."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from portal.accounts.access import signed_in
from portal.members.actions.organisation import ChangedMeanwhileError, change_details
from portal.members.forms.details import DetailsForm
from portal.members.models import Organisation
from portal.members.rights import Part, editable, own_organisation, rights_of


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def details(request: HttpRequest, slug: str) -> HttpResponse:
    organisation = own_organisation(request, slug, Part.OVERVIEW)
    may = rights_of(signed_in(request), organisation)
    form = DetailsForm(request.POST or None, organisation=organisation, allowed=editable(may))
    if request.method == "POST" and form.is_valid() and _changed(request, organisation, form):
        return redirect("members:details", slug)
    context = {"organisation": organisation, "form": form, "may": may}
    return render(request, "members/details.html", context)


def _changed(request: HttpRequest, organisation: Organisation, form: DetailsForm) -> bool:
    try:
        changed = change_details(
            actor=signed_in(request),
            organisation=organisation,
            values=form.values(),
            seen=form.cleaned_data["seen"],
            at=timezone.now(),
        )
    except ChangedMeanwhileError:
        form.show_again(Organisation.objects.get(pk=organisation.pk))
        said = _("Somebody changed this meanwhile. Nothing is lost: look below, then save again.")
        form.add_error(None, said)
        return False
    if changed:
        messages.success(request, _("Saved. What was issued before stays as it is."))
    else:
        messages.info(request, _("Nothing was changed."))
    return True
