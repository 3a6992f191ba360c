"""Names of variables that no table of ours knows yet."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

MOST_KEYS: Final = 10_000  # that wait for a decision


class KnownKeyQuerySet(models.QuerySet["KnownKey"]):
    def waiting(self) -> KnownKeyQuerySet:
        return self.filter(state=KnownKey.State.NEW)

    def approved(self) -> KnownKeyQuerySet:
        return self.filter(state=KnownKey.State.APPROVED)

    def matching(self, *, text: str = "", state: str = "") -> KnownKeyQuerySet:
        """By a part of the name, and by state."""
        found = self.filter(name__icontains=text) if text else self
        return found.filter(state=state) if state else found


class KnownKey(models.Model):
    """A name that servers sent. Only approved ones are ever shown as a label."""

    class State(models.TextChoices):
        NEW = "new", _("waits for a decision")
        APPROVED = "approved", _("approved")
        REFUSED = "refused", _("refused")

    name = models.CharField(_("name"), max_length=128, unique=True)
    first_seen = models.DateField(_("first seen"))
    last_seen = models.DateField(_("last seen"))
    reports = models.PositiveBigIntegerField(_("reports"), default=0)
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.NEW)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("decided by"),
    )
    decided_at = models.DateTimeField(_("decided"), null=True)

    objects = KnownKeyQuerySet.as_manager()

    class Meta:
        verbose_name = _("name of a variable")
        verbose_name_plural = _("names of variables")
        ordering = ["-reports", "name"]
        indexes = [
            models.Index(
                fields=["reports", "last_seen"],
                name="known_key_rarest",
                condition=Q(state="new"),
            ),
            models.Index(fields=["name"], name="known_key_approved", condition=Q(state="approved")),
        ]
        constraints = [
            models.CheckConstraint(
                name="known_key_decided_by_somebody",
                condition=Q(state="new", decided_by=None, decided_at=None)
                | Q(
                    state__in=["approved", "refused"],
                    decided_by__isnull=False,
                    decided_at__isnull=False,
                ),
            ),
            models.CheckConstraint(
                name="known_key_seen_in_order",
                condition=Q(first_seen__lte=models.F("last_seen")),
            ),
        ]

    def __str__(self) -> str:
        return self.name
