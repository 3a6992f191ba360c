from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class SetupScriptQuerySet(models.QuerySet["SetupScript"]):
    def signed(self) -> SetupScriptQuerySet:
        """What may be served, the newest first."""
        return self.exclude(signature="").order_by("-pk")

    def unsigned(self) -> SetupScriptQuerySet:
        return self.filter(signature="")


class SetupScript(models.Model):
    """`/repo_setup` as it was from one moment on: made by a task when what is published changes."""

    version = models.CharField(_("version"), max_length=20, unique=True)
    text = models.TextField(_("text"))
    sha256 = models.CharField(max_length=64)
    situation = models.CharField(
        max_length=64, help_text=_("The digest of the tables that it was made of.")
    )
    signature = models.TextField(_("detached signature"), blank=True)
    made_at = models.DateTimeField(_("made"))

    objects = SetupScriptQuerySet.as_manager()

    class Meta:
        verbose_name = _("set-up script")
        verbose_name_plural = _("set-up scripts")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.version
