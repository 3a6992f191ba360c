from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from governance.models.motion import Motion
from governance.models.proposal import Proposal


class Ratification(models.Model):
    """The vote of a class of members on a change of bylaws that the body has carried.

    The change is adopted when every class that was asked has carried it.
    """

    proposal = models.ForeignKey(Proposal, on_delete=models.PROTECT, related_name="ratifications")
    motion = models.OneToOneField(Motion, on_delete=models.PROTECT, related_name="ratification")

    objects: ClassVar[models.Manager[Ratification]] = models.Manager()

    class Meta:
        verbose_name = _("ratification")
        verbose_name_plural = _("ratifications")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.proposal}: {self.motion.get_electorate_display()}"
