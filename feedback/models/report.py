"""Raw reports, as `shelf.py` writes and reads them."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class KeySet(models.Model):
    """The keys of reports, in their order: the servers of one release send the same ones."""

    digest = models.BinaryField(_("digest"), max_length=16, unique=True)
    keys = models.BinaryField(_("keys"))
    size = models.PositiveIntegerField(_("number of keys"))

    class Meta:
        verbose_name = _("set of keys")
        verbose_name_plural = _("sets of keys")

    def __str__(self) -> str:
        return f"{self.pk}"


class Dictionary(models.Model):
    """What the values of reports look like, for storing them in little room."""

    content = models.BinaryField(_("content"))
    trained_at = models.DateTimeField(_("trained"))
    reports = models.PositiveIntegerField(_("reports it was tried on"))

    class Meta:
        verbose_name = _("dictionary")
        verbose_name_plural = _("dictionaries")

    def __str__(self) -> str:
        return f"{self.trained_at:%Y-%m-%d}"


FULL: Final = 50  # keys; a report of fewer tells a moment only


class ReportQuerySet(models.QuerySet["Report"]):
    def full(self) -> ReportQuerySet:
        """Those of a thousand keys; startup and shutdown tell three."""
        return self.filter(key_set__size__gt=FULL)


class Report(models.Model):
    """A report that was read: once for each server, week and content, however often it came.

    `shelf.py` writes and reads its values.
    """

    pk = models.CompositePrimaryKey("server_key", "week", "digest")
    server_key = models.BinaryField(_("server key"), max_length=16)
    week = models.DateField(_("week"))
    digest = models.BinaryField(_("digest"), max_length=16)
    received_at = models.DateTimeField(_("received"))
    key_set = models.ForeignKey(
        KeySet, on_delete=models.PROTECT, related_name="reports", verbose_name=_("set of keys")
    )
    dictionary = models.ForeignKey(
        Dictionary,
        null=True,
        db_index=False,  # a handful
        on_delete=models.PROTECT,
        related_name="stored",
        verbose_name=_("dictionary"),
    )
    body = models.BinaryField(_("body"), help_text=_("Values in the order of the keys, packed."))
    deletion_digest = models.BinaryField(_("digest of the deletion code"), null=True)
    country = models.CharField(_("country"), max_length=2, default="")

    objects = ReportQuerySet.as_manager()

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        indexes = [
            models.Index(fields=["received_at"], name="report_received"),
            models.Index(
                fields=["deletion_digest"],
                name="report_deletion",
                condition=Q(deletion_digest__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.week}"
