"""The packages that a repository holds, and those that left it."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from portal.accounts.access import signed_in
from releases import tasks
from releases.actions.roll_back import put_back, take_out
from releases.errors import RefusedError
from releases.models import File, Membership, Package, Repository
from releases.views.forms import ReasonForm
from releases.views.managed import managed_repository

PAGE: Final = 100


@require_safe
@login_required
def package_list(request: HttpRequest, number: int) -> HttpResponse:
    repository = managed_repository(signed_in(request), number)
    packages = _packages(repository)
    if text := request.GET.get("q", "").strip().replace("\0", "")[:60]:
        packages = packages.filter(Q(name__icontains=text) | Q(version__icontains=text))
    if request.GET.get("state") in ("held", "left"):
        held = repository.memberships.filter(until_serial=None).values("package")
        by_state = packages.filter if request.GET["state"] == "held" else packages.exclude
        packages = by_state(pk__in=held)
    context = {
        "repository": repository,
        "query": request.GET,
        "filtered": request.GET.urlencode(),
        "page": Paginator(packages, PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "releases/repository/packages.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def manage_package(request: HttpRequest, number: int, package: int) -> HttpResponse:
    """Take a package out of the repository or put it back, with a reason."""
    user = signed_in(request)
    repository = managed_repository(user, number)
    found = get_object_or_404(_packages(repository), pk=package)
    is_held = found.is_held  # type: ignore[attr-defined]
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        act, done = (
            (take_out, _("%(package)s is taken out now."))
            if is_held
            else (put_back, _("%(package)s is put back now."))
        )
        try:
            queued = act(actor=user, repository=repository, package=found, **form.cleaned_data)
        except RefusedError as error:
            form.add_error(None, str(error))
        else:
            tasks.follow(File.objects.none(), [queued])
            messages.success(request, done % {"package": found})
            return redirect("releases:manage_repository", number)
    memberships = repository.memberships.filter(package=found).order_by("since_serial")
    context = {
        "repository": repository,
        "package": found,
        "is_held": is_held,
        "memberships": memberships,
        "form": form,
    }
    status = 400 if form.is_bound else 200
    return render(request, "releases/repository/package.html", context, status=status)


def _packages(repository: Repository) -> QuerySet[Package]:
    """All that it ever held, with `is_held`."""
    members = Membership.objects.filter(repository=repository, package=OuterRef("pk"))
    found = Package.objects.filter(Exists(members))
    return found.annotate(is_held=Exists(members.filter(until_serial=None))).select_related(
        "file__release__series__product"
    )
