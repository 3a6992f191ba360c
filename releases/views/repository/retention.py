"""For how long a repository keeps the indices of past publications, as its managers set it."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from portal.accounts.access import signed_in
from releases.actions.retention import FEWEST, LONGEST, MOST, SHORTEST, set_retention
from releases.views.managed import managed_repository


class RetentionForm(forms.Form):
    publications = forms.IntegerField(
        label=gettext_lazy("Publications to keep"),
        min_value=FEWEST,
        max_value=MOST,
        help_text=gettext_lazy("At least 3. The current one counts."),
    )
    days = forms.IntegerField(
        label=gettext_lazy("Days to keep each"),
        min_value=SHORTEST,
        max_value=LONGEST,
        help_text=gettext_lazy("At least 3, counted from the day on which another followed it."),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def manage_retention(request: HttpRequest, number: int) -> HttpResponse:
    user = signed_in(request)
    repository = managed_repository(user, number)
    initial = {"publications": repository.keep_generations, "days": repository.keep_for.days}
    form = RetentionForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        if set_retention(actor=user, repository=repository, **form.cleaned_data):
            messages.success(request, _("Saved. The next garbage collection keeps to it."))
        return redirect("releases:manage_repository", number)
    context = {"form": form, "repository": repository}
    status = 400 if form.errors else 200
    return render(request, "releases/repository/retention.html", context, status=status)
