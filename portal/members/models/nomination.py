from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import User
from portal.accounts.roles import Role, has_role


class NominationState(models.TextChoices):
    WAITING = "waiting", _("waits for review")
    APPROVED = "approved", _("approved")
    REJECTED = "rejected", _("rejected")
    WITHDRAWN = "withdrawn", _("withdrawn")


class NominationQuerySet(models.QuerySet["Nomination"]):
    def waiting(self) -> NominationQuerySet:
        return self.filter(state=NominationState.WAITING)

    def visible_to(self, user: User) -> NominationQuerySet:
        """Staff see all, others those they wrote."""
        return self if has_role(user, Role.STAFF) else self.filter(nominated_by=user)

    def of_address(self, email: str) -> NominationQuerySet:
        return self.filter(email__iexact=email)

    def written_since(self, user: User, moment: datetime) -> NominationQuerySet:
        return self.filter(nominated_by=user, created_at__gt=moment)


class Nomination(models.Model):
    """Somebody says that a person contributes, and with what; the staff answer."""

    name = models.CharField(_("name"), max_length=120)
    email = models.EmailField(_("e-mail"))
    did = models.TextField(_("what they did"), max_length=4000)
    links = models.JSONField(_("links"), default=list, blank=True)
    nominated_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("nominated by"),
        on_delete=models.PROTECT,
        related_name="nominations",
    )
    created_at = models.DateTimeField(_("nominated"), default=timezone.now, editable=False)
    state = models.CharField(
        _("state"), max_length=10, choices=NominationState, default=NominationState.WAITING
    )
    reviewed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("reviewed by"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    reviewed_at = models.DateTimeField(_("reviewed"), null=True, blank=True)
    reason = models.TextField(_("reason"), blank=True, max_length=2000)

    objects: ClassVar[NominationQuerySet] = NominationQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("nomination")
        verbose_name_plural = _("nominations")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                "nominated_by",
                Lower("email"),
                condition=Q(state="waiting"),
                name="nomination_waits_once",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "withdrawn"]) | Q(reviewed_at__isnull=False),
                name="nomination_decided_at_a_moment",
            ),
            models.CheckConstraint(
                condition=~Q(state="rejected") | ~Q(reason=""),
                name="nomination_rejected_with_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("members:nomination", args=[self.pk])

    @property
    def is_waiting(self) -> bool:
        return self.state == NominationState.WAITING
