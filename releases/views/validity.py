"""How long the indices of a repository are good for, as its managers set it."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from portal.accounts.access import signed_in
from portal.accounts.models import User
from releases import tasks
from releases.actions.validity import LONGEST, set_validity
from releases.errors import RefusedError
from releases.models import Product, Repository


class ValidityForm(forms.Form):
    days = forms.IntegerField(
        label=gettext_lazy("Valid for days"),
        min_value=0,
        max_value=LONGEST,
        help_text=gettext_lazy(
            "2 to 365; 0: without an end. The portal renews an index when half of its time has"
            " passed. 7 to 14 is usual."
        ),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def manage_validity(request: HttpRequest, number: int) -> HttpResponse:
    user = signed_in(request)
    repository = _managed(user, number)
    series = repository.series
    days = repository.valid_days or 0
    form = ValidityForm(request.POST or None, initial={"days": days})
    if request.method == "POST" and form.is_valid():
        try:
            queued = set_validity(actor=user, repository=repository, days=form.cleaned_data["days"])
        except RefusedError as error:
            form.add_error("days", str(error))
        else:
            if queued is not None:
                tasks.publish.delay(queued.pk)
            messages.success(request, _("Saved. The next publication says so."))
            return redirect("releases:manage_series", series.product.slug, series.name)
    context = {"form": form, "repository": repository, "product": series.product}
    status = 400 if form.errors else 200
    return render(request, "releases/manage_validity.html", context, status=status)


def _managed(user: User, number: int) -> Repository:
    """The repository, if this person manages its product and it can have an end; 404 otherwise."""
    managed = Product.objects.managed_by(user, timezone.now())
    found = Repository.objects.filter(series__product__in=managed).with_an_index_that_may_end()
    found = found.select_related("series__product", "release", "current")
    return get_object_or_404(found, pk=number)
