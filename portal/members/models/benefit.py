from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from portal.members.models.term import Term
from portal.members.models.tier import Tier


class BenefitKind(models.TextChoices):
    LOGO = "logo", _("a place of the logo")
    SEATS = "seats", _("seats on the advisory list")
    VOTES = "votes", _("votes")
    TICKETS = "tickets", _("tickets")
    TEXT = "text", _("something else")


COUNTED = [BenefitKind.SEATS, BenefitKind.VOTES, BenefitKind.TICKETS]
USED_UP = [BenefitKind.TICKETS, BenefitKind.TEXT]  # the others are rights, as long as a term lasts


class Promise(models.Model):
    """What one line of a tier gives; in words of its own, or in those of its kind."""

    kind = models.CharField(_("what"), max_length=10, choices=BenefitKind, default=BenefitKind.TEXT)
    text = models.CharField(_("in words"), max_length=120, blank=True)
    quantity = models.PositiveSmallIntegerField(_("how many"), null=True, blank=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(quantity__isnull=True) | Q(quantity__gt=0),
                name="%(class)s_gives_something",
            ),
            models.CheckConstraint(
                condition=~Q(text="") | Q(kind__in=COUNTED, quantity__isnull=False),
                name="%(class)s_has_words",
            ),
        ]

    def __str__(self) -> str:
        return self.text or _counted(BenefitKind(self.kind), self.quantity or 0)


def _counted(kind: BenefitKind, number: int) -> str:
    words = {
        BenefitKind.SEATS: ngettext(
            "One seat on the advisory list", "%(number)s seats on the advisory list", number
        ),
        BenefitKind.VOTES: ngettext(
            "One vote in the corporate constituency",
            "%(number)s votes in the corporate constituency",
            number,
        ),
        BenefitKind.TICKETS: ngettext("One ticket", "%(number)s tickets", number),
    }
    return words[kind] % {"number": number}


class BenefitQuerySet(models.QuerySet["Benefit"]):
    def included(self) -> BenefitQuerySet:
        return self.filter(is_included=True)


class Benefit(Promise):
    """A line of a tier: what it gives, or says plainly that it does not."""

    tier = models.ForeignKey(
        Tier, verbose_name=_("tier"), on_delete=models.CASCADE, related_name="benefits"
    )
    is_included = models.BooleanField(_("included"), default=True)
    months_to_use = models.PositiveSmallIntegerField(
        _("months to use it"),
        null=True,
        blank=True,
        help_text=_("From the start of the term. Empty: as long as the term lasts."),
    )
    position = models.PositiveSmallIntegerField(_("position"), default=0)

    objects: ClassVar[BenefitQuerySet] = BenefitQuerySet.as_manager()  # type: ignore[assignment]

    class Meta(Promise.Meta):
        verbose_name = _("benefit")
        verbose_name_plural = _("benefits")
        ordering = ["-is_included", "position", "pk"]


USED = Coalesce(Sum("uses__quantity", filter=Q(uses__taken_back_at__isnull=True)), 0)


class EntitlementQuerySet(models.QuerySet["Entitlement"]):
    def with_used(self) -> EntitlementQuerySet:
        """With `used`, how many of it were."""
        return self.annotate(used=USED)

    def open_on(self, at: datetime) -> EntitlementQuerySet:
        """What can still be used up at that moment: some is left, and its time is not over."""
        running = self.filter(term__in=Term.objects.active_on(at), kind__in=USED_UP)
        left = running.filter(quantity__isnull=False).exclude(use_by__lte=at)
        return left.annotate(used=USED).filter(used__lt=F("quantity"))


class Entitlement(Promise):
    """A benefit as it was bought: later edits of the tier do not reach it."""

    term = models.ForeignKey(
        Term, verbose_name=_("term"), on_delete=models.PROTECT, related_name="entitlements"
    )
    use_by = models.DateTimeField(_("to be used until"))

    objects: ClassVar[EntitlementQuerySet] = EntitlementQuerySet.as_manager()  # type: ignore[assignment]

    class Meta(Promise.Meta):
        verbose_name = _("benefit as bought")
        verbose_name_plural = _("benefits as bought")
        ordering = ["pk"]

    @property
    def is_used_up_by_use(self) -> bool:
        """Whether uses of it are counted: tickets and the like."""
        return self.quantity is not None and self.kind in USED_UP

    @property
    def left(self) -> int | None:
        """How many are left, after `with_used`; None for what is not counted."""
        if not self.is_used_up_by_use:
            return None
        return max(0, (self.quantity or 0) - int(getattr(self, "used", 0)))


class BenefitUseQuerySet(models.QuerySet["BenefitUse"]):
    def standing(self) -> BenefitUseQuerySet:
        """Those that count: not taken back."""
        return self.filter(taken_back_at__isnull=True)


class BenefitUse(models.Model):
    """Some of a benefit was used. Rows are only added; a wrong one is taken back, and stays."""

    entitlement = models.ForeignKey(
        Entitlement, verbose_name=_("benefit"), on_delete=models.PROTECT, related_name="uses"
    )
    quantity = models.PositiveSmallIntegerField(_("how many"))
    note = models.CharField(_("for what"), max_length=200, blank=True)
    used_at = models.DateTimeField(_("used"), default=timezone.now)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("recorded by"),
        on_delete=models.PROTECT,
        related_name="+",
    )
    taken_back_at = models.DateTimeField(_("taken back"), null=True, blank=True)
    taken_back_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("taken back by"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )

    objects: ClassVar[BenefitUseQuerySet] = BenefitUseQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("use of a benefit")
        verbose_name_plural = _("uses of benefits")
        ordering = ["-used_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(quantity__gt=0), name="benefit_use_uses_some"),
            models.CheckConstraint(
                condition=Q(taken_back_at__isnull=True) | Q(taken_back_by__isnull=False),
                name="benefit_use_taken_back_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entitlement}: {self.quantity}"
