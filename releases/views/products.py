"""The release manager's products and their series: making them, editing them, moving dates."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from portal.accounts.access import signed_in
from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role, Scope
from releases.actions.product import save_product, save_series
from releases.errors import RefusedError
from releases.models import Product, Repository, Series
from releases.views.forms import ProductForm, SeriesForm
from releases.views.managed import managed_product, manager_of

EDIT = require_http_methods(["GET", "HEAD", "POST"])


@require_safe
@login_required
def product_list(request: HttpRequest) -> HttpResponse:
    """Every product that this person manages, with its series."""
    user = manager_of(request)
    products = Product.objects.managed_by(user, timezone.now())
    context = {
        "products": [(product, _series(product)) for product in products],
        "may_add": _manages_all(user),
        "today": timezone.now().date(),
    }
    return render(request, "releases/manage_products.html", context)


@EDIT
@login_required
def new_product(request: HttpRequest) -> HttpResponse:
    """Only for those whose role covers every product: nobody else would manage it afterwards."""
    user = manager_of(request)
    if not _manages_all(user):
        raise PermissionDenied
    return _product_page(request, user, ProductForm(request.POST or None), None)


@EDIT
@login_required
def edit(request: HttpRequest, product: str) -> HttpResponse:
    user = signed_in(request)
    found = managed_product(user, product)
    form = ProductForm(request.POST or None, instance=found)
    return _product_page(request, user, form, managed_product(user, product))


def _product_page(
    request: HttpRequest, user: User, form: ProductForm, product: Product | None
) -> HttpResponse:
    if request.method == "POST" and form.is_valid():
        try:
            saved = save_product(actor=user, product=form.save(commit=False))
        except RefusedError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("%(product)s is saved.") % {"product": saved})
            return redirect("releases:manage_product", saved.slug)
    series = _series(product) if product else None
    context = {"form": form, "product": product, "series": series, "today": timezone.now().date()}
    return render(request, "releases/manage_product.html", context)


@EDIT
@login_required
def new_series(request: HttpRequest, product: str) -> HttpResponse:
    user = signed_in(request)
    found = managed_product(user, product)
    return _series_page(request, user, Series(product=found))


@EDIT
@login_required
def edit_series(request: HttpRequest, product: str, name: str) -> HttpResponse:
    user = signed_in(request)
    found = get_object_or_404(managed_product(user, product).series, name=name)
    return _series_page(request, user, found)


def _series_page(request: HttpRequest, user: User, series: Series) -> HttpResponse:
    product, name = series.product, series.name
    product_url = reverse("releases:manage_product", args=[product.slug])
    form = SeriesForm(request.POST or None, instance=series)
    if request.method == "POST" and form.is_valid():
        try:
            _refuse_taken(product, series)
            saved = save_series(actor=user, series=form.save(commit=False))
        except RefusedError as error:
            form.add_error("name" if "name" in form.fields else None, str(error))
        else:
            messages.success(request, _("%(series)s is saved.") % {"series": saved})
            waiting = saved.releases.filter(version=request.GET.get("for", "")).first()
            return redirect(waiting.manage_url if waiting else product_url)
    mine = Repository.objects.filter(series=series.pk).with_an_index_that_may_end()
    context = {
        "form": form,
        "product": product,
        "name": name,
        "repositories": mine.select_related("series__product", "release", "current"),
    }
    return render(request, "releases/manage_series.html", context)


def _refuse_taken(product: Product, series: Series) -> None:
    if product.series.filter(name=series.name).exclude(pk=series.pk).exists():
        raise RefusedError(_("This product has a series of this name already."))


def _series(product: Product) -> QuerySet[Series]:
    return product.series.annotate(releases_made=Count("releases")).order_by("-ordering")


def _manages_all(user: User) -> bool:
    grants = RoleGrant.objects.active_on(timezone.now()).of(user)
    return grants.filter(
        role=Role.RELEASE_MANAGER, scope_kind=Scope.PRODUCT, scope_slug=""
    ).exists()
