from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Customer(models.Model):
    """Who pays, as one provider knows them: cards, tax number and invoices are kept there.

    Payments point to nobody: an organisation or a donor keeps the key to it.
    """

    reference = models.UUIDField(_("reference"), default=uuid.uuid4, unique=True, editable=False)
    provider = models.CharField(_("provider"), max_length=20)
    customer_id = models.CharField(_("customer"), max_length=255, blank=True)
    email = models.EmailField(_("e-mail"))
    name = models.CharField(_("name"), max_length=200)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("customer")
        verbose_name_plural = _("customers")
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "customer_id"],
                condition=~Q(customer_id=""),
                name="customer_once",
            )
        ]

    def __str__(self) -> str:
        return self.name
