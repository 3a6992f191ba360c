from __future__ import annotations

from datetime import date, datetime

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from governance.models.body import Body
from governance.models.seat import SeatTerm


class MeetingQuerySet(models.QuerySet["Meeting"]):
    def announced(self) -> MeetingQuerySet:
        """What was made known to everybody, cancelled ones too."""
        return self.filter(announced_at__isnull=False)

    def visible_to(self, user: models.Model | AnonymousUser, at: datetime) -> MeetingQuerySet:
        """All that was announced, and what the visitor's own bodies plan."""
        if getattr(user, "is_staff", False):
            return self.all()
        if user.pk is None:
            return self.announced()
        seats = SeatTerm.objects.seated_on(timezone.localdate(at)).filter(user_id=user.pk)
        return self.filter(Q(announced_at__isnull=False) | Q(body__in=seats.values("seat__body")))

    def upcoming(self, at: datetime) -> MeetingQuerySet:
        """Not over yet, the next one first."""
        return self.filter(ends_at__gt=at).order_by("begins_at", "pk")

    def past(self, at: datetime) -> MeetingQuerySet:
        """Over, the newest first."""
        return self.filter(ends_at__lte=at).order_by("-begins_at", "-pk")

    def held(self, since: datetime, until: datetime) -> MeetingQuerySet:
        """Those that took place and began in that time."""
        running = self.announced().filter(cancelled_at__isnull=True)
        return running.filter(begins_at__gte=since, begins_at__lt=until)

    def to_remind(self, at: datetime, before: datetime) -> MeetingQuerySet:
        """Announced, beginning between the two moments, and nobody was reminded."""
        waiting = self.announced().filter(cancelled_at__isnull=True, reminded_at__isnull=True)
        return waiting.filter(begins_at__gt=at, begins_at__lte=before)


class Meeting(models.Model):
    """A body comes together: planned by its officers, announced, held, minuted."""

    body = models.ForeignKey(Body, on_delete=models.PROTECT, related_name="meetings")
    slug = models.SlugField(_("address"), max_length=100, unique=True, editable=False)
    title = models.CharField(_("title"), max_length=120)
    begins_at = models.DateTimeField(_("begins"))
    ends_at = models.DateTimeField(_("ends"))
    place = models.CharField(
        _("place"), max_length=200, blank=True, help_text=_("For example “Online”, or an address.")
    )
    link = models.URLField(
        _("link to take part"),
        blank=True,
        help_text=_("Shown to those who hold a seat; to everybody if anyone may listen."),
    )
    is_open = models.BooleanField(_("anyone may listen"), default=False)

    planned_at = models.DateTimeField(_("planned"))
    planned_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    announced_at = models.DateTimeField(_("announced"), null=True)
    short_notice_because = models.CharField(
        _("why the notice is shorter than the rules ask"),
        max_length=300,
        blank=True,
        help_text=_("Public, beside the notice."),
    )
    reminded_at = models.DateTimeField(_("reminded"), null=True)
    cancelled_at = models.DateTimeField(_("cancelled"), null=True)
    cancelled_because = models.CharField(_("why it was cancelled"), max_length=300, blank=True)
    revision = models.PositiveSmallIntegerField(_("revision"), default=0)
    changed_at = models.DateTimeField(_("changed"))

    opened_at = models.DateTimeField(_("called to order"), null=True)
    closed_at = models.DateTimeField(_("adjourned"), null=True)
    record_version = models.PositiveIntegerField(_("version of the record"), default=0)

    objects = MeetingQuerySet.as_manager()

    class Meta:
        verbose_name = _("meeting")
        verbose_name_plural = _("meetings")
        ordering = ["-begins_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                name="meeting_ends_after_it_begins",
                condition=Q(ends_at__gt=F("begins_at")),
                violation_error_message=_("A meeting ends after it begins."),
            ),
            models.CheckConstraint(
                name="meeting_adjourned_after_it_was_opened",
                condition=Q(closed_at__isnull=True)
                | Q(opened_at__isnull=False, closed_at__gte=F("opened_at")),
                violation_error_message=_("A meeting is adjourned after it was called to order."),
            ),
            models.CheckConstraint(
                name="meeting_cancelled_says_why",
                condition=Q(cancelled_at__isnull=True, cancelled_because="")
                | (Q(cancelled_at__isnull=False) & ~Q(cancelled_because="")),
            ),
        ]
        indexes = [models.Index(fields=["begins_at"], name="meeting_begins")]

    def __str__(self) -> str:
        return f"{self.title}, {self.slug}"

    def get_absolute_url(self) -> str:
        return reverse("governance:meeting", args=[self.slug])

    @property
    def day(self) -> date:
        return timezone.localdate(self.begins_at)

    @property
    def is_cancelled(self) -> bool:
        return self.cancelled_at is not None

    def is_over(self, at: datetime) -> bool:
        return self.ends_at <= at
