from __future__ import annotations

from datetime import date, datetime

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Case, F, Q, When
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from governance.models.agenda import AgendaItem
from governance.models.body import Body
from governance.models.meeting import Meeting
from governance.models.minutes import Minutes
from governance.models.seat import SeatTerm

OPEN = Q(done_at__isnull=True, dropped_at__isnull=True)


class ActionItemQuerySet(models.QuerySet["ActionItem"]):
    def open(self) -> ActionItemQuerySet:
        return self.filter(OPEN)

    def overdue(self, on: date) -> ActionItemQuerySet:
        return self.open().filter(due__lt=on)

    def public(self, at: datetime) -> ActionItemQuerySet:
        """What everybody reads: of meetings with approved minutes, outside closed sessions."""
        minuted = Minutes.objects.approved(at).order_by().values("meeting")
        shown = self.filter(meeting__in=minuted, meeting__announced_at__isnull=False)
        return shown.exclude(agenda_item__is_closed=True)

    def visible_to(self, user: models.Model | AnonymousUser, at: datetime) -> ActionItemQuerySet:
        """What is public, the visitor's own, and what their bodies took upon themselves."""
        if getattr(user, "is_staff", False):
            return self.all()
        public = Q(pk__in=self.public(at).values("pk"))
        if user.pk is None:
            return self.filter(public)
        seats = SeatTerm.objects.seated_on(timezone.localdate(at)).filter(user_id=user.pk)
        bodies = Q(meeting__body__in=seats.values("seat__body"))
        voting = Q(meeting__body__in=seats.filter(seat__is_voting=True).values("seat__body"))
        is_open = Q(agenda_item__isnull=True) | Q(agenda_item__is_closed=False)
        return self.filter(public | Q(owner_id=user.pk) | voting | (bodies & is_open))

    def matching(
        self, *, q: str = "", state: str = "", body: Body | None = None, on: date
    ) -> ActionItemQuerySet:
        """By words of the task or the name of who does it, by state, by body."""
        found = self.in_state(state, on) if state else self
        if q:
            found = found.filter(Q(text__icontains=q) | Q(owner_name__icontains=q))
        return found.filter(meeting__body=body) if body else found

    def in_state(self, state: str, on: date) -> ActionItemQuerySet:
        return {
            ActionItem.State.OPEN: self.open(),
            ActionItem.State.OVERDUE: self.overdue(on),
            ActionItem.State.DONE: self.filter(done_at__isnull=False),
            ActionItem.State.DROPPED: self.filter(dropped_at__isnull=False),
        }[ActionItem.State(state)]

    def in_order(self, order: str) -> ActionItemQuerySet:
        """`newest`, `who` or `body`; else what is due first."""
        first = {"newest": ["-made_at", "-pk"], "who": ["owner_name"], "body": ["meeting__body"]}
        found = self.by_due_date()
        due = F("due").asc(nulls_last=True)
        return found.order_by(*first[order], due, "pk") if order in first else found

    def by_due_date(self) -> ActionItemQuerySet:
        """What is open first, and of that what is due first; without a day last."""
        named = self.select_related("meeting__body", "owner", "agenda_item")
        is_over = Case(When(OPEN, then=0), default=1)
        return named.order_by(is_over, F("due").asc(nulls_last=True), "pk")


class ActionItem(models.Model):
    """What somebody took upon themselves in a meeting, until when, and that it was done."""

    class State(models.TextChoices):
        OPEN = "open", _("Open")
        OVERDUE = "overdue", _("Overdue")
        DONE = "done", _("Done")
        DROPPED = "dropped", _("Dropped")

    meeting = models.ForeignKey(Meeting, on_delete=models.PROTECT, related_name="action_items")
    agenda_item = models.ForeignKey(
        AgendaItem,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="action_items",
        verbose_name=_("agenda item"),
    )
    text = models.CharField(_("what is to be done"), max_length=300)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="action_items"
    )
    owner_name = models.CharField(_("who"), max_length=150)
    due = models.DateField(_("due"), null=True, blank=True)
    made_at = models.DateTimeField(_("made"))
    done_at = models.DateTimeField(_("done"), null=True)
    done_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    dropped_at = models.DateTimeField(_("dropped"), null=True)
    dropped_because = models.CharField(_("why it was dropped"), max_length=300, blank=True)

    objects = ActionItemQuerySet.as_manager()

    class Meta:
        verbose_name = _("action item")
        verbose_name_plural = _("action items")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="action_item_done_or_dropped",
                condition=Q(done_at__isnull=True) | Q(dropped_at__isnull=True),
            ),
            models.CheckConstraint(
                name="action_item_dropped_says_why",
                condition=Q(dropped_at__isnull=True, dropped_because="")
                | (Q(dropped_at__isnull=False) & ~Q(dropped_because="")),
            ),
        ]

    def __str__(self) -> str:
        return self.text

    def days_overdue(self, on: date) -> int:
        late = self.state(on) is ActionItem.State.OVERDUE and self.due is not None
        return (on - self.due).days if late and self.due else 0

    def state(self, on: date) -> ActionItem.State:
        if self.done_at:
            return ActionItem.State.DONE
        if self.dropped_at:
            return ActionItem.State.DROPPED
        overdue = self.due is not None and self.due < on
        return ActionItem.State.OVERDUE if overdue else ActionItem.State.OPEN
