from __future__ import annotations

from datetime import datetime
from typing import Self, TypeVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import User

Said = TypeVar("Said", bound="Revocable")


class RevocableQuerySet(models.QuerySet[Said]):
    def standing(self) -> Self:
        """Those that were not taken back."""
        return self.filter(undone_at__isnull=True)

    def take_back(self, *, actor: User | None, at: datetime) -> int:
        """Those that stand; how many did. `actor`: nobody, on the provider's own pages."""
        return self.standing().update(undone_at=at, undone_by=actor)


class Revocable(models.Model):
    """What somebody says about the end of a support; a row stays when it is taken back."""

    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("taken back by"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    undone_at = models.DateTimeField(_("taken back"), null=True, blank=True)

    class Meta:
        abstract = True
