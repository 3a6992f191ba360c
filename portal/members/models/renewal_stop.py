from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.members.models.revocable import Revocable, RevocableQuerySet
from portal.payments.models import Subscription


class RenewalStopQuerySet(RevocableQuerySet["RenewalStop"]):
    def in_force(self) -> RenewalStopQuerySet:
        """Those that the provider follows, or will; its own pages may take one back."""
        follows = Q(told_at__isnull=True) | Q(subscription__cancel_at_period_end=True)
        return self.standing().filter(follows)

    def untold(self) -> RenewalStopQuerySet:
        """Those that the provider has not confirmed."""
        return self.standing().filter(told_at__isnull=True)


class RenewalStop(Revocable):
    """Somebody says that no more money is to be taken by itself; the support is not cancelled.

    Its terms keep their grace and their letters: whoever pays the next one by hand goes on.
    """

    subscription = models.ForeignKey(
        Subscription,
        verbose_name=_("subscription"),
        on_delete=models.PROTECT,
        related_name="renewal_stops",
    )
    stopped_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("stopped by"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    stopped_at = models.DateTimeField(_("stopped"), default=timezone.now, editable=False)
    told_at = models.DateTimeField(
        _("provider told"), null=True, blank=True, help_text=_("It takes no more money since then.")
    )

    objects: ClassVar[RenewalStopQuerySet] = RenewalStopQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("end of an automatic renewal")
        verbose_name_plural = _("ends of automatic renewals")
        ordering = ["-stopped_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["subscription"],
                condition=Q(undone_at__isnull=True),
                name="renewal_stopped_once",
            ),
            models.CheckConstraint(
                condition=Q(undone_at__isnull=True) | Q(undone_at__gte=F("stopped_at")),
                name="renewal_stop_undone_later",
            ),
        ]

    def __str__(self) -> str:
        return str(self.subscription)
