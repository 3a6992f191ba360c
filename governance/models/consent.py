from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from governance.models.motion import Motion
from governance.models.roster import RosterSeat

if TYPE_CHECKING:
    from governance.models.meeting import Meeting


class ConsentQuerySet(models.QuerySet["Consent"]):
    def running(self) -> ConsentQuerySet:
        """What is being signed, the next deadline first."""
        return self.filter(motion__state=Motion.State.OPEN).order_by("deadline", "pk")

    def of_minutes(self, meeting: Meeting) -> ConsentQuerySet:
        """What is filed with the minutes of a meeting, or would be if they were written now: all
        that took effect before it began and is filed nowhere. In the order of their days.
        """
        waiting = Q(filing=None, effective_at__lte=meeting.begins_at)
        found = self.filter(Q(filing__meeting=meeting) | waiting, motion__body=meeting.body_id)
        return found.filter(motion__number__isnull=False).order_by("effective_at", "pk")


class Consent(models.Model):
    """A motion that is decided by signatures, without a meeting and without a vote.

    Text, rules and signers are frozen with the motion's roster. `needed` is how many must sign.
    """

    motion = models.OneToOneField(Motion, on_delete=models.PROTECT, related_name="consent")
    needed = models.PositiveIntegerField(_("signatures needed"))
    deadline = models.DateTimeField(_("to be signed until"))
    effective_at = models.DateTimeField(_("effective since"), null=True)
    reminded_at = models.DateTimeField(_("reminded"), null=True)

    objects = ConsentQuerySet.as_manager()

    class Meta:
        verbose_name = _("written consent")
        verbose_name_plural = _("written consents")
        ordering = ["deadline"]
        constraints = [
            models.CheckConstraint(name="consent_needs_somebody", condition=Q(needed__gte=1)),
        ]

    def __str__(self) -> str:
        return str(self.motion)


class SignatureQuerySet(models.QuerySet["Signature"]):
    def last_acts(self) -> SignatureQuerySet:
        """Of each signer the last act."""
        return self.order_by("voter_id", "-pk").distinct("voter_id")

    def standing(self, at: datetime) -> SignatureQuerySet:
        """Signatures that were not taken back and did not lapse, oldest first."""
        last = self.last_acts().values("pk")
        found = self.filter(pk__in=last, act=Signature.Act.SIGN, made_at__lte=at)
        return found.exclude(lapses_at__lt=at).select_related("voter").order_by("made_at", "pk")

    def lapsed(self, at: datetime) -> SignatureQuerySet:
        """Signatures that too few others followed in their days, and that were not renewed."""
        last = self.last_acts().values("pk")
        return self.filter(pk__in=last, act=Signature.Act.SIGN, lapses_at__lt=at)


class Signature(models.Model):
    """One act of signing, or of taking a signature back; the database refuses to edit it.

    `statement` is what was signed, word for word, with the digest of the text and that of the act
    before; `sha256` is its digest. The signer had just proved who they are.
    """

    class Act(models.TextChoices):
        SIGN = "sign", _("signed")
        REVOKE = "revoke", _("took the signature back")

    consent = models.ForeignKey(Consent, on_delete=models.PROTECT, related_name="signatures")
    voter = models.ForeignKey(RosterSeat, on_delete=models.PROTECT, related_name="signatures")
    act = models.CharField(_("act"), max_length=6, choices=Act)
    statement = models.TextField(_("statement"))
    sha256 = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(_("made"))
    lapses_at = models.DateTimeField(
        _("counts until"), null=True, help_text=_("If too few others have signed until then.")
    )

    objects = SignatureQuerySet.as_manager()

    class Meta:
        verbose_name = _("signature")
        verbose_name_plural = _("signatures")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="signature_counts_for_a_while",
                condition=Q(lapses_at__isnull=True) | Q(lapses_at__gt=F("made_at")),
            )
        ]

    def __str__(self) -> str:
        return f"{self.voter}: {self.get_act_display()}"
