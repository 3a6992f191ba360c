from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from governance.models.body import Body
from governance.models.rule_set import RuleSet


class MotionQuerySet(models.QuerySet["Motion"]):
    def public(self) -> MotionQuerySet:
        """Everything that was ever put to the vote; a draft is the body's own."""
        return self.filter(opened_at__isnull=False)

    def visible_to(self, user: models.Model | AnonymousUser, at: datetime) -> MotionQuerySet:
        """What `user` may read: all that is public, and the drafts of their own bodies."""
        own = Body.objects.of_voter(user, at)
        if getattr(user, "is_staff", False):
            return self.all()
        return self.filter(Q(opened_at__isnull=False) | Q(body__in=own))

    def being_decided(self, at: datetime) -> MotionQuerySet:
        """Votes that are open at that moment, the next deadline first."""
        running = self.filter(state=Motion.State.OPEN, opened_at__lte=at, deadline__gt=at)
        return running.select_related("body", "rule_set").order_by("deadline", "pk")

    def overdue(self, at: datetime) -> MotionQuerySet:
        """Votes whose deadline has passed and that nobody has counted yet."""
        return self.filter(state=Motion.State.OPEN, deadline__lte=at).order_by("deadline", "pk")

    def resolutions(self, at: datetime) -> MotionQuerySet:
        """What was adopted, newest first."""
        adopted = self.filter(state=Motion.State.ADOPTED, decided_at__lte=at)
        return adopted.select_related("body", "rule_set").order_by("-year", "-number")

    def newest_first(self) -> MotionQuerySet:
        """By the moment it was last moved on: decided, opened or drafted."""
        moved = Coalesce("decided_at", "withdrawn_at", "opened_at", "drafted_at")
        return self.order_by(moved.desc(), "-pk")

    def with_votes(self) -> MotionQuerySet:
        """With all that its arithmetic and its page ask for, in a fixed number of queries."""
        people = ["body", "rule_set", "proposed_by", "seconded_by", "opened_by"]
        return self.select_related(*people).prefetch_related("roster__votes")

    def by_reference(self, reference: str) -> MotionQuerySet:
        """The motion of this address: its resolution number, or the name it was drafted under."""
        year, _dash, number = reference.partition("-")
        if year.isdecimal() and number.isdecimal():
            return self.filter(year=int(year[:5]), number=int(number[:5]))
        return self.filter(slug=reference)


class Motion(models.Model):
    """A question put to a body: written, seconded, opened for a vote with a deadline, decided."""

    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        OPEN = "open", _("Vote open")
        ADOPTED = "adopted", _("Carried")
        FAILED = "failed", _("Not carried")
        VOID = "void", _("No quorum")
        WITHDRAWN = "withdrawn", _("Withdrawn")

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
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.DRAFT)

    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    drafted_at = models.DateTimeField(_("drafted"))
    seconded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    seconded_at = models.DateTimeField(_("seconded"), null=True)

    rule_set = models.ForeignKey(
        RuleSet, on_delete=models.PROTECT, null=True, related_name="motions"
    )
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    opened_at = models.DateTimeField(_("opened"), null=True)
    deadline = models.DateTimeField(_("deadline"), null=True)
    text_sha256 = models.CharField(max_length=64, blank=True)
    reminded_at = models.DateTimeField(_("reminded"), null=True)

    decided_at = models.DateTimeField(_("decided"), null=True)
    closed_early = models.BooleanField(_("closed early"), default=False)
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True)
    year = models.PositiveSmallIntegerField(_("year"), null=True)
    number = models.PositiveSmallIntegerField(_("resolution number"), null=True)

    objects = MotionQuerySet.as_manager()

    class Meta:
        verbose_name = _("motion")
        verbose_name_plural = _("motions")
        ordering = ["-drafted_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["year", "number"], name="resolution_number_once"),
            models.CheckConstraint(
                name="motion_opened_whole",
                condition=Q(
                    state__in=["draft", "withdrawn"],
                    opened_at__isnull=True,
                    deadline__isnull=True,
                    rule_set__isnull=True,
                    text_sha256="",
                )
                | (
                    ~Q(state="draft")
                    & Q(
                        opened_at__isnull=False, rule_set__isnull=False, deadline__gt=F("opened_at")
                    )
                    & ~Q(text_sha256="")
                ),
            ),
            models.CheckConstraint(
                name="motion_decided_has_a_date",
                condition=Q(state__in=["adopted", "failed", "void"], decided_at__gte=F("opened_at"))
                | Q(state__in=["draft", "open", "withdrawn"], decided_at__isnull=True),
            ),
            models.CheckConstraint(
                name="motion_adopted_has_a_number",
                condition=Q(state="adopted", year__isnull=False, number__gte=1)
                | (~Q(state="adopted") & Q(year__isnull=True, number__isnull=True)),
            ),
            models.CheckConstraint(
                name="motion_withdrawn_has_a_date",
                condition=Q(state="withdrawn", withdrawn_at__isnull=False)
                | (~Q(state="withdrawn") & Q(withdrawn_at__isnull=True)),
            ),
            models.CheckConstraint(
                name="motion_seconded_by_another",
                condition=Q(seconded_by__isnull=True, seconded_at__isnull=True)
                | (Q(seconded_at__isnull=False) & ~Q(seconded_by=F("proposed_by"))),
            ),
        ]
        indexes = [
            models.Index(fields=["state", "deadline"], name="motion_state_deadline"),
            models.Index(fields=["body", "state"], name="motion_body_state"),
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
    def is_decided(self) -> bool:
        return self.decided_at is not None

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
