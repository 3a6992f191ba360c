from __future__ import annotations

import hashlib

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from governance.discussion import amending


class AmendmentQuerySet(models.QuerySet["Amendment"]):
    def in_order(self) -> AmendmentQuerySet:
        people = ["proposed_by", "decided_by", "parent"]
        return self.select_related(*people).order_by("number")

    def open(self) -> AmendmentQuerySet:
        return self.filter(state=Amendment.State.OPEN)


class Amendment(models.Model):
    """A change of the text of a motion that is discussed, or of another amendment to it.

    It replaces one passage, or the whole text where `passage` is empty. `base_sha256` is the hash
    of the text it was written for.
    """

    class State(models.TextChoices):
        OPEN = "open", _("Proposed")
        VOTE = "vote", _("Put to a vote")
        ACCEPTED = "accepted", _("Accepted")
        REJECTED = "rejected", _("Rejected")
        WITHDRAWN = "withdrawn", _("Withdrawn")

    motion = models.ForeignKey(
        "governance.Motion", on_delete=models.PROTECT, related_name="amendments"
    )
    number = models.PositiveSmallIntegerField(_("number"))
    parent = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="children",
        verbose_name=_("amends amendment"),
    )
    passage = models.TextField(_("passage to replace"), blank=True)
    replacement = models.TextField(_("new text"), blank=True)
    reason = models.CharField(_("reason"), max_length=500)
    base_sha256 = models.CharField(max_length=64)
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    proposed_at = models.DateTimeField(_("proposed"))
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.OPEN)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    decided_at = models.DateTimeField(_("decided"), null=True)
    because = models.CharField(_("because"), max_length=500, blank=True)
    text_before = models.TextField(blank=True, editable=False)
    text_after = models.TextField(blank=True, editable=False)

    objects = AmendmentQuerySet.as_manager()

    class Meta:
        verbose_name = _("amendment")
        verbose_name_plural = _("amendments")
        ordering = ["motion", "number"]
        constraints = [
            models.UniqueConstraint(fields=["motion", "number"], name="amendment_number_once"),
            models.CheckConstraint(
                name="amendment_changes_something",
                condition=~Q(passage="", replacement="") & ~Q(passage=models.F("replacement")),
            ),
            models.CheckConstraint(
                name="amendment_decided_has_a_date",
                condition=Q(state__in=["open", "vote"], decided_at__isnull=True)
                | (~Q(state__in=["open", "vote"]) & Q(decided_at__isnull=False)),
            ),
            models.CheckConstraint(
                name="amendment_rejected_with_reason",
                condition=~Q(state="rejected") | ~Q(because=""),
            ),
            models.CheckConstraint(
                name="amendment_accepted_keeps_both_texts",
                condition=(Q(state="accepted") & ~Q(text_after=""))
                | (~Q(state="accepted") & Q(text_before="", text_after="")),
            ),
        ]

    def __str__(self) -> str:
        return str(_("Amendment %(number)s") % {"number": self.number})

    @property
    def base(self) -> str:
        """The text that it changes, as it is now: the motion's, or the new text of its parent."""
        return self.parent.replacement if self.parent else self.motion.text

    def result(self) -> str:
        """That text with the change; raises `amending.NotFoundOnceError` for a lost passage."""
        if self.text_after:
            return self.text_after
        return amending.amended(self.base, passage=self.passage, replacement=self.replacement)

    @property
    def is_stale(self) -> bool:
        """Whether the text changed since, so that it cannot be accepted as it is."""
        try:
            self.result()
        except amending.NotFoundOnceError:
            return True
        return not self.passage and sha256(self.base) != self.base_sha256


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
