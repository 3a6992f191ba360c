from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from governance.models.body import Body, BodyQuerySet
from governance.sealed import manifest
from portal.accounts.roles import Role, has_role


def run_by(user: models.Model | AnonymousUser, at: datetime) -> BodyQuerySet:
    """The bodies whose elections `user` runs: those they keep, all for an election officer."""
    if not isinstance(user, AnonymousUser) and has_role(user, Role.ELECTION_OFFICER, at=at):
        return Body.objects.all()
    return Body.objects.kept_by(user, at)


class ElectionQuerySet(models.QuerySet["Election"]):
    def visible_to(self, user: models.Model | AnonymousUser, at: datetime) -> ElectionQuerySet:
        """Everybody reads what was announced; drafts are read by who runs elections of the body."""
        announced = ~Q(state=Election.State.DRAFT)
        return self.filter(announced | Q(body__in=run_by(user, at))).select_related("body")

    def voting(self, at: datetime) -> ElectionQuerySet:
        """Those in which votes are taken at the moment, the next to close first."""
        found = self.filter(state=Election.State.FROZEN, opens_at__lte=at, closes_at__gt=at)
        return found.order_by("closes_at", "pk")

    def nominating(self, at: datetime) -> ElectionQuerySet:
        """Those in which nominations are taken at the moment."""
        return self.filter(
            state=Election.State.ANNOUNCED, nominations_open_at__lte=at, nominations_close_at__gt=at
        )

    def overdue(self, at: datetime) -> ElectionQuerySet:
        """Those whose time to vote is over, and whose last block is still to be made."""
        return self.filter(state=Election.State.FROZEN, closes_at__lte=at)

    def with_a_board(self) -> ElectionQuerySet:
        """Those whose ballots are sealed, from their manifest on."""
        return self.filter(level=Election.Level.SEALED).exclude(manifest="")

    def to_hand_over(self) -> ElectionQuerySet:
        """Those that registrar and ballot box do not know yet."""
        return self.filter(state=Election.State.FROZEN, handed_over_at__isnull=True)

    def to_draw(self, at: datetime) -> ElectionQuerySet:
        """Those whose record date has come, and whose roll is still to be drawn."""
        return self.filter(
            state=Election.State.ANNOUNCED, record_at__lte=at, roll_drawn_at__isnull=True
        )


class Election(models.Model):
    """Who fills the seats of a body: contests of constituencies, from nominations to the result.

    Windows are enforced by their times. What is fixed before it opens stands in the manifest, which
    two officers sign; a trigger of the database refuses to change what was frozen.
    """

    class Level(models.TextChoices):
        SEALED = manifest.SEALED, _("Sealed ballots")
        CONFIDENTIAL = manifest.CONFIDENTIAL, _("Confidential ballots")

    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        ANNOUNCED = "announced", _("Announced")
        PREPARED = "prepared", _("Waiting for signatures")
        FROZEN = "frozen", _("Frozen")
        CLOSED = "closed", _("Closed")
        COUNTED = "counted", _("Counted")
        DECLARED = "declared", _("Declared")
        CANCELLED = "cancelled", _("Cancelled")

    body = models.ForeignKey(
        Body, on_delete=models.PROTECT, related_name="elections", verbose_name=_("body")
    )
    name = models.SlugField(
        _("short name"),
        max_length=40,
        unique=True,
        help_text=_("Stands in addresses, receipts and on the board, for example “2026-board”."),
    )
    title = models.CharField(_("title"), max_length=120)
    about = models.TextField(
        _("about"), blank=True, help_text=_("What is decided and how to take part. Markdown.")
    )
    level = models.CharField(_("ballots"), max_length=12, choices=Level, default=Level.SEALED)
    is_rehearsal = models.BooleanField(
        _("rehearsal"),
        default=False,
        help_text=_("Everything is real but the seats: nobody takes one."),
    )
    seconds_needed = models.PositiveSmallIntegerField(_("seconds a nomination needs"), default=1)
    nominations_open_at = models.DateTimeField(_("nominations open"))
    nominations_close_at = models.DateTimeField(_("nominations close"))
    record_at = models.DateTimeField(
        _("record date"), help_text=_("Who may vote at this moment is on the roll.")
    )
    objections_close_at = models.DateTimeField(
        _("objections to the roll until"),
        help_text=_("The roll is shown from the record date on."),
    )
    opens_at = models.DateTimeField(_("voting opens"))
    closes_at = models.DateTimeField(_("voting closes"))
    complaints_close_at = models.DateTimeField(_("complaints until"))
    term_begins_on = models.DateField(
        _("terms begin on"), null=True, blank=True, help_text=_("Empty: on the day it is declared.")
    )
    shares_needed = models.PositiveSmallIntegerField(
        _("scrutineers needed to open the ballots"),
        default=2,
        help_text=_("Fewer than there are, so that one may lose a share."),
    )
    state = models.CharField(
        _("state"), max_length=10, choices=State, default=State.DRAFT, editable=False
    )
    election_key = models.CharField(max_length=100, blank=True, editable=False)
    manifest = models.TextField(_("manifest"), blank=True, editable=False)
    manifest_sha256 = models.CharField(max_length=64, blank=True, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", editable=False
    )
    drafted_at = models.DateTimeField(_("drafted"), editable=False)
    announced_at = models.DateTimeField(_("announced"), null=True, editable=False)
    roll_drawn_at = models.DateTimeField(_("roll drawn"), null=True, editable=False)
    frozen_at = models.DateTimeField(_("frozen"), null=True, editable=False)
    handed_over_at = models.DateTimeField(_("with registrar and box"), null=True, editable=False)
    closed_at = models.DateTimeField(_("closed"), null=True, editable=False)
    counted_at = models.DateTimeField(_("counted"), null=True, editable=False)
    declared_at = models.DateTimeField(_("declared"), null=True, editable=False)
    cancelled_at = models.DateTimeField(_("cancelled"), null=True, editable=False)
    cancelled_because = models.CharField(_("why"), max_length=300, blank=True, editable=False)
    count_fault = models.TextField(_("why it cannot be counted"), blank=True, editable=False)

    objects = ElectionQuerySet.as_manager()

    class Meta:
        verbose_name = _("election")
        verbose_name_plural = _("elections")
        ordering = ["-opens_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                name="election_times_in_order",
                condition=Q(nominations_close_at__gt=F("nominations_open_at"))
                & Q(objections_close_at__gt=F("record_at"))
                & Q(opens_at__gte=F("nominations_close_at"))
                & Q(opens_at__gte=F("objections_close_at"))
                & Q(closes_at__gt=F("opens_at"))
                & Q(complaints_close_at__gt=F("closes_at")),
                violation_error_message=_(
                    "In this order: nominations open and close; the record date and the end of "
                    "objections; voting opens and closes; complaints end."
                ),
            ),
            models.CheckConstraint(
                name="election_frozen_has_a_manifest",
                condition=Q(frozen_at__isnull=True) | ~Q(manifest_sha256=""),
            ),
            models.CheckConstraint(
                name="election_needs_a_share",
                condition=Q(shares_needed__gte=1),
                violation_error_message=_("At least one scrutineer opens the ballots."),
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("governance:election", args=[self.name])

    @property
    def is_sealed(self) -> bool:
        return self.level == self.Level.SEALED

    @property
    def elects_people(self) -> bool:
        """Not where questions alone are asked; a draft without contests will."""
        contests = list(self.contests.all())
        return not contests or not all(each.is_question for each in contests)

    def takes_nominations(self, at: datetime) -> bool:
        announced = self.state == self.State.ANNOUNCED
        return announced and self.nominations_open_at <= at < self.nominations_close_at

    def takes_objections(self, at: datetime) -> bool:
        announced = self.state == self.State.ANNOUNCED and self.roll_drawn_at is not None
        return announced and self.record_at <= at < self.objections_close_at

    def takes_votes(self, at: datetime) -> bool:
        return self.state == self.State.FROZEN and self.opens_at <= at < self.closes_at

    def takes_complaints(self, at: datetime) -> bool:
        """From its announcement on, until it is settled for good."""
        is_over = {self.State.DRAFT, self.State.CANCELLED, self.State.DECLARED}
        return self.state not in is_over and at < self.complaints_close_at
