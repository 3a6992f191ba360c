from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import models
from django.db.models import Exists, F, OuterRef, Q, Subquery
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import User
from portal.members.models.nomination import Nomination

INSTANT = timedelta(microseconds=1)


class StandingQuerySet(models.QuerySet["Standing"]):
    def active_on(self, at: datetime) -> StandingQuerySet:
        """Begun, not over and not ended early at that moment."""
        running = self.filter(starts_at__lte=at, ends_at__gt=at)
        return running.exclude(ended_at__lte=at)

    def not_over(self, at: datetime) -> StandingQuerySet:
        """Running, or to begin later; one that was ended before its begin never runs."""
        ran = Q(ended_at__gt=at) & Q(ended_at__gt=F("starts_at"))
        goes_on = Q(ended_at__isnull=True) | ran
        return self.filter(goes_on, ends_at__gt=at)


class ContributorQuerySet(models.QuerySet["Contributor"]):
    def active_on(self, at: datetime) -> ContributorQuerySet:
        standings = Standing.objects.active_on(at).filter(contributor=OuterRef("pk"))
        return self.filter(Exists(standings))

    def listed(self, at: datetime) -> ContributorQuerySet:
        """Whom the public list names: in standing, and they agreed to be named."""
        return self.active_on(at).filter(is_listed=True, accepted_at__lte=at)

    def offered_to(self, user: User) -> ContributorQuerySet:
        """Those with a verified address of `user` that are nobody's account yet."""
        verified = EmailAddress.objects.filter(user=user, verified=True)
        addresses = [email.lower() for email in verified.values_list("email", flat=True)]
        unclaimed = self.filter(user__isnull=True).annotate(lower=Lower("email"))
        return unclaimed.filter(lower__in=addresses)

    def named_like(self, text: str) -> ContributorQuerySet:
        """By part of the name or address; all of them without a text."""
        return self.filter(Q(name__icontains=text) | Q(email__icontains=text))

    def with_end(self, at: datetime) -> ContributorQuerySet:
        """With `until`, the end of the standing that runs at that moment, if one does."""
        running = Standing.objects.active_on(at).filter(contributor=OuterRef("pk"))
        last = running.order_by("-ends_at").values("ends_at")[:1]
        return self.annotate(until=Subquery(last))

    def ending(self, after: datetime, within: timedelta) -> ContributorQuerySet:
        """Whose last standing ends in the time after that moment."""
        later = Standing.objects.not_over(after + within).filter(contributor=OuterRef("pk"))
        return self.active_on(after).exclude(Exists(later))


class Contributor(models.Model):
    """A person who is a member by merit. The account that accepts it gets the role."""

    email = models.EmailField(_("e-mail"))
    name = models.CharField(_("name"), max_length=120)
    about = models.CharField(_("what they work on"), max_length=200, blank=True)
    website = models.URLField(_("web address"), blank=True)
    is_listed = models.BooleanField(_("agreed to be named"), default=False)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="contributor",
    )
    accepted_at = models.DateTimeField(_("accepted"), null=True, blank=True)
    created_at = models.DateTimeField(_("since"), default=timezone.now, editable=False)

    objects: ClassVar[ContributorQuerySet] = ContributorQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("contributor")
        verbose_name_plural = _("contributors")
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(Lower("email"), name="contributor_once_by_address"),
            models.CheckConstraint(
                condition=Q(user__isnull=True) | Q(accepted_at__isnull=False),
                name="contributor_accepted_with_account",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def last_day(self) -> datetime | None:
        """That of the standing that runs, after `with_end`."""
        until: datetime | None = getattr(self, "until", None)
        return until - INSTANT if until else None

    def standing_on(self, at: datetime) -> Standing | None:
        """The standing of that moment that lasts longest."""
        return self.standings.active_on(at).order_by("-ends_at").first()


class Standing(models.Model):
    """From when to when somebody is a contributor member, and by which decision."""

    contributor = models.ForeignKey(
        Contributor,
        verbose_name=_("contributor"),
        on_delete=models.PROTECT,
        related_name="standings",
    )
    nomination = models.OneToOneField(
        Nomination,
        verbose_name=_("nomination"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="standing",
    )
    granted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("decided by"),
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    starts_at = models.DateTimeField(_("starts"))
    ends_at = models.DateTimeField(_("ends"))
    ended_at = models.DateTimeField(_("ended early"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=400, blank=True)
    end_reason = models.CharField(_("why it ended"), max_length=400, blank=True)

    objects: ClassVar[StandingQuerySet] = StandingQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        ordering = ["-starts_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(ends_at__gt=F("starts_at")), name="standing_lasts"),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("starts_at")),
                name="standing_ends_after_it_starts",
            ),
        ]
        indexes = [models.Index(fields=["contributor", "ends_at"], name="standing_of_contributor")]

    def __str__(self) -> str:
        return f"{self.contributor}: {self.starts_at:%Y-%m-%d}–{self.ends_at:%Y-%m-%d}"

    @property
    def last_day(self) -> datetime:
        """Standings end at midnight; this is the day before, as people say it."""
        return self.ends_at - INSTANT
