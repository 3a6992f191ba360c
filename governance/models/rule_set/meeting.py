from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from governance.tally import rules as tally


class MeetingRules(models.Model):
    """Meetings: how long before they are announced, and whether who is absent can vote."""

    meeting_notice_days = models.PositiveSmallIntegerField(
        _("days of notice before a meeting"), default=0, help_text=_("0: none is asked.")
    )
    absent_may_vote = models.BooleanField(
        _("who is absent from a meeting may vote in it"),
        default=False,
        help_text=_("By a proxy, or in writing beforehand; it counts like a vote in the room."),
    )
    meeting_clause = models.CharField(_("clause of meetings"), max_length=40, blank=True)

    class Meta:
        abstract = True

    @property
    def meeting_rule(self) -> tally.MeetingRule:
        return tally.MeetingRule(
            notice_days=self.meeting_notice_days, absent_may_vote=self.absent_may_vote
        )
