"""Servers whose administrators wanted all their reports deleted."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Deletion(models.Model):
    """A code that deletes the server which sends it. Of the server nothing stays here."""

    digest = models.BinaryField(_("digest of the code"), unique=True)
    asked_at = models.DateTimeField(_("asked"))
    done_at = models.DateTimeField(_("done"), null=True)
    rows = models.PositiveIntegerField(_("rows deleted"), null=True)

    class Meta:
        verbose_name = _("deletion of a server")
        verbose_name_plural = _("deletions of servers")
        constraints = [
            models.CheckConstraint(
                name="deletion_done_with_number",
                condition=models.Q(done_at=None, rows=None)
                | models.Q(done_at__isnull=False, rows__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return f"{self.asked_at:%Y-%m-%d}"


class Tombstone(models.Model):
    """A deleted server: what it sent before and arrives late is not taken again."""

    server_key = models.BinaryField(_("server key"), max_length=16, primary_key=True)
    until = models.DateTimeField(_("until"))

    class Meta:
        verbose_name = _("tombstone")
        verbose_name_plural = _("tombstones")

    def __str__(self) -> str:
        return f"{self.until:%Y-%m-%d}"
