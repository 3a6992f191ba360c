"""Reports on their way: the inbox, and what was set aside."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Kind(models.TextChoices):
    """What sent a report; the values are those of `parser.Kind`."""

    SERVER = "server", _("database server")
    MAXSCALE = "maxscale", _("MaxScale")
    TEST = "test", _("test run")


class Incoming(models.Model):
    """The inbox: a clean report that nobody has read yet. The row is the queue.

    `inbox.py` is the one way in; the database gives the number.
    """

    pk = models.CompositePrimaryKey("server_key", "number")
    server_key = models.BinaryField(_("server key"), max_length=16)
    number = models.BigIntegerField(_("number"))
    received_at = models.DateTimeField(_("received"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    body = models.BinaryField(_("body"), help_text=_("Compressed; identity blanked."))
    digest = models.BinaryField(_("digest"), max_length=16)
    deletion_digest = models.BinaryField(_("digest of the deletion code"), null=True)
    country = models.CharField(_("country"), max_length=2, default="", db_default="")
    word_digest = models.BinaryField(
        _("digest of the administrator's word"),
        null=True,
        help_text=_("Of claim:<code> or delete:<code> in feedback_user_info."),
    )

    class Meta:
        verbose_name = _("incoming report")
        verbose_name_plural = _("incoming reports")
        indexes = [models.Index(fields=["number"], name="incoming_order")]
        constraints = [
            models.CheckConstraint(name="incoming_kind_known", condition=Q(kind__in=Kind.values)),
        ]

    def __str__(self) -> str:
        return f"{self.number}"


class QuarantinedQuerySet(models.QuerySet["Quarantined"]):
    def because(self, reason: str) -> QuarantinedQuerySet:
        """Those set aside for this reason; all for an empty one."""
        return self.filter(reason=reason) if reason else self


class Quarantined(models.Model):
    """A report that could not be read, with the reason, for staff to look at."""

    pk = models.CompositePrimaryKey("server_key", "number")
    server_key = models.BinaryField(_("server key"), max_length=16)
    number = models.BigIntegerField(_("number"))
    received_at = models.DateTimeField(_("received"))
    reason = models.CharField(_("reason"), max_length=200)
    body = models.BinaryField(_("body"))
    deletion_digest = models.BinaryField(_("digest of the deletion code"), null=True)
    country = models.CharField(_("country"), max_length=2, default="", db_default="")
    word_digest = models.BinaryField(_("digest of the administrator's word"), null=True)

    objects = QuarantinedQuerySet.as_manager()

    class Meta:
        verbose_name = _("report set aside")
        verbose_name_plural = _("reports set aside")

    def __str__(self) -> str:
        return f"{self.number}: {self.reason}"
