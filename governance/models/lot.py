from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Lot(models.Model):
    """The secret of a vote whose rules break a tie by lot: hidden until it is over.

    Its hash is shown from the opening on; a trigger of the database refuses any edit.
    """

    motion = models.OneToOneField(
        "governance.Motion", on_delete=models.PROTECT, related_name="lot", verbose_name=_("motion")
    )
    nonce = models.CharField(_("nonce"), max_length=64, help_text=_("32 bytes in hexadecimal."))
    commitment = models.CharField(_("commitment"), max_length=64)

    class Meta:
        verbose_name = _("lot")
        verbose_name_plural = _("lots")

    def __str__(self) -> str:
        return self.commitment

    @property
    def secret(self) -> bytes:
        return bytes.fromhex(self.nonce)
