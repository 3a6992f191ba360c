from __future__ import annotations

from datetime import date
from typing import Self, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

M = TypeVar("M", bound="Declaration")


class DeclarationQuerySet(models.QuerySet[M]):
    def on(self, day: date) -> Self:
        """What was true on that day, as far as it was declared and not taken back."""
        return self.filter(retracted_at__isnull=True, since__lte=day).exclude(until__lte=day)

    def of(self, user: models.Model) -> Self:
        return self.filter(user_id=user.pk)

    def standing(self) -> Self:
        """Without what was taken back as a mistake."""
        return self.filter(retracted_at__isnull=True)


class Declaration(models.Model):
    """Something that a person says about themselves, true from one day to another.

    It is ended, or taken back with a reason when it was a mistake; it is never removed.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="%(class)ss",
        verbose_name=_("person"),
    )
    since = models.DateField(_("since"))
    until = models.DateField(
        _("until"), null=True, blank=True, help_text=_("The first day on which it is over.")
    )
    declared_at = models.DateTimeField(_("declared"), default=timezone.now, editable=False)
    declared_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        editable=False,
        verbose_name=_("declared by"),
    )
    retracted_at = models.DateTimeField(_("taken back"), null=True, editable=False)
    retracted_because = models.CharField(
        _("why it was taken back"), max_length=200, blank=True, editable=False
    )

    class Meta:
        abstract = True
        ordering = ["-since", "-pk"]
        constraints = [
            models.CheckConstraint(
                name="%(class)s_ends_after_it_begins",
                condition=Q(until__isnull=True) | Q(until__gt=F("since")),
                violation_error_message=_("It ends after it begins."),
            ),
            models.CheckConstraint(
                name="%(class)s_taken_back_with_a_reason",
                condition=Q(retracted_at__isnull=True, retracted_because="")
                | (Q(retracted_at__isnull=False) & ~Q(retracted_because="")),
            ),
        ]
