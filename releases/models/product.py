from __future__ import annotations

import datetime as dt
import re
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role, Scope
from releases import maturity
from releases.repository.apt import CONTROL

ONE_LINE: Final = ("name", "description", "license")
PACKAGE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9+._-]*")


class ProductQuerySet(models.QuerySet["Product"]):
    def managed_by(self, user: User | AnonymousUser, at: dt.datetime) -> ProductQuerySet:
        """Products whose releases this person makes and publishes."""
        if not isinstance(user, User) or not user.is_active:
            return self.none()
        grants = RoleGrant.objects.active_on(at).of(user)
        slugs = set(
            grants.filter(role=Role.RELEASE_MANAGER, scope_kind=Scope.PRODUCT).values_list(
                "scope_slug", flat=True
            )
        )
        return self.all() if "" in slugs else self.filter(slug__in=slugs)

    def with_repositories(self) -> ProductQuerySet:
        """Products that have a repository which clients can read."""
        return self.filter(series__repositories__current__isnull=False).distinct()

    def shown(self, at: dt.datetime) -> ProductQuerySet:
        """Products that have something published."""
        return self.filter(series__releases__published_at__lte=at).distinct()


class Product(models.Model):
    """A program that the foundation publishes: the server, a connector, a tool."""

    class Kind(models.TextChoices):
        SERVER = "server", _("Server")
        CONNECTOR = "connector", _("Connectors")
        TOOL = "tool", _("Tools")

    class Announced(models.TextChoices):
        STABLE = "stable", _("stable releases")
        ALL = "all", _("every release")
        NONE = "none", _("none")

    slug = models.SlugField(_("address"), max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=100, unique=True)
    kind = models.CharField(_("kind"), max_length=20, choices=Kind, default=Kind.SERVER)
    description = models.CharField(_("description"), max_length=300)
    license = models.CharField(_("license"), max_length=100)
    scale = models.CharField(
        _("maturity scale"),
        max_length=20,
        choices=maturity.Scale,
        default=maturity.Scale.SERVER,
    )
    package = models.CharField(
        _("package to install"),
        max_length=128,
        blank=True,
        help_text=_("The name that the configuration generator puts into its install command."),
    )
    issues_url = models.URLField(_("issue tracker"), blank=True)
    announced = models.CharField(
        _("drafts of news for"),
        max_length=6,
        choices=Announced,
        default=Announced.STABLE,
        help_text=_("When one of them is published, the editors find a draft announcement of it."),
    )
    position = models.PositiveSmallIntegerField(_("position"), default=100)

    objects = ProductQuerySet.as_manager()

    class Meta:
        verbose_name = _("product")
        verbose_name_plural = _("products")
        ordering = ["position", "name"]
        constraints = [
            models.CheckConstraint(
                condition=Q(package="") | Q(package__regex=f"^{PACKAGE.pattern}$"),
                name="product_package_is_a_word",
            ),
            models.CheckConstraint(
                condition=~Q(slug__in=["latest", "latest-lts"]),
                name="product_slug_is_no_alias",
                violation_error_message=_("This address belongs to the aliases of repositories."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("releases:product", args=[self.slug])

    def managers(self, at: dt.datetime) -> list[User]:
        """Who makes and publishes its releases."""
        grants = RoleGrant.objects.active_on(at).filter(
            role=Role.RELEASE_MANAGER, scope_kind=Scope.PRODUCT, scope_slug__in=["", self.slug]
        )
        people = User.objects.filter(is_active=True, role_grants__in=grants)
        return list(people.distinct().order_by("name", "email"))

    def clean(self) -> None:
        """Names are fields of signed indices; the package is a word of commands."""
        faults: dict[str, Any] = {}
        for name in ONE_LINE:
            if CONTROL.search(getattr(self, name)):
                faults[name] = _("Write this in one line, without control characters.")
        if self.package and not PACKAGE.fullmatch(self.package):
            faults["package"] = _(
                "A package name begins with a letter or digit and has letters, digits and + . _ -"
            )
        if faults:
            raise ValidationError(faults)

    @property
    def is_default(self) -> bool:
        """The product whose repositories lie at /repo/ and /yum/ without its name."""
        return self.slug == settings.DEFAULT_PRODUCT
