from __future__ import annotations

import re
from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import User

CI_ISSUERS: Final = {
    "https://token.actions.githubusercontent.com": "GitHub Actions",
    "https://gitlab.com": "GitLab CI",
}
REPOSITORY: Final = re.compile(r"[\w.-]+(?:/[\w.-]+){1,5}")  # owner/name, as a CI names it


class SignerQuerySet(models.QuerySet["Signer"]):
    def of(self, user: User) -> SignerQuerySet:
        return self.filter(owner=user).order_by("revoked_at", "-created_at", "-pk")

    def in_force(self) -> SignerQuerySet:
        return self.filter(revoked_at__isnull=True)


class Signer(models.Model):
    """What a person registered to sign runs with: an Ed25519 key, or the CI of a repository."""

    class Kind(models.TextChoices):
        ED25519 = "ed25519", _("Ed25519 key")
        CI = "ci", _("CI of a repository")

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="benchmark_signers"
    )
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    name = models.CharField(_("name"), max_length=100)
    key_id = models.CharField(_("fingerprint of the key"), max_length=64, blank=True)
    public_key = models.BinaryField(_("public key"), max_length=32)
    issuer = models.CharField(_("CI"), max_length=200, blank=True)
    repository = models.CharField(_("repository"), max_length=200, blank=True)
    created_at = models.DateTimeField(_("registered"), default=timezone.now)
    revoked_at = models.DateTimeField(_("revoked"), null=True)

    objects: ClassVar[models.Manager[Signer]] = SignerQuerySet.as_manager()

    class Meta:
        verbose_name = _("signer of benchmarks")
        verbose_name_plural = _("signers of benchmarks")
        constraints = [
            models.UniqueConstraint(
                fields=["key_id"], condition=Q(kind="ed25519"), name="benchmark_signer_key_once"
            ),
            models.UniqueConstraint(
                fields=["owner", "issuer", "repository"],
                condition=Q(kind="ci", revoked_at__isnull=True),
                name="benchmark_signer_repository_once",
            ),
            models.CheckConstraint(
                condition=(Q(kind="ed25519") & ~Q(key_id="")) | (Q(kind="ci") & ~Q(repository="")),
                name="benchmark_signer_complete",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def issuer_name(self) -> str:
        return CI_ISSUERS.get(self.issuer, self.issuer)


class CiKey(models.Model):
    """A public key of a CI, kept here, so that its tokens are verified without asking anybody."""

    issuer = models.CharField(_("CI"), max_length=200)
    key_id = models.CharField(_("key"), max_length=200)
    jwk = models.JSONField(_("key as JSON"))
    kept_at = models.DateTimeField(_("kept"), default=timezone.now)

    class Meta:
        verbose_name = _("key of a CI")
        verbose_name_plural = _("keys of CIs")
        constraints = [
            models.UniqueConstraint(fields=["issuer", "key_id"], name="benchmark_ci_key_once")
        ]

    def __str__(self) -> str:
        return f"{self.issuer} {self.key_id}"
