from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from releases.models.product import Product
    from releases.models.repository import Repository


WARNING_DAYS: Final = (7, 30, 90)  # before the end of a key, the last warning first


class SigningKeyQuerySet(models.QuerySet["SigningKey"]):
    def scoped_to(self, name: str) -> SigningKeyQuerySet:
        """Keys of indices that were made for `name` (a repository) or for what holds it."""
        parts = name.split("/")
        scopes = ["", *("/".join(parts[: at + 1]) for at in range(len(parts)))]
        return self.filter(scope__in=scopes, for_files=False)

    def signing(self, repository: Repository) -> SigningKeyQuerySet:
        """Those that sign the indices of the repository now: two while keys change.

        The keys made for the repository come before those of its series, product, and all.
        """
        active = self.scoped_to(repository.name).filter(state=SigningKey.State.ACTIVE)
        nearest = active.order_by(Length("scope").desc()).values("scope")[:1]
        return active.filter(scope=models.Subquery(nearest))

    def of(self, repository: Repository) -> SigningKeyQuerySet:
        """What a client of the repository installs, oldest first: the keys that sign, those that
        will, and a retired one as long as a package that it signed is shown.
        """
        following = self.scoped_to(repository.name).filter(state=SigningKey.State.NEXT)
        shown = repository.memberships.filter(until_serial=None, package__key__isnull=False)
        wanted = (
            Q(pk__in=self.signing(repository).values("pk"))
            | Q(pk__in=following.values("pk"))
            | Q(pk__in=shown.values("package__key"))
        )
        return self.filter(wanted).order_by("created_at", "pk")

    def of_files(self) -> SigningKeyQuerySet:
        """Keys of downloads, oldest first."""
        return self.filter(for_files=True, scope="").order_by("created_at", "pk")

    def of_advisories(self) -> SigningKeyQuerySet:
        """Keys that sign or have signed advisories, oldest first."""
        found = self.filter(for_files=True, scope="advisories")
        return found.exclude(state=SigningKey.State.NEXT).order_by("created_at", "pk")

    def of_decisions(self) -> SigningKeyQuerySet:
        """Keys that sign or have signed what the bodies decided, oldest first."""
        found = self.filter(for_files=True, scope="decisions")
        return found.exclude(state=SigningKey.State.NEXT).order_by("created_at", "pk")

    def of_product(self, product: Product) -> SigningKeyQuerySet:
        """What a client of any repository of the product installs, oldest first."""
        of_its_own = self.filter(scope=product.slug, state=SigningKey.State.ACTIVE)
        for_all = Q(scope="") & ~models.Exists(of_its_own)
        own = Q(scope=product.slug) | Q(scope__startswith=f"{product.slug}/") | for_all
        in_use = own & ~Q(state=SigningKey.State.RETIRED)
        shown = Q(
            packages__memberships__until_serial=None,
            packages__memberships__isnull=False,
            packages__product=product,
        )
        chosen = self.filter(in_use | shown, for_files=False).values("pk")
        return self.filter(pk__in=chosen).order_by("created_at", "pk")

    def expiring(self, at: dt.datetime) -> SigningKeyQuerySet:
        """Keys in use that end soon, or have ended."""
        soon = at + dt.timedelta(days=max(WARNING_DAYS))
        return self.filter(expires_at__lte=soon).exclude(state=SigningKey.State.RETIRED)

    def with_uses(self) -> SigningKeyQuerySet:
        """With `repositories` (whose index it signed) and `signed` (packages) counted."""
        current = Q(publications__state="current")
        return self.annotate(
            repositories=_count("publications", current), signed=_count("packages", Q())
        )

    def in_order(self) -> SigningKeyQuerySet:
        """Keys of repositories first, the general one before others, oldest first."""
        return self.order_by("for_files", "scope", "created_at", "pk")


def _count(what: str, which: Q) -> models.Subquery:
    """How many there are of each key, counted apart so that they do not multiply."""
    key = SigningKey.objects.filter(pk=models.OuterRef("pk")).order_by().values("pk")
    return models.Subquery(key.annotate(n=models.Count(what, filter=which)).values("n"))


class SigningKey(models.Model):
    """The public half of a key that the signer holds, as it introduced itself."""

    class State(models.TextChoices):
        NEXT = "next", _("announced")
        ACTIVE = "active", _("signs")
        RETIRED = "retired", _("retired")

    name = models.SlugField(_("name"), max_length=60, unique=True)
    own_name = models.SlugField(_("name in the signer"), max_length=60, blank=True)
    fingerprint = models.CharField(_("fingerprint"), max_length=64, unique=True)
    user_id = models.CharField(_("user id"), max_length=200)
    algorithm = models.CharField(_("algorithm"), max_length=20, default="rsa4096")
    scope = models.CharField(
        _("signs for"),
        max_length=200,
        blank=True,
        help_text=_("A product, or a repository of it; empty: all that have no key of their own."),
    )
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.ACTIVE)
    created_at = models.DateTimeField(_("made"), default=timezone.now)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    armored = models.TextField(_("armored"))
    binary = models.BinaryField(_("binary"))
    for_files = models.BooleanField(
        _("for plain files"),
        default=False,
        help_text=_("Signs downloads; repositories and packages are signed by another."),
    )
    seen_at = models.DateTimeField(_("first seen"), auto_now_add=True)

    objects = SigningKeyQuerySet.as_manager()

    class Meta:
        verbose_name = _("signing key")
        verbose_name_plural = _("signing keys")
        ordering = ["-seen_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(expires_at__isnull=True) | Q(expires_at__gt=models.F("created_at")),
                name="key_expires_after_it_was_made",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.fingerprint}"

    @property
    def is_in_use(self) -> bool:
        return self.state != SigningKey.State.RETIRED

    @property
    def algorithm_name(self) -> str:
        return {"ed25519": "Ed25519"}.get(self.algorithm, self.algorithm.replace("rsa", "RSA-"))

    def days_left(self, at: dt.datetime) -> int | None:
        """Whole days until the end; below zero after it."""
        return None if self.expires_at is None else (self.expires_at - at).days

    def warning_step(self, at: dt.datetime) -> int | None:
        """The last of the warnings that is due: 90, 30 or 7 days before, 0 after the end."""
        if self.expires_at is None:
            return None
        if self.is_expired(at):
            return 0
        left = self.expires_at - at
        return next((days for days in WARNING_DAYS if left <= dt.timedelta(days=days)), None)

    def is_expired(self, at: dt.datetime) -> bool:
        return self.expires_at is not None and self.expires_at <= at
