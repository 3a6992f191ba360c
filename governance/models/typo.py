from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from governance.bylaws.typo import Correction
from governance.models.version import Version


class TypoQuerySet(models.QuerySet["Typo"]):
    def waiting(self) -> TypoQuerySet:
        """Reported, and nobody has decided."""
        return self.filter(decided_at__isnull=True).order_by("reported_at", "pk")

    def accepted(self) -> TypoQuerySet:
        return self.filter(is_accepted=True).order_by("-decided_at", "-pk")


class Typo(models.Model):
    """A slip of spelling in a version: reported by one person, accepted or declined by another.

    It changes no text that was voted on: pages show the version with it, and list it apart.
    """

    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="typos")
    clause = models.CharField(_("clause"), max_length=40)  # its anchor: c4.2
    wrong = models.CharField(_("it reads"), max_length=120)
    right = models.CharField(_("it should read"), max_length=120, blank=True)
    reported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    reported_at = models.DateTimeField(_("reported"))
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    decided_at = models.DateTimeField(_("decided"), null=True)
    is_accepted = models.BooleanField(_("accepted"), default=False)
    reason = models.CharField(_("reason"), max_length=300, blank=True)

    objects = TypoQuerySet.as_manager()

    class Meta:
        verbose_name = _("typo")
        verbose_name_plural = _("typos")
        ordering = ["-reported_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                name="typo_decided_by_another",
                condition=Q(decided_at__isnull=True, decided_by__isnull=True, is_accepted=False)
                | (
                    Q(decided_at__isnull=False, decided_by__isnull=False)
                    & ~Q(decided_by=F("reported_by"))
                ),
            ),
            models.UniqueConstraint(
                fields=["version", "clause", "wrong"],
                condition=Q(decided_at__isnull=True),
                name="typo_waits_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.wrong} → {self.right}"

    @property
    def correction(self) -> Correction:
        return Correction(self.clause, self.wrong, self.right)
