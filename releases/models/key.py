from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class SigningKey(models.Model):
    """The public half of a key that the signer holds, as it introduced itself."""

    name = models.SlugField(_("name"), max_length=60, unique=True)
    fingerprint = models.CharField(_("fingerprint"), max_length=64, unique=True)
    user_id = models.CharField(_("user id"), max_length=200)
    armored = models.TextField(_("armored"))
    binary = models.BinaryField(_("binary"))
    for_files = models.BooleanField(
        _("for plain files"),
        default=False,
        help_text=_("Signs downloads; repositories and packages are signed by another."),
    )
    seen_at = models.DateTimeField(_("first seen"), auto_now_add=True)

    objects: ClassVar[models.Manager[SigningKey]] = models.Manager()

    class Meta:
        verbose_name = _("signing key")
        verbose_name_plural = _("signing keys")
        ordering = ["-seen_at"]

    def __str__(self) -> str:
        return f"{self.name} {self.fingerprint}"
