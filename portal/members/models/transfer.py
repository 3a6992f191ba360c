from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import User
from portal.members.models.contact import Contact
from portal.members.models.organisation import Organisation


class TransferState(models.TextChoices):
    OFFERED = "offered", _("offered")
    ACCEPTED = "accepted", _("accepted")
    DECLINED = "declined", _("declined")
    WITHDRAWN = "withdrawn", _("withdrawn")
    EXPIRED = "expired", _("expired")


class TransferQuerySet(models.QuerySet["Transfer"]):
    def open_on(self, at: datetime) -> TransferQuerySet:
        return self.filter(state=TransferState.OFFERED, expires_at__gt=at)

    def overdue(self, at: datetime) -> TransferQuerySet:
        return self.filter(state=TransferState.OFFERED, expires_at__lte=at)

    def offered_to(self, user: User, at: datetime) -> TransferQuerySet:
        """Open offers that name a verified address of `user`."""
        verified = EmailAddress.objects.filter(user=user, verified=True)
        addresses = [email.lower() for email in verified.values_list("email", flat=True)]
        return self.open_on(at).annotate(lower=Lower("email")).filter(lower__in=addresses)


class Transfer(models.Model):
    """An owner offers an organisation to another person, who accepts or declines in time."""

    organisation = models.ForeignKey(
        Organisation,
        verbose_name=_("organisation"),
        on_delete=models.PROTECT,
        related_name="transfers",
    )
    offered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("offered by"),
        on_delete=models.PROTECT,
        related_name="+",
    )
    name = models.CharField(_("name"), max_length=120)
    email = models.EmailField(_("e-mail"))
    stays_as = models.CharField(
        _("afterwards I am"), max_length=30, blank=True, choices=Contact.ROLES[1:]
    )
    state = models.CharField(
        _("state"), max_length=10, choices=TransferState, default=TransferState.OFFERED
    )
    offered_at = models.DateTimeField(_("offered"), default=timezone.now, editable=False)
    expires_at = models.DateTimeField(_("until"))
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)

    objects: ClassVar[TransferQuerySet] = TransferQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("transfer of ownership")
        verbose_name_plural = _("transfers of ownership")
        ordering = ["-offered_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["organisation"],
                condition=Q(state="offered"),
                name="transfer_offered_once",
            ),
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("offered_at")), name="transfer_expires_later"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.organisation}: {self.email}"
