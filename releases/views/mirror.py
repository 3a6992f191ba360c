"""Mirrors in public: how they are, how to run one, what they fetch, proposing one."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any, ClassVar, Final

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from portal.lib import ratelimit
from portal.lib.program import program_response
from releases.actions.mirror import confirm_mirror, propose_mirror
from releases.errors import RefusedError
from releases.mirrors import manifest, status
from releases.models import Mirror, Part, Product

SYNC_CLIENT: Final = Path(__file__).resolve().parent.parent / "client" / "portal_mirror.py"
PROPOSALS_AN_HOUR: Final = 5
MANIFESTS_AN_HOUR: Final = 120


class MirrorForm(forms.ModelForm[Mirror]):
    """What an operator says of a mirror."""

    base_url = forms.URLField(
        label=gettext_lazy("Address"),
        assume_scheme="https",
        help_text=gettext_lazy("Begins with https://; the folder that holds repo/ and yum/."),
    )
    parts = forms.MultipleChoiceField(
        label=gettext_lazy("Carries"),
        choices=Part.choices,
        initial=list(Part.values),
        widget=forms.CheckboxSelectMultiple,
    )

    class Meta:
        model = Mirror
        fields = (
            "name",
            "operator",
            "contact_email",
            "country",
            "base_url",
            "rsync_url",
            "weight",
            "parts",
            "products",
        )
        widgets: ClassVar[dict[str, Any]] = {"products": forms.CheckboxSelectMultiple}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        shown = Product.objects.shown(timezone.now())
        self.fields["products"].queryset = shown  # type: ignore[attr-defined]
        if not shown.exists():
            del self.fields["products"]

    def clean_base_url(self) -> str:
        """With the slash at its end, the host in small letters."""
        scheme, mark, rest = str(self.cleaned_data["base_url"]).partition("://")
        host, slash, path = rest.partition("/")
        url = f"{scheme.lower()}{mark}{host.lower()}{slash}{path}"
        return url if url.endswith("/") else f"{url}/"


@require_safe
def mirror_list(request: HttpRequest) -> HttpResponse:
    """Every mirror in use, by continent and country, with what probes say of it."""
    now = timezone.now()
    rows = status.rows(now)
    context = {
        "groups": status.by_continent(rows),
        "rows": rows,
        "offered": Mirror.objects.offered(now).count(),
        "countries": len({row.mirror.country for row in rows}),
        "history": status.history(rows, now),
        "knows_countries": settings.GEOIP_DATABASE is not None,
    }
    return render(request, "releases/mirrors.html", context)


@require_safe
def mirror_json(request: HttpRequest) -> HttpResponse:
    now = timezone.now()
    response = JsonResponse(status.as_json(status.rows(now), now))
    response["Access-Control-Allow-Origin"] = "*"
    response["Cache-Control"] = "public, max-age=60"
    return response


@require_safe
def run(request: HttpRequest) -> HttpResponse:
    """How a mirror is run, step by step."""
    return render(request, "releases/mirror_run.html", {"base_url": settings.BASE_URL})


@require_safe
def sync_client(request: HttpRequest) -> HttpResponse:
    """The program that keeps a mirror, one file."""
    return program_response(SYNC_CLIENT)


@require_safe
def mirror_manifest(request: HttpRequest) -> HttpResponse:
    """All files that a mirror carries, in the order of fetching; `product=` for one product."""
    if not ratelimit.allowed(request, action="manifest", limit=MANIFESTS_AN_HOUR, seconds=3600):
        return _later()
    slug = request.GET.get("product", "")
    product = get_object_or_404(Product, slug=slug) if slug else None
    try:
        state, body = manifest.compressed(manifest.Contents(timezone.now(), product))
    except manifest.ChangingError:
        return _later()
    etag = f'W/"{state}"'
    response = get_conditional_response(request, etag) or _packed(request, body)
    response["ETag"] = etag
    response["Cache-Control"] = "public, no-cache"
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def _packed(request: HttpRequest, body: bytes) -> HttpResponse:
    is_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    content = body if is_gzip else gzip.decompress(body)
    response = HttpResponse(content, content_type="text/plain; charset=utf-8")
    if is_gzip:
        response["Content-Encoding"] = "gzip"
    return response


def _later() -> HttpResponse:
    response = HttpResponse(
        _("Ask again in a minute."), status=429, content_type="text/plain; charset=utf-8"
    )
    response["Retry-After"] = "60"
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def propose(request: HttpRequest) -> HttpResponse:
    """The form of an operator; the letter to the contact comes next."""
    form = MirrorForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        if not ratelimit.allowed(request, action="mirror", limit=PROPOSALS_AN_HOUR, seconds=3600):
            form.add_error(None, _("Too many proposals came from here. Try again in an hour."))
        else:
            try:
                propose_mirror(actor=None, values=dict(form.cleaned_data), at=timezone.now())
            except RefusedError as error:
                form.add_error(None, str(error))
            else:
                return redirect("releases:mirror_proposed")
    return render(request, "releases/mirror_propose.html", {"form": form})


@require_safe
def proposed(request: HttpRequest) -> HttpResponse:
    return render(request, "releases/mirror_proposed.html")


@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """The link of the letter. Programs that look into letters follow links: only POST confirms."""
    mirror = None
    if request.method == "POST":
        mirror = confirm_mirror(token=token, at=timezone.now())
        if mirror is None:
            return render(request, "releases/mirror_confirm.html", {"gone": True}, status=404)
    return render(request, "releases/mirror_confirm.html", {"mirror": mirror})
