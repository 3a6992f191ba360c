"""What a person signs their runs with: keys and repositories, registered and revoked."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from benchmarks.actions.signer import (
    TakenError,
    register_key,
    register_repository,
    revoke_signer,
)
from benchmarks.forms import KeyForm, RepositoryForm
from benchmarks.models import Signer
from benchmarks.trust.signatures import BadKeyError
from portal.accounts.access import signed_in
from portal.accounts.models import User


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def signers(request: HttpRequest) -> HttpResponse:
    user = signed_in(request)
    key_form = KeyForm(request.POST if "key" in request.POST else None)
    repository_form = RepositoryForm(request.POST if "repository" in request.POST else None)
    form: Form = key_form if "key" in request.POST else repository_form
    if request.method == "POST" and form.is_valid() and _registered(user, form):
        messages.success(request, _("Registered. Runs that it signs say so from now on."))
        return redirect("benchmarks:signers")
    context = {
        "signers": Signer.objects.of(user),
        "key_form": key_form,
        "repository_form": repository_form,
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "benchmarks/signers.html", context, status=status)


def _registered(user: User, form: Form) -> bool:
    """False when the form now says why not."""
    data = form.cleaned_data
    try:
        if isinstance(form, KeyForm):
            register_key(actor=user, name=data["name"], key=data["key"], at=timezone.now())
        else:
            register_repository(
                actor=user,
                issuer=data["issuer"],
                repository=data["repository"],
                at=timezone.now(),
            )
    except BadKeyError as error:
        form.add_error("key", str(error))
    except TakenError:
        form.add_error(None, _("This is registered already."))
    return form.is_valid()


@login_required
@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    user = signed_in(request)
    signer = get_object_or_404(Signer.objects.of(user), pk=pk)
    revoke_signer(actor=user, signer=signer, at=timezone.now())
    messages.success(request, _("Revoked. What it signed before stays as it is."))
    return redirect("benchmarks:signers")
