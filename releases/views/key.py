"""Public keys: the page that lists them, the keys themselves, and how a rotation stands."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from releases import keyrings
from releases.actions.keyring import keyring_of
from releases.models import Package, Product, Repository, SigningKey
from releases.rotation import rotations
from releases.views.managed import manager_of

KEY_TYPE: Final = "application/pgp-keys"
KEYRING: Final = keyrings.deb_name("")  # how the name of a keyring ends


@require_safe
def key_list(request: HttpRequest) -> HttpResponse:
    """Every key with its fingerprint, and how it is checked."""
    now = timezone.now()
    keys = list(SigningKey.objects.in_order())
    context = {
        "in_use": [key for key in keys if key.state != SigningKey.State.RETIRED],
        "retired": [key for key in keys if key.state == SigningKey.State.RETIRED],
        "keyrings": [
            (product, keyrings.deb_name(product.slug))
            for product in Product.objects.with_repositories()
        ],
        "example": next((key for key in keys if not key.for_files), None),
        "now": now,
    }
    return render(request, "releases/keys.html", context)


@require_safe
def public_key(request: HttpRequest, name: str, form: str) -> HttpResponse:
    """A key, or the keyring of a product, for people and rpm (.asc) or for apt (.pgp)."""
    key = SigningKey.objects.filter(name=name).first()
    if key is not None:
        body = key.armored.encode() if form == "asc" else bytes(key.binary)
    else:
        wanted = name.removesuffix(KEYRING) if name.endswith(KEYRING) else ""
        product = get_object_or_404(Product.objects.with_repositories(), slug=wanted)
        keyring = keyring_of(product)
        body = keyring.as_text() if form == "asc" else keyring.as_binary()
    response = HttpResponse(body, content_type=KEY_TYPE)
    # A keyring changes with its keys, and the set-up script compares its digest.
    response["Cache-Control"] = "public, max-age=3600" if key else "public, no-cache"
    response["Access-Control-Allow-Origin"] = "*"
    return response


@require_safe
@login_required
def manage_keys(request: HttpRequest) -> HttpResponse:
    """The keys as release managers see them: what each signed, when it ends, what comes next."""
    manager_of(request)
    now = timezone.now()
    keys = list(SigningKey.objects.in_order().with_uses())
    context = {
        "rows": [(key, key.days_left(now), key.warning_step(now)) for key in keys],
        "expired": [key for key in keys if key.is_in_use and key.is_expired(now)],
        "ending": [key for key in keys if key.is_in_use and key.warning_step(now)],
        "rotations": rotations(keys),
        "packages": _newest_keyrings(),
        "repositories": Repository.objects.live().count(),
    }
    return render(request, "releases/manage_keys.html", context)


def _newest_keyrings() -> list[Package]:
    """The newest keyring package of each product and family, and how many repositories show it."""
    shown = Count("memberships", filter=Q(memberships__until_serial=None))
    newest: dict[tuple[str, str], Package] = {}
    made = Package.objects.filter(file__release=None).select_related("file", "product")
    for package in made.annotate(shown=shown).order_by("name", "-pk"):
        newest.setdefault((package.name, package.version.partition("-")[2]), package)
    return list(newest.values())
