"""What the release manager's views share: fetching is authorising."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone

from portal.accounts.access import signed_in
from portal.accounts.models import User
from releases.errors import RefusedError
from releases.models import Alias, Product, Release, Repository


def manager_of(request: HttpRequest) -> User:
    """The person, if they manage any product; 403 otherwise."""
    user = signed_in(request)
    if not Product.objects.managed_by(user, timezone.now()).exists():
        raise PermissionDenied
    return user


def managed_product(user: User, slug: str) -> Product:
    """The product, if this person manages it; 404 otherwise."""
    return get_object_or_404(Product.objects.managed_by(user, timezone.now()), slug=slug)


def managed_release(user: User, product: str, version: str) -> Release:
    """The release, draft or not, if this person manages its product; 404 otherwise."""
    managed = Product.objects.managed_by(user, timezone.now())
    releases = Release.objects.filter(series__product__in=managed).with_names()
    return get_object_or_404(releases, series__product__slug=product, version=version)


def say(request: HttpRequest, act: Callable[[], object], done: str) -> bool:
    """Do it and tell the person that it is done, or why it was refused."""
    try:
        act()
    except RefusedError as error:
        messages.error(request, str(error))
        return False
    messages.success(request, done)
    return True


def managed_repository(user: User, number: int) -> Repository:
    """The repository, if this person manages its product; 404 otherwise."""
    managed = Product.objects.managed_by(user, timezone.now())
    found = Repository.objects.filter(series__product__in=managed)
    return get_object_or_404(found.with_names().with_newest(), pk=number)


def managed_alias(user: User, number: int) -> Alias:
    managed = Product.objects.managed_by(user, timezone.now())
    found = Alias.objects.filter(product__in=managed)
    return get_object_or_404(found.select_related("product", "series", "target"), pk=number)
