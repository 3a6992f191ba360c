from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from governance.tally import rules as tally

COUNT = models.PositiveSmallIntegerField


class DecidingRules(models.Model):
    """The way to a decision: seconds, discussion, opening, written consent, change of bylaws."""

    class Who(models.TextChoices):
        VOTERS = "voters", _("anyone who holds a voting seat")
        OFFICERS = "officers", _("officers who hold a voting seat")

    class Consent(models.TextChoices):
        NONE = tally.Consent.NONE.value, _("this body does not decide in writing")
        UNANIMOUS = tally.Consent.UNANIMOUS.value, _("everybody in office signs")
        AS_IF_PRESENT = (
            tally.Consent.AS_IF_PRESENT.value,
            _("as many sign as would carry it if all were present"),
        )

    class MemberVote(models.TextChoices):
        NONE = tally.MemberVote.NONE.value, _("nobody else")
        CONTRIBUTORS = tally.MemberVote.CONTRIBUTORS.value, _("the contributors")
        MEMBERS = tally.MemberVote.MEMBERS.value, _("the corporate members")
        BOTH = tally.MemberVote.BOTH.value, _("contributors and corporate members, each by itself")

    seconds_needed = COUNT(_("seconds needed"), default=1, help_text=_("0: none."))
    may_second = models.CharField(_("may second"), max_length=10, choices=Who, default=Who.VOTERS)
    discussion_days = COUNT(
        _("days of discussion at least"), default=0, help_text=_("Before the vote may open.")
    )
    discussion_restarts = models.BooleanField(
        _("an accepted amendment begins these days anew"), default=False
    )
    lapses_after_weeks = COUNT(
        _("lapses after idle weeks"), default=0, help_text=_("0: it never lapses.")
    )
    discussion_clause = models.CharField(_("clause of the discussion"), max_length=40, blank=True)

    may_open = models.CharField(
        _("may open a vote"), max_length=10, choices=Who, default=Who.VOTERS
    )
    minimum_hours = COUNT(_("hours a vote stays open at least"), default=0)
    early_close = models.BooleanField(
        _("closes early"),
        default=False,
        help_text=_("When no vote to come can change the outcome."),
    )
    opening_clause = models.CharField(_("clause of opening and closing"), max_length=40)

    consent = models.CharField(
        _("written consent"), max_length=16, choices=Consent, default=Consent.NONE
    )
    consent_days = COUNT(
        _("days from the first signature to the last"), default=60, help_text=_("0: no limit.")
    )
    consent_notice = models.BooleanField(_("those who did not sign get a notice"), default=True)
    consent_clause = models.CharField(_("clause of the written consent"), max_length=40, blank=True)

    notice_days = COUNT(_("days of notice before the vote"), default=0)
    public_discussion_days = COUNT(_("days of public discussion"), default=0)
    member_vote = models.CharField(
        _("must agree too"),
        max_length=14,
        choices=MemberVote,
        default=MemberVote.NONE,
        help_text=_("They vote by the rules of their own class for the same subject."),
    )
    effective_after_days = COUNT(_("days from adoption until it is in force"), default=0)
    change_clause = models.CharField(
        _("clause of notice and taking effect"), max_length=40, blank=True
    )

    class Meta:
        abstract = True

    @property
    def needs_second(self) -> bool:
        return self.seconds_needed > 0

    @property
    def discussion(self) -> tally.Discussion:
        return tally.Discussion(
            seconds_needed=self.seconds_needed,
            days=self.discussion_days,
            restarts=self.discussion_restarts,
            lapses_after_weeks=self.lapses_after_weeks,
        )

    @property
    def consent_rule(self) -> tally.ConsentRule:
        return tally.ConsentRule(
            consent=tally.Consent(self.consent), days=self.consent_days, notice=self.consent_notice
        )

    @property
    def bylaw_change(self) -> tally.BylawChange:
        return tally.BylawChange(
            notice_days=self.notice_days,
            public_discussion_days=self.public_discussion_days,
            member_vote=tally.MemberVote(self.member_vote),
            effective_after_days=self.effective_after_days,
        )
