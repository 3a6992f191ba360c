"""Who holds the keys of an election: scrutineers open the ballots, officers sign what is fixed."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from governance.models.election import Election


class KeyHolder(models.Model):
    """A person with a key that was made in their browser and stays in their file."""

    place = models.PositiveSmallIntegerField(_("place"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("person"),
    )
    name = models.CharField(_("name"), max_length=150)
    key = models.CharField(_("public key"), max_length=100, blank=True)
    key_at = models.DateTimeField(_("key made"), null=True)

    class Meta:
        abstract = True
        ordering = ["election", "place"]
        constraints = [
            models.UniqueConstraint(fields=["election", "place"], name="%(class)s_place_once"),
            models.UniqueConstraint(fields=["election", "user"], name="%(class)s_person_once"),
            models.CheckConstraint(
                name="%(class)s_key_has_a_time",
                condition=Q(key="", key_at__isnull=True) | (~Q(key="") & Q(key_at__isnull=False)),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Scrutineer(KeyHolder):
    """Keeps one share of the election key, sealed to a key that only their file holds."""

    election = models.ForeignKey(Election, on_delete=models.PROTECT, related_name="scrutineers")
    sealed_share = models.TextField(_("sealed share"), blank=True)
    commitment = models.CharField(_("commitment"), max_length=64, blank=True)
    confirmed_at = models.DateTimeField(_("share confirmed"), null=True)
    share = models.CharField(_("share"), max_length=64, blank=True)  # told after the close
    salt = models.CharField(max_length=32, blank=True)
    opened_at = models.DateTimeField(_("share told"), null=True)

    class Meta(KeyHolder.Meta):
        verbose_name = _("scrutineer")
        verbose_name_plural = _("scrutineers")


class ElectionOfficer(KeyHolder):
    """Signs the manifest, and puts a hidden number into the lot."""

    election = models.ForeignKey(Election, on_delete=models.PROTECT, related_name="officers")
    nonce_sha256 = models.CharField(_("hash of the number"), max_length=64, blank=True)
    signature = models.CharField(_("signature"), max_length=100, blank=True)
    signed_at = models.DateTimeField(_("signed"), null=True)
    nonce = models.CharField(_("number"), max_length=64, blank=True)  # told after the close
    told_at = models.DateTimeField(_("number told"), null=True)

    class Meta(KeyHolder.Meta):
        verbose_name = _("officer of an election")
        verbose_name_plural = _("officers of elections")
