from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from governance.discussion.redacting import redacted
from governance.models.amendment import Amendment
from governance.models.body import Body
from governance.models.motion_constraints import CONSTRAINTS
from governance.models.motion_queryset import MotionQuerySet
from governance.models.rule_set import RuleSet
from portal.lib import words

if TYPE_CHECKING:
    from governance.models.consensus import Consensus
    from governance.tally.rollcall import Count

WORDS: Final = words.of("title", "summary", "text")


class Motion(models.Model):
    """A question put to a body: written, seconded, discussed, put to the vote, decided.

    `docs/motions.md` draws its life.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        DISCUSSION = "discussion", _("In discussion")
        ON_HOLD = "on_hold", _("On hold")
        OPEN = "open", _("Vote open")
        ADOPTED = "adopted", _("Carried")
        FAILED = "failed", _("Not carried")
        VOID = "void", _("No quorum")
        SUPERSEDED = "superseded", _("Superseded")
        LAPSED = "lapsed", _("Lapsed")
        WITHDRAWN = "withdrawn", _("Withdrawn")

    class Way(models.TextChoices):
        """How it is decided."""

        VOTE = "vote", _("vote with a deadline")
        MEETING = "meeting", _("vote in a meeting")
        CONSENT = "consent", _("written consent")
        CONSENSUS = "consensus", _("consensus")

    class Electorate(models.TextChoices):
        """Who votes on it."""

        BODY = "body", _("the body itself")
        CONTRIBUTORS = "contributors", _("the contributors")
        MEMBERS = "members", _("the corporate members")

    body = models.ForeignKey(Body, on_delete=models.PROTECT, related_name="motions")
    slug = models.SlugField(_("address"), max_length=80, unique=True, editable=False)
    title = models.CharField(_("title"), max_length=160)
    summary = models.CharField(
        _("summary"), max_length=300, help_text=_("What would change, in one or two sentences.")
    )
    text = models.TextField(
        _("text"), help_text=_("What the body resolves, word for word. Markdown.")
    )
    papers = models.TextField(
        _("papers"),
        blank=True,
        help_text=_("Background for the voters alone, never public. Markdown."),
    )
    subject = models.SlugField(_("decided by the rules for"), max_length=40)
    electorate = models.CharField(
        _("who votes"), max_length=12, choices=Electorate, default=Electorate.BODY
    )
    way = models.CharField(_("decided by"), max_length=10, choices=Way, default=Way.VOTE)
    meeting = models.ForeignKey(
        "governance.Meeting",
        on_delete=models.PROTECT,
        null=True,
        editable=False,
        related_name="voted_on",
        verbose_name=_("voted on in"),
    )
    takes_effect_on = models.DateField(
        _("takes effect on"),
        null=True,
        blank=True,
        help_text=_("Left empty: on the day it is carried."),
    )
    supersedes = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="superseding",
        verbose_name=_("takes the place of"),
    )
    amendment = models.ForeignKey(
        Amendment,
        on_delete=models.PROTECT,
        null=True,
        editable=False,
        related_name="votes",
        verbose_name=_("decides the amendment"),
    )
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.DRAFT)

    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    drafted_at = models.DateTimeField(_("drafted"))
    seconded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    seconded_at = models.DateTimeField(_("seconded"), null=True)

    discussed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    discussed_at = models.DateTimeField(_("discussion opened"), null=True)
    clock_from = models.DateTimeField(_("discussion counts from"), null=True)
    active_at = models.DateTimeField(_("last spoke"), null=True)
    held_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    held_at = models.DateTimeField(_("on hold since"), null=True)
    held_from = models.CharField(max_length=10, choices=State, blank=True)
    held_because = models.CharField(_("on hold because"), max_length=300, blank=True)
    lapsed_at = models.DateTimeField(_("lapsed"), null=True)

    rule_set = models.ForeignKey(
        RuleSet, on_delete=models.PROTECT, null=True, related_name="motions"
    )
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    opened_at = models.DateTimeField(_("opened"), null=True)
    deadline = models.DateTimeField(_("deadline"), null=True)
    record_at = models.DateTimeField(_("record date"), null=True)
    text_sha256 = models.CharField(max_length=64, blank=True)
    reminded_at = models.DateTimeField(_("reminded"), null=True)

    decided_at = models.DateTimeField(_("decided"), null=True)
    closed_early = models.BooleanField(_("closed early"), default=False)
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True)
    year = models.PositiveSmallIntegerField(_("year"), null=True)
    number = models.PositiveSmallIntegerField(_("resolution number"), null=True)
    effective_on = models.DateField(_("in force since"), null=True)
    superseded_by = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="superseded"
    )
    superseded_on = models.DateField(_("superseded on"), null=True)

    # What `motions.listed` has read for a whole list at once; other motions have none of it.
    counts: dict[str, Count]
    signed: int
    being_sought: list[Consensus]

    objects = MotionQuerySet.as_manager()

    class Meta:
        verbose_name = _("motion")
        verbose_name_plural = _("motions")
        ordering = ["-drafted_at", "-pk"]
        constraints = CONSTRAINTS
        indexes = [
            models.Index(fields=["state", "deadline"], name="motion_state_deadline"),
            models.Index(fields=["body", "state"], name="motion_body_state"),
            GinIndex(WORDS, name="motion_words"),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("governance:motion", args=[self.reference])

    @property
    def reference(self) -> str:
        """How it is called in an address: 2026-31 once adopted, a name before."""
        return self.resolution or self.slug

    @property
    def resolution(self) -> str:
        return f"{self.year}-{self.number:02}" if self.number else ""

    @property
    def deciders(self) -> str:
        """Who decides it, within a sentence."""
        if self.electorate != self.Electorate.BODY:
            return str(self.get_electorate_display())
        return gettext("the body (%(body)s)") % {"body": self.body}

    @property
    def is_public(self) -> bool:
        """Whether everybody may read it: it was discussed or put to the vote."""
        return self.discussed_at is not None or self.opened_at is not None

    @property
    def is_counted(self) -> bool:
        """Whether it is decided by counting votes; others are signed, or nobody objects."""
        return self.way in {self.Way.VOTE, self.Way.MEETING}

    @property
    def is_decided(self) -> bool:
        return self.decided_at is not None

    @property
    def needs_members(self) -> bool:
        """Whether it changes bylaws, and members who must agree to it have not."""
        return hasattr(self, "proposal") and not hasattr(self, "version")

    @property
    def in_force_from(self) -> date | None:
        return None if self.needs_members else self.effective_on

    def force(self, on: date) -> str:
        """Of a resolution on that day: `in_force`, `later` or `superseded`."""
        if self.superseded_on is not None and self.superseded_on <= on:
            return "superseded"
        begun = self.in_force_from
        return "in_force" if begun is not None and begun <= on else "later"

    def as_public(self, text: str) -> str:
        """A text of this motion without the passages that were taken out of public sight."""
        return redacted(text, [each.passage for each in self.redactions.all()])

    @property
    def public_text(self) -> str:
        return self.as_public(self.text)

    @property
    def public_summary(self) -> str:
        return self.as_public(self.summary)

    def is_open(self, at: datetime) -> bool:
        """Whether a vote given at that moment counts."""
        return self.state == self.State.OPEN and self.deadline is not None and at < self.deadline


class ResolutionCount(models.Model):
    """How many resolutions a year has: the next number is taken under the lock of this row."""

    year = models.PositiveSmallIntegerField(primary_key=True)
    last = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("resolution count")
        verbose_name_plural = _("resolution counts")

    def __str__(self) -> str:
        return f"{self.year}: {self.last}"
