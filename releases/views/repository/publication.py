"""One repository, and one publication of it: what changed, going back to it, trying it again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.accounts.access import signed_in
from releases import serving, tasks
from releases.actions.roll_back import (
    GONE_BACK_TO,
    publish_again,
    roll_back,
    try_again,
    withdrawn,
)
from releases.difference import Difference, between
from releases.errors import RefusedError
from releases.models import File, Publication, Repository, SigningKey
from releases.views.forms import ReasonForm
from releases.views.managed import managed_repository

PAGE: Final = 20
READINGS: Final = 6
SHOWN: Final = 100  # packages on each side of a difference


@require_safe
@login_required
def manage_repository(request: HttpRequest, number: int) -> HttpResponse:
    """Its address, what it shows now, and every publication of it."""
    repository = managed_repository(signed_in(request), number)
    publications = repository.publications.prefetch_related("keys").order_by("-serial")
    context = {
        "repository": repository,
        "address": address(repository),
        "aliases": aliased(repository),
        "keys": SigningKey.objects.of(repository),
        "readings": repository.readings.newest_first()[:READINGS],
        "unreadable": repository.readings.streak().last(),
        "held": repository.memberships.filter(until_serial=None).count(),
        "waits": repository.publications.unfinished().exists(),
        "page": Paginator(publications, PAGE).get_page(request.GET.get("page")),
        "now": timezone.now(),
    }
    return render(request, "releases/repository/detail.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def manage_publication(request: HttpRequest, number: int, serial: int) -> HttpResponse:
    """What it changed; a POST with a reason rolls the repository back to it."""
    user = signed_in(request)
    repository = managed_repository(user, number)
    found = repository.publications.select_related("repository__series__product", "key")
    publication = get_object_or_404(found, serial=serial)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            queued = roll_back(actor=user, publication=publication, **form.cleaned_data)
        except RefusedError as error:
            form.add_error(None, str(error))
        else:
            tasks.follow(File.objects.none(), [queued])
            messages.success(
                request,
                _("Going back to the packages of publication %(serial)s.") % {"serial": serial},
            )
            return redirect("releases:manage_repository", number)
    context = {"repository": repository, "publication": publication, "form": form}
    context |= _changes(repository, publication)
    status = 400 if form.is_bound else 200
    return render(request, "releases/repository/publication.html", context, status=status)


def _changes(repository: Repository, publication: Publication) -> dict[str, Any]:
    """Against the publication before it, and, for one to go back to, against what is there now."""
    before = repository.publications.before(publication)
    changed = between(repository, before.serial if before else 0, publication.serial)
    context: dict[str, Any] = {
        "before": before,
        "changed": _shown(changed),
        "is_last": publication.serial == repository.serial,
    }
    if publication.state in GONE_BACK_TO:
        back = between(repository, repository.serial, publication.serial)
        came = back.came.values_list("pk", flat=True)
        stays_out = withdrawn(repository=repository, packages=set(came))
        back = replace(back, came=back.came.exclude(pk__in=stays_out))
        context |= {"back": _shown(back), "can_go_back": bool(back), "withdrawn": len(stays_out)}
    return context


def _shown(difference: Difference) -> dict[str, Any]:
    return {
        "came": difference.came[:SHOWN],
        "went": difference.went[:SHOWN],
        "came_count": difference.came.count(),
        "went_count": difference.went.count(),
    }


@require_POST
@login_required
def again(request: HttpRequest, number: int) -> HttpResponse:
    """Publish what the repository holds, with a new date and signature."""
    user = signed_in(request)
    queued = publish_again(actor=user, repository=managed_repository(user, number))
    tasks.follow(File.objects.none(), [queued])
    messages.success(request, _("It is written, signed and published again now."))
    return redirect("releases:manage_repository", number)


@require_POST
@login_required
def retry(request: HttpRequest, number: int, serial: int) -> HttpResponse:
    """Try a failed publication again."""
    user = signed_in(request)
    repository = managed_repository(user, number)
    publication = get_object_or_404(repository.publications, serial=serial)
    try:
        queued = try_again(actor=user, publication=publication)
    except RefusedError as error:
        messages.error(request, str(error))
        return redirect("releases:manage_publication", number, serial)
    tasks.follow(File.objects.none(), [queued])
    messages.success(request, _("It is tried again, as publication %s.") % queued.serial)
    return redirect("releases:manage_repository", number)


def address(repository: Repository, name: str = "") -> str:
    """What a client has in its configuration."""
    part = serving.part_of(repository)
    return f"{settings.BASE_URL}/{part.value}/{serving.root(repository, name)}/"


def aliased(repository: Repository) -> list[tuple[str, str]]:
    """The aliases that show it, with the address below each."""
    if repository.release_id is not None:
        return []
    names = repository.series.aliases.values_list("name", flat=True).order_by("name")
    return [(name, address(repository, name)) for name in names]
