from __future__ import annotations

from typing import ClassVar

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import User
from portal.accounts.roles import Role
from portal.members.models.organisation import Organisation

MAY = {
    Role.OWNER.value: _("everything"),
    Role.BILLING.value: _("receipts and billing details"),
    Role.TECHNICAL.value: _("technical notices"),
    Role.MARKETING.value: _("logo and profile"),
}


class ContactQuerySet(models.QuerySet["Contact"]):
    def offered_to(self, user: User) -> ContactQuerySet:
        """Contacts that name a verified address of `user` and are nobody's account yet."""
        verified = EmailAddress.objects.filter(user=user, verified=True)
        addresses = [email.lower() for email in verified.values_list("email", flat=True)]
        unclaimed = self.filter(user__isnull=True).annotate(lower=Lower("email"))
        return unclaimed.filter(lower__in=addresses)


class Contact(models.Model):
    """Whom to write to about what. An account that takes the contact gets the role."""

    ROLES = [
        (role.value, role.label)
        for role in (Role.OWNER, Role.BILLING, Role.TECHNICAL, Role.MARKETING)
    ]

    organisation = models.ForeignKey(
        Organisation,
        verbose_name=_("organisation"),
        on_delete=models.PROTECT,
        related_name="contacts",
    )
    role = models.CharField(_("role"), max_length=30, choices=ROLES)
    name = models.CharField(_("name"), max_length=120)
    email = models.EmailField(_("e-mail"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="contacts",
    )

    objects: ClassVar[ContactQuerySet] = ContactQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("contact")
        verbose_name_plural = _("contacts")
        ordering = ["organisation", "pk"]
        constraints = [
            models.UniqueConstraint(
                "organisation", "role", Lower("email"), name="contact_once_in_a_role"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.get_role_display()})"

    @property
    def may(self) -> str:
        return str(MAY[self.role])
