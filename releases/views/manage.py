"""Pages of the release manager: drafts, uploads, publishing. Each person sees their products."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.accounts.access import signed_in
from portal.accounts.models import User
from releases import tasks
from releases.actions.release import draft_release, publish_release
from releases.doubts import doubts_before_publishing, doubts_before_withdrawing
from releases.errors import RefusedError
from releases.looked_at import as_field, from_field
from releases.models import Product, Publication, Release, Repository
from releases.readiness import reasons_against, reasons_when_due, second_person_reason
from releases.views.forms import DraftForm, ItemForm, ScheduleForm, YankForm
from releases.views.managed import managed_release, manager_of, say
from releases.views.upload import upload_context


@require_safe
@login_required
def overview(request: HttpRequest) -> HttpResponse:
    """Drafts and the latest publications of the products that this person manages."""
    user, now = manager_of(request), timezone.now()
    managed = Product.objects.managed_by(user, now)
    releases = Release.objects.filter(series__product__in=managed).with_names()
    publications = Publication.objects.filter(
        repository__series__product__in=managed
    ).select_related("repository__series__product", "repository__release")
    context = {
        "drafts": releases.drafts(now).select_related("scheduled_by").newest_first(),
        "published": releases.published(now).order_by("-published_at")[:10],
        "publications": publications.order_by("-queued_at")[:20],
    }
    return render(request, "releases/manage.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_release(request: HttpRequest) -> HttpResponse:
    """The form of a draft."""
    user = manager_of(request)
    form = DraftForm(request.POST or None, user=user)
    if request.method == "POST" and form.is_valid():
        try:
            release = draft_release(actor=user, **form.cleaned_data)
        except RefusedError as error:
            form.add_error("version", str(error))
        else:
            return redirect("releases:manage_release", release.series.product.slug, release.version)
    return render(request, "releases/manage_new.html", {"form": form})


@require_safe
@login_required
def manage_release(request: HttpRequest, product: str, version: str) -> HttpResponse:
    """A release as its managers see it: uploads, what is missing, the button to publish."""
    user = signed_in(request)
    return release_page(request, user, managed_release(user, product, version))


def release_page(request: HttpRequest, user: User, release: Release, **forms: Any) -> HttpResponse:
    """The page with the forms on it, or with those that were refused."""
    now = timezone.now()
    checklist = list(release.checklist.select_related("ticked_by"))
    is_due = release.scheduled_for is not None
    is_published = release.is_published(now)
    doubts = doubts_before_withdrawing if is_published else doubts_before_publishing
    context = {
        "release": release,
        "is_published": is_published,
        "doubts": doubts(release, at=now),
        "is_yanked": release.is_yanked(now),
        "shown": as_field(release),
        "now": now,
        "uploads": release.uploads.select_related("uploaded_by", "file__package"),
        "reasons": reasons_against(actor=user, release=release, at=now),
        "reasons_when_due": reasons_when_due(release=release, at=now) if is_due else [],
        "restore_reason": second_person_reason(actor=user, release=release, at=now),
        "checklist": checklist,
        "ticked": sum(item.ticked_at is not None for item in checklist),
        "schedule_form": ScheduleForm(),
        "yank_form": YankForm(release=release),
        "item_form": ItemForm(),
        **_publications_of(release),
        **upload_context(),
        **forms,
    }
    status = 400 if forms else 200
    return render(request, "releases/manage_release.html", context, status=status)


def _publications_of(release: Release) -> dict[str, Any]:
    """What became of its packages: the newest publication of each repository that got them."""
    repositories = Repository.objects.filter(memberships__package__file__release=release)
    publications = Publication.objects.filter(repository__in=repositories)
    newest = publications.order_by("repository_id", "-serial").distinct("repository_id")
    found = newest.select_related("repository__series__product", "repository__release")
    return {
        "publications": sorted(found, key=lambda each: each.repository.name),
        "waits": publications.unfinished().exists(),
        "offers_packages": publications.filter(state=Publication.State.CURRENT).exists(),
    }


@require_POST
@login_required
def publish(request: HttpRequest, product: str, version: str) -> HttpResponse:
    """Publish; the version typed by hand is the confirmation."""
    user = signed_in(request)
    release = managed_release(user, product, version)
    if request.POST.get("confirm", "").strip() != release.version:
        messages.error(request, _("Type the version to confirm. Nothing was published."))
        return redirect("releases:manage_release", product, version)

    def act() -> None:
        queued = publish_release(
            actor=user,
            release=release,
            at=timezone.now(),
            shown=from_field(request.POST.get("shown", "")),
        )
        tasks.follow(release.files.all(), queued)

    say(request, act, _("%(release)s is published.") % {"release": release})
    return redirect("releases:manage_release", product, version)
