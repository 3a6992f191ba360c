from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.members.models.organisation import Organisation
from portal.members.models.revocable import Revocable, RevocableQuerySet
from portal.members.models.term import Term


class CancellationQuerySet(RevocableQuerySet["Cancellation"]):
    def of(self, organisation: Organisation) -> CancellationQuerySet:
        return self.filter(term__organisation=organisation)

    def undoable(self, at: datetime) -> CancellationQuerySet:
        """Those that have not taken effect yet."""
        return self.standing().filter(term__ended_at__isnull=True, term__ends_at__gt=at)

    def last_to_end(self) -> Cancellation | None:
        return self.select_related("term").order_by("term__ends_at").last()

    def in_effect(self, at: datetime) -> CancellationQuerySet:
        """Those whose term has run to its end."""
        return self.standing().filter(term__ended_at__isnull=True, term__ends_at__lte=at)


class Cancellation(Revocable):
    """An organisation says that a term is its last: it runs to its end and is not renewed."""

    term = models.ForeignKey(
        Term, verbose_name=_("term"), on_delete=models.PROTECT, related_name="cancellations"
    )
    reason = models.TextField(_("reason"), max_length=1000, blank=True)
    cancelled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("cancelled by"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    cancelled_at = models.DateTimeField(_("cancelled"), default=timezone.now, editable=False)
    ends_renewal = models.BooleanField(
        _("ended the renewal"),
        default=False,
        help_text=_("It renewed by itself; taking the cancellation back lets it again."),
    )

    objects: ClassVar[CancellationQuerySet] = CancellationQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("cancellation")
        verbose_name_plural = _("cancellations")
        ordering = ["-cancelled_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["term"],
                condition=Q(undone_at__isnull=True),
                name="cancellation_of_term_once",
            ),
            models.CheckConstraint(
                condition=Q(undone_at__isnull=True) | Q(undone_at__gte=F("cancelled_at")),
                name="cancellation_undone_later",
            ),
        ]

    def __str__(self) -> str:
        return str(self.term)
