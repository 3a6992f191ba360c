from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from releases.models.repository import Repository


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


class SigningKey(models.Model):
    """The public half of a key that the signer holds, as it introduced itself."""

    class State(models.TextChoices):
        NEXT = "next", _("announced")
        ACTIVE = "active", _("signs")
        RETIRED = "retired", _("retired")

    name = models.SlugField(_("name"), max_length=60, unique=True)
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

    def is_expired(self, at: dt.datetime) -> bool:
        return self.expires_at is not None and self.expires_at <= at
