from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from governance.models.bylaws import Bylaws
from governance.models.motion import Motion
from governance.models.version import Version

CARRIED = {"adopted", "superseded"}
UNDER_WAY = ("discussion", "on_hold", "open")


def _by_members() -> Q:
    """Put to the vote of members, after the body has carried it."""
    return Q(pk__in=Proposal.objects.filter(ratifications__motion__state="open").values("pk"))


class ProposalQuerySet(models.QuerySet["Proposal"]):
    def visible_to(self, user: models.Model | AnonymousUser, at: datetime) -> ProposalQuerySet:
        """Whose motion `user` may read: all that was ever discussed, and drafts of their bodies."""
        return self.filter(motion__in=Motion.objects.visible_to(user, at))

    def under_way(self) -> ProposalQuerySet:
        """In public discussion or put to the vote, the newest first."""
        running = Q(motion__state__in=UNDER_WAY) | _by_members()
        return self.filter(running).order_by("-motion__drafted_at", "-pk")

    def being_voted_on(self) -> ProposalQuerySet:
        """Put to the vote of the body, or of the members after it, and not decided."""
        by_body = Q(motion__state__in=["open", "on_hold"], motion__opened_at__isnull=False)
        return self.filter(by_body | _by_members())

    def whole(self) -> ProposalQuerySet:
        related = self.select_related("bylaws__body", "base__bylaws", "motion__proposed_by")
        return related.prefetch_related("ratifications__motion")

    def named(self) -> ProposalQuerySet:
        """With what a link to it says."""
        return self.select_related("motion").only("motion__slug", "motion__title")

    def listed(self) -> ProposalQuerySet:
        """With what a list shows; the texts are left to its own page."""
        related = self.select_related("bylaws", "motion").prefetch_related("ratifications__motion")
        return related.defer("motion__text", "motion__papers")

    def by_reference(self, reference: str) -> ProposalQuerySet:
        return self.filter(motion__slug=reference)


class Proposal(models.Model):
    """A change of bylaws: a motion whose text is the whole new text.

    Discussion, seconds, amendments, vote and the day it takes effect are the motion's.
    """

    motion = models.OneToOneField(Motion, on_delete=models.PROTECT, related_name="proposal")
    bylaws = models.ForeignKey(Bylaws, on_delete=models.PROTECT, related_name="proposals")
    base = models.ForeignKey(
        Version,
        on_delete=models.PROTECT,
        related_name="proposals",
        verbose_name=_("changes version"),
    )
    based_at = models.DateTimeField(_("based on the text as of"))

    objects = ProposalQuerySet.as_manager()

    class Meta:
        verbose_name = _("proposal")
        verbose_name_plural = _("proposals")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.motion.title

    def get_absolute_url(self) -> str:
        return reverse("governance:proposal", args=[self.motion.slug])

    @property
    def members_say(self) -> str:
        """Of a change that the body has carried: `waits` for a class, `refused` by one, `agreed`;
        nothing where no class was asked.
        """
        states = {each.motion.state for each in self.ratifications.all()}
        if not states:
            return ""
        if states <= CARRIED:
            return "agreed"
        return "waits" if states <= CARRIED | {*UNDER_WAY} else "refused"
