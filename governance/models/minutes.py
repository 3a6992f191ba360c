from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from governance.meetings import document, reading, sealing
from governance.models.meeting import Meeting
from governance.models.motion import Motion


class MinutesQuerySet(models.QuerySet["Minutes"]):
    def approved(self, at: datetime) -> MinutesQuerySet:
        """What the body has accepted as the record; the newest version of each meeting first."""
        carried = self.filter(motion__year__isnull=False, motion__decided_at__lte=at)
        return carried.order_by("meeting_id", "-number")

    def current(self, at: datetime) -> MinutesQuerySet:
        """Of each meeting the version that stands."""
        newest = self.approved(at).distinct("meeting")
        return self.filter(pk__in=newest.values("pk")).select_related("meeting__body", "motion")


class Minutes(models.Model):
    """The minutes of a meeting as they were put before the body once; they stand when a motion of
    the body has carried them. A correction is another version. The database keeps the text.
    """

    class State(models.TextChoices):
        SUBMITTED = "submitted", _("Waits for a motion")
        PROPOSED = "proposed", _("Approval moved")
        APPROVED = "approved", _("Approved")
        REFUSED = "refused", _("Not approved")

    meeting = models.ForeignKey(Meeting, on_delete=models.PROTECT, related_name="minutes")
    number = models.PositiveSmallIntegerField(_("version"))
    text = models.TextField(_("text"))
    text_sha256 = models.CharField(max_length=64)  # of the published text, see `sealing`
    note = models.CharField(_("what changed"), max_length=300, blank=True)
    submitted_at = models.DateTimeField(_("put before the body"))
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    motion = models.OneToOneField(
        Motion, on_delete=models.PROTECT, null=True, related_name="approves"
    )

    objects = MinutesQuerySet.as_manager()

    class Meta:
        verbose_name = _("minutes")
        verbose_name_plural = _("minutes")
        ordering = ["meeting", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["meeting", "number"], name="minutes_number_once"),
            models.CheckConstraint(
                name="minutes_corrections_say_what",
                condition=Q(number=1) | ~Q(note=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.meeting.title}, {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("governance:minutes", args=[self.meeting.slug, self.number])

    @property
    def state(self) -> Minutes.State:
        """What its motion makes of it."""
        if self.motion is None:
            return Minutes.State.SUBMITTED
        if self.motion.number:
            return Minutes.State.APPROVED
        if self.motion.is_decided or self.motion.state in ENDED:
            return Minutes.State.REFUSED
        return Minutes.State.PROPOSED

    @property
    def approved_at(self) -> datetime | None:
        return self.motion.decided_at if self.motion and self.motion.number else None

    @property
    def document(self) -> document.Document:
        return reading.read(self.text)

    def text_for(self, *, closed: bool) -> str:
        """The text for a reader: with the closed sessions, or as everybody reads it."""
        return self.text if closed else sealing.published_text(self.text)

    @property
    def is_sealed(self) -> bool:
        """Whether the published text has the hash; before closed sessions had a salt the whole
        text had it.
        """
        return sealing.is_sealed(self.document)


ENDED = {"withdrawn", "lapsed"}  # states of a motion that came to no vote
