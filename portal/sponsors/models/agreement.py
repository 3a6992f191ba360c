from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class AgreementQuerySet(models.QuerySet["Agreement"]):
    def current(self, at: datetime) -> Agreement | None:
        """The newest that is in force."""
        return self.filter(in_force_from__lte=at).order_by("-version").first()


class Agreement(models.Model):
    """A version of the text that supporters accept. The database refuses to change one."""

    version = models.PositiveSmallIntegerField(_("version"), unique=True)
    title = models.CharField(_("title"), max_length=120)
    text = models.TextField(_("text"), help_text=_("Markdown."))
    sha256 = models.CharField(_("SHA-256 of the text"), max_length=64, editable=False)
    in_force_from = models.DateTimeField(_("in force from"))

    objects: ClassVar[AgreementQuerySet] = AgreementQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("agreement")
        verbose_name_plural = _("agreements")
        ordering = ["-version"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(text="") & ~Q(sha256=""), name="agreement_says_something"
            )
        ]

    def __str__(self) -> str:
        return str(_("%(title)s, version %(version)s")) % {
            "title": self.title,
            "version": self.version,
        }
