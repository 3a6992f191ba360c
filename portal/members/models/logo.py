from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import User
from portal.accounts.roles import Role, has_role
from portal.members.models.organisation import Organisation


class LogoQuerySet(models.QuerySet["Logo"]):
    def public(self, at: datetime) -> LogoQuerySet:
        return self.filter(organisations__in=Organisation.objects.supported(at)).distinct()

    def visible_to(self, user: User | AnonymousUser, at: datetime) -> LogoQuerySet:
        """Those of supporters; those that the organisations of `user` show or showed; staff all."""
        if has_role(user, Role.STAFF):
            return self
        shown = Q(organisations__in=Organisation.objects.supported(at))
        belonging = Organisation.objects.of(user, at)
        own = Q(organisations__in=belonging) | Q(changes__organisation__in=belonging)
        return self.filter(shown | own).distinct()


class Logo(models.Model):
    """A checked picture, kept by its content: the address changes with it, so caches never lie."""

    class Format(models.TextChoices):
        SVG = "svg", "SVG"
        PNG = "png", "PNG"

    digest = models.CharField(_("SHA-256"), max_length=64, primary_key=True)
    format = models.CharField(_("format"), max_length=3, choices=Format)
    content = models.BinaryField(_("content"))
    width = models.PositiveIntegerField(_("width"))
    height = models.PositiveIntegerField(_("height"))
    added_at = models.DateTimeField(_("added"), auto_now_add=True)

    objects: ClassVar[LogoQuerySet] = LogoQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("logo")
        verbose_name_plural = _("logos")
        constraints = [
            models.CheckConstraint(condition=Q(width__gt=0, height__gt=0), name="logo_has_a_size"),
        ]

    def __str__(self) -> str:
        return f"{self.digest[:12]}.{self.format}"

    def get_absolute_url(self) -> str:
        return reverse("members:logo", args=[self.digest, self.format])
