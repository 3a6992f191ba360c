from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.conf import settings
from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import RangeOperators
from django.db import models
from django.db.models import F, FilteredRelation, Func, Q, Value
from django.db.models.functions import Coalesce, NullIf
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from governance.models.body import Body
from governance.tally.terms import Limit, add_months
from portal.accounts.roles import Role


class SeatQuerySet(models.QuerySet["Seat"]):
    def existing(self, on: date) -> SeatQuerySet:
        return self.filter(since__lte=on).exclude(until__lte=on)

    def voting(self) -> SeatQuerySet:
        return self.filter(is_voting=True)

    def places(self, on: date, known: Iterable[SeatTerm] | None = None) -> list[Place]:
        """Every one of these seats that exists on that day, with whoever held it then.

        `known` are all of their terms, where they were read before.
        """
        seats = list(self.existing(on).select_related("body").order_by("number"))
        if known is None:
            known = SeatTerm.objects.seated_on(on).filter(seat__in=seats).select_related("user")
        held = {term.seat_id: term for term in known if term.is_held_on(on)}
        return [Place(seat, held.get(seat.pk)) for seat in seats]

    def holders(self, on: date) -> SeatQuerySet:
        """The seats of that day with the name of whoever held them, as `holder_name`."""
        seated = Q(terms__since__lte=on) & (Q(terms__until=None) | Q(terms__until__gt=on))
        of_day = self.existing(on).annotate(held=FilteredRelation("terms", condition=seated))
        given = NullIf("held__user__name", Value(""))
        name = Coalesce(given, "held__user__email", output_field=models.CharField())
        shown = of_day.only("body", "number", "is_voting", "office")
        return shown.annotate(holder_name=name).order_by("number")


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
        EXECUTIVE = "executive", _("Executive director")
        EMPLOYEE = "employee", _("Employee")
        ADVISER = "adviser", _("Adviser")
        OBSERVER = "observer", _("Observer")

    INSIDE = (
        Office.CHAIR,
        Office.VICE_CHAIR,
        Office.SECRETARY,
        Office.TREASURER,
        Office.COUNSEL,
    )

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
    term_months = models.PositiveSmallIntegerField(
        _("months of a full term"),
        null=True,
        blank=True,
        help_text=_("Empty: a term lasts until it is ended."),
    )
    maximum_terms = models.PositiveSmallIntegerField(
        _("terms in a row at most"), null=True, blank=True, help_text=_("Empty: no limit.")
    )
    break_months = models.PositiveSmallIntegerField(
        _("months of a break"),
        default=12,
        help_text=_("After a break of this length the terms of a person are counted anew."),
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
            models.CheckConstraint(
                name="seat_allows_a_term",
                condition=(Q(term_months__isnull=True) | Q(term_months__gte=1))
                & (Q(maximum_terms__isnull=True) | Q(maximum_terms__gte=1)),
                violation_error_message=_("A term lasts a month or more, and one is allowed."),
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

    @property
    def is_elected(self) -> bool:
        return self.is_voting and self.constituency != self.Constituency.APPOINTED

    @property
    def role(self) -> Role | None:
        """What its holder is granted: that of the body with a vote, or the secretary's."""
        if self.is_voting:
            return self.body.role
        return Role.SECRETARY if self.office == self.Office.SECRETARY else None

    def full_term(self, since: date) -> date | None:
        """The end of a full term that begins on that day."""
        return add_months(since, self.term_months) if self.term_months else None

    @property
    def limit(self) -> Limit | None:
        """How many terms in a row a person may hold, if that is limited."""
        if self.maximum_terms is None:
            return None
        return Limit(self.maximum_terms, self.break_months, self.term_months or 0)


class SeatTermQuerySet(models.QuerySet["SeatTerm"]):
    def seated_on(self, day: date) -> SeatTermQuerySet:
        return self.filter(since__lte=day).exclude(until__lte=day)

    def voting(self) -> SeatTermQuerySet:
        return self.filter(seat__is_voting=True)

    def inside(self) -> SeatTermQuerySet:
        """Those who read what is for the body alone: voters and its officers, no observers."""
        return self.filter(Q(seat__is_voting=True) | Q(seat__office__in=Seat.INSIDE))

    def of(self, user: models.Model) -> SeatTermQuerySet:
        return self.filter(user_id=user.pk)

    def overlapping(self, since: date, until: date | None) -> SeatTermQuerySet:
        """Those that share a day with the time from `since` to `until`."""
        later = self.exclude(until__lte=since)
        return later.filter(since__lt=until) if until else later

    def ending(self, after: date, before: date) -> SeatTermQuerySet:
        """Those that end in that time, the next first."""
        ending = self.filter(until__gt=after, until__lte=before)
        return ending.select_related("seat__body", "user").order_by("until", "seat__number")

    def history(self, body: Body) -> SeatTermQuerySet:
        """Everyone who ever held a seat of `body`, newest first."""
        terms = self.filter(seat__body=body).select_related("seat", "user", "decided_by")
        lean = terms.defer("decided_by__text", "decided_by__papers")
        return lean.order_by("-since", "seat__number")


class SeatTerm(models.Model):
    """A person in a seat from one day to another; `until` is the first day without them."""

    class Entry(models.TextChoices):
        ELECTED = "elected", _("elected")
        APPOINTED = "appointed", _("appointed")
        REST = "rest", _("for the rest of the term")
        COUNTBACK = "countback", _("next in the count of the last election")
        INTERIM = "interim", _("interim, until the first election")
        OFFICE = "ex_officio", _("by another office")

    class Ending(models.TextChoices):
        RESIGNED = "resigned", _("resigned")
        REMOVED = "removed", _("removed")
        UNQUALIFIED = "unqualified", _("no longer qualifies")
        DIED = "died", _("died")
        REORGANISED = "reorganised", _("seats were reorganised")

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
    meant_until = models.DateField(
        _("meant until"), null=True, blank=True, editable=False
    )  # as it was given; `until` is earlier where the term was ended early
    entry = models.CharField(
        _("how the seat was filled"), max_length=12, choices=Entry, default=Entry.APPOINTED
    )
    exception = models.CharField(
        _("exception"),
        max_length=300,
        blank=True,
        help_text=_("Why this term was given although it exceeds a limit. Public."),
    )
    ending = models.CharField(_("why it ended early"), max_length=12, choices=Ending, blank=True)
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

    def is_held_on(self, day: date) -> bool:
        return self.since <= day and (self.until is None or day < self.until)

    @property
    def holder_url(self) -> str:
        """The page of the person who holds it."""
        return reverse("governance:person", args=[self.user_id])


@dataclass(frozen=True, slots=True)
class Place:
    """A seat on a day: held, or vacant."""

    seat: Seat
    term: SeatTerm | None
