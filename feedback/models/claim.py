"""Servers that somebody has shown to be their own."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import User


class ClaimCode(models.Model):
    """The code by which servers join somebody's list.

    It stands here in the clear, so that its owner can read it again for the next server: whoever
    else knows it can add servers to that list, and nothing more.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, verbose_name=_("user")
    )
    code = models.CharField(_("code"), max_length=40)
    digest = models.BinaryField(_("digest"), unique=True)
    made_at = models.DateTimeField(_("made"))

    class Meta:
        verbose_name = _("claim code")
        verbose_name_plural = _("claim codes")

    def __str__(self) -> str:
        return f"{self.user}"


class ClaimedServerQuerySet(models.QuerySet["ClaimedServer"]):
    def of(self, user: User) -> ClaimedServerQuerySet:
        return self.filter(user=user)


class ClaimedServer(models.Model):
    """A server on somebody's private list."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="claimed_servers",
        verbose_name=_("user"),
    )
    server_key = models.BinaryField(_("server key"), max_length=16)
    name = models.CharField(_("name"), max_length=80, blank=True)
    claimed_at = models.DateTimeField(_("claimed"))

    objects = ClaimedServerQuerySet.as_manager()

    class Meta:
        verbose_name = _("claimed server")
        verbose_name_plural = _("claimed servers")
        constraints = [
            models.UniqueConstraint(fields=["user", "server_key"], name="claimed_server_once")
        ]

    def __str__(self) -> str:
        return self.name or self.short_key

    @property
    def short_key(self) -> str:
        """Enough of the key to tell the servers of a list apart."""
        return bytes(self.server_key).hex()[:8]
