from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.conf import settings
from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import RangeOperators
from django.db import models
from django.db.models import F, Func, Q, Value
from django.utils.translation import gettext_lazy as _

from governance.models.body import Body


class SeatQuerySet(models.QuerySet["Seat"]):
    def existing(self, on: date) -> SeatQuerySet:
        return self.filter(since__lte=on).exclude(until__lte=on)

    def voting(self) -> SeatQuerySet:
        return self.filter(is_voting=True)

    def places(self, on: date) -> list[Place]:
        """Every one of these seats that exists on that day, with whoever held it then."""
        seats = list(self.existing(on).select_related("body").order_by("number"))
        terms = SeatTerm.objects.seated_on(on).filter(seat__in=seats).select_related("user")
        held = {term.seat_id: term for term in terms}
        return [Place(seat, held.get(seat.pk)) for seat in seats]


class Seat(models.Model):
    """A place in a body. Officers, advisers and observers have one too, without a vote."""

    class Constituency(models.TextChoices):
        CONTRIBUTORS = "contributors", _("Elected by contributors")
        MEMBERS = "members", _("Elected by corporate members")
        APPOINTED = "appointed", _("Appointed")

    class Office(models.TextChoices):
        CHAIR = "chair", _("Chair")
        VICE_CHAIR = "vice_chair", _("Vice chair")
        SECRETARY = "secretary", _("Secretary")
        TREASURER = "treasurer", _("Treasurer")
        COUNSEL = "counsel", _("Counsel")
        ADVISER = "adviser", _("Adviser")
        OBSERVER = "observer", _("Observer")

    body = models.ForeignKey(Body, on_delete=models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField(_("number"))
    is_voting = models.BooleanField(_("has a vote"), default=True)
    constituency = models.CharField(
        _("constituency"), max_length=20, choices=Constituency, default=Constituency.APPOINTED
    )
    office = models.CharField(
        _("office"),
        max_length=20,
        choices=Office,
        blank=True,
        help_text=_("Of a seat without a vote. A director who is also chair holds two seats."),
    )
    title = models.CharField(
        _("title"), max_length=80, blank=True, help_text=_("Instead of the name of the office.")
    )
    cohort = models.CharField(
        _("cohort"),
        max_length=20,
        blank=True,
        help_text=_("Seats of one cohort are elected together, for example “even years”."),
    )
    since = models.DateField(_("exists since"))
    until = models.DateField(_("abolished on"), null=True, blank=True)

    objects = SeatQuerySet.as_manager()

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["body", "number"]
        constraints = [
            models.UniqueConstraint(fields=["body", "number"], name="seat_number_once_a_body"),
            models.CheckConstraint(
                name="seat_has_a_vote_or_an_office",
                condition=Q(is_voting=True, office="") | (Q(is_voting=False) & ~Q(office="")),
                violation_error_message=_("A seat has either a vote or an office."),
            ),
            models.CheckConstraint(
                name="seat_ends_after_it_begins",
                condition=Q(until__isnull=True) | Q(until__gt=F("since")),
                violation_error_message=_("A seat is abolished after it was made."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.body}, {self.label}"

    @property
    def label(self) -> str:
        """How the seat is called: its number, or the office it stands for."""
        if self.is_voting:
            return _("seat %(number)s") % {"number": self.number}
        return self.title or self.get_office_display()


class SeatTermQuerySet(models.QuerySet["SeatTerm"]):
    def seated_on(self, day: date) -> SeatTermQuerySet:
        return self.filter(since__lte=day).exclude(until__lte=day)

    def voting(self) -> SeatTermQuerySet:
        return self.filter(seat__is_voting=True)

    def of(self, user: models.Model) -> SeatTermQuerySet:
        return self.filter(user_id=user.pk)

    def history(self, body: Body) -> SeatTermQuerySet:
        """Everyone who ever held a seat of `body`, newest first."""
        terms = self.filter(seat__body=body).select_related("seat__body", "user", "decided_by")
        return terms.order_by("-since", "seat__number")


class SeatTerm(models.Model):
    """A person in a seat from one day to another; `until` is the first day without them."""

    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="terms")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="seat_terms",
        verbose_name=_("person"),
    )
    since = models.DateField(_("since"))
    until = models.DateField(
        _("until"), null=True, blank=True, help_text=_("The first day without them.")
    )
    affiliation = models.CharField(
        _("affiliation"), max_length=120, blank=True, help_text=_("Employer, or Independent.")
    )
    decided_by = models.ForeignKey(
        "governance.Motion",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("appointed by"),
    )

    objects = SeatTermQuerySet.as_manager()

    class Meta:
        verbose_name = _("term")
        verbose_name_plural = _("terms")
        ordering = ["-since", "seat"]
        constraints = [
            models.CheckConstraint(
                name="seat_term_ends_after_it_begins",
                condition=Q(until__isnull=True) | Q(until__gt=F("since")),
                violation_error_message=_("A term ends after it begins."),
            ),
            # As ranges on both sides, so that PostgreSQL needs no extension for it.
            ExclusionConstraint(
                name="seat_term_one_person_at_a_time",
                expressions=[
                    (
                        Func(F("seat_id"), F("seat_id"), Value("[]"), function="int8range"),
                        RangeOperators.OVERLAPS,
                    ),
                    (Func(F("since"), F("until"), function="daterange"), RangeOperators.OVERLAPS),
                ],
                violation_error_message=_(
                    "Somebody holds this seat in that time. End their term first."
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.seat}"


@dataclass(frozen=True, slots=True)
class Place:
    """A seat on a day: held, or vacant."""

    seat: Seat
    term: SeatTerm | None
