"""Pages of the release manager: drafts, uploads, publishing. Each person sees their products."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.accounts.access import signed_in
from portal.accounts.models import User
from releases import tasks
from releases.actions.release import draft_release, publish_release
from releases.errors import RefusedError
from releases.maturity import Maturity
from releases.models import Product, Publication, Release, Series
from releases.readiness import reasons_against


class DraftForm(forms.Form):
    """What a draft needs; the choices are the manager's own series."""

    series = forms.ModelChoiceField(Series.objects.none(), label=gettext_lazy("Series"))
    version = forms.CharField(
        label=gettext_lazy("Version"),
        max_length=60,
        help_text=gettext_lazy("For example 12.3.0, or 12.3.0-rc1."),
    )
    maturity = forms.ChoiceField(label=gettext_lazy("Maturity"), choices=Maturity.choices)
    summary = forms.CharField(
        label=gettext_lazy("Summary"),
        max_length=300,
        required=False,
        help_text=gettext_lazy("One sentence, shown under the title."),
    )
    notes = forms.CharField(
        label=gettext_lazy("What is new"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=gettext_lazy("Markdown."),
    )
    commit = forms.RegexField(
        r"^[0-9a-f]{7,64}$", label=gettext_lazy("Built from commit"), required=False
    )

    def __init__(self, *args: object, user: User, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        managed = Product.objects.managed_by(user, timezone.now())
        series = Series.objects.filter(product__in=managed).select_related("product")
        self.fields["series"].queryset = series  # type: ignore[attr-defined]


def _manager(request: HttpRequest) -> User:
    """The person, if they manage any product; 403 otherwise."""
    user = signed_in(request)
    if not Product.objects.managed_by(user, timezone.now()).exists():
        raise PermissionDenied
    return user


def _release(user: User, product: str, version: str) -> Release:
    managed = Product.objects.managed_by(user, timezone.now())
    releases = Release.objects.filter(series__product__in=managed).with_names()
    return get_object_or_404(releases, series__product__slug=product, version=version)


@require_safe
@login_required
def overview(request: HttpRequest) -> HttpResponse:
    """Drafts and the latest publications of the products that this person manages."""
    user, now = _manager(request), timezone.now()
    managed = Product.objects.managed_by(user, now)
    releases = Release.objects.filter(series__product__in=managed).with_names()
    publications = Publication.objects.filter(
        repository__series__product__in=managed
    ).select_related("repository__series__product")
    context = {
        "drafts": releases.drafts(now).newest_first(),
        "published": releases.published(now).order_by("-published_at")[:10],
        "publications": publications.order_by("-queued_at")[:20],
    }
    return render(request, "releases/manage.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_release(request: HttpRequest) -> HttpResponse:
    """The form of a draft."""
    user = _manager(request)
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
    user, now = signed_in(request), timezone.now()
    release = _release(user, product, version)
    publications = Publication.objects.filter(
        repository__memberships__package__file__release=release
    ).select_related("repository__series__product")
    context = {
        "release": release,
        "is_published": release.is_published(now),
        "uploads": release.uploads.select_related("uploaded_by", "file__package"),
        "reasons": reasons_against(actor=user, release=release, at=now),
        "publications": publications.distinct().order_by("repository", "-serial"),
    }
    return render(request, "releases/manage_release.html", context)


@require_POST
@login_required
def publish(request: HttpRequest, product: str, version: str) -> HttpResponse:
    """Publish; the version typed by hand is the confirmation."""
    user = signed_in(request)
    release = _release(user, product, version)
    if request.POST.get("confirm", "").strip() != release.version:
        messages.error(request, _("Type the version to confirm. Nothing was published."))
        return redirect("releases:manage_release", product, version)
    try:
        queued = publish_release(actor=user, release=release, at=timezone.now())
    except RefusedError as error:
        messages.error(request, str(error))
    else:
        for publication in queued:
            tasks.publish.delay(publication.pk)
        for file_id in release.files.values_list("pk", flat=True):
            tasks.sign.delay(file_id)
        messages.success(request, _("%(release)s is published.") % {"release": release})
    return redirect("releases:manage_release", product, version)
