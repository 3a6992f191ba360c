from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from governance.tally import rules as tally

COUNT = models.PositiveSmallIntegerField


class CompositionRules(models.Model):
    """Who the voters are: limits per employer, vacancies, which members are on the roll."""

    class CapShare(models.TextChoices):
        QUARTER = tally.CapShare.QUARTER.value, _("a quarter of the voting seats")
        THIRD = tally.CapShare.THIRD.value, _("a third of the voting seats")
        HALF = tally.CapShare.HALF.value, _("half of the voting seats")
        MINORITY = tally.CapShare.MINORITY.value, _("less than half of the voting seats")

    class FilledBy(models.TextChoices):
        BODY = tally.FilledBy.BODY.value, _("the remaining members appoint somebody")
        SAME_CLASS = (
            tally.FilledBy.SAME_CLASS.value,
            _("the remaining members of the same constituency appoint somebody"),
        )
        SPECIAL_ELECTION = tally.FilledBy.SPECIAL_ELECTION.value, _("a special election")
        COUNTBACK = (
            tally.FilledBy.COUNTBACK.value,
            _("the ballots of the last election are counted again without the one who left"),
        )
        NOBODY = tally.FilledBy.NOBODY.value, _("nobody until the next election")

    class VacancyTerm(models.TextChoices):
        REST_OF_TERM = tally.VacancyTerm.REST_OF_TERM.value, _("the rest of the term")
        NEXT_ELECTION = tally.VacancyTerm.NEXT_ELECTION.value, _("until the next election")
        FULL_TERM = tally.VacancyTerm.FULL_TERM.value, _("a full term")

    class Activity(models.TextChoices):
        NONE = tally.Activity.NONE.value, _("every member votes")
        AFFIRMED = tally.Activity.AFFIRMED.value, _("who affirmed that they want to vote")
        VOTED = tally.Activity.VOTED.value, _("who voted last time")
        EITHER = tally.Activity.EITHER.value, _("who affirmed it, or voted last time")

    cap_share = models.CharField(
        _("one employer holds at most"), max_length=10, choices=CapShare, blank=True
    )
    cap_seats = COUNT(
        _("one employer holds at most so many seats"), default=0, help_text=_("0: no such limit.")
    )
    cap_clause = models.CharField(_("clause of the limit per employer"), max_length=40, blank=True)

    vacancy_filled_by = models.CharField(
        _("a vacancy is filled by"), max_length=16, choices=FilledBy, default=FilledBy.BODY
    )
    vacancy_term = models.CharField(
        _("for"), max_length=14, choices=VacancyTerm, default=VacancyTerm.REST_OF_TERM
    )
    vacancy_days = COUNT(_("within so many days"), default=0, help_text=_("0: no limit."))
    vacancy_clause = models.CharField(_("clause of vacancies"), max_length=40, blank=True)

    record_days = COUNT(
        _("days from the record date to the opening"),
        default=0,
        help_text=_("The roll of a vote of members is that of the record date."),
    )
    activity = models.CharField(
        _("on the roll"), max_length=10, choices=Activity, default=Activity.NONE
    )
    affirmation_months = COUNT(_("months for which an affirmation counts"), default=12)
    membership_clause = models.CharField(
        _("clause of voting membership"), max_length=40, blank=True
    )

    class Meta:
        abstract = True

    @property
    def affiliation_cap(self) -> tally.AffiliationCap:
        return tally.AffiliationCap(share=tally.CapShare(self.cap_share), seats=self.cap_seats)

    @property
    def vacancy(self) -> tally.Vacancy:
        return tally.Vacancy(
            filled_by=tally.FilledBy(self.vacancy_filled_by),
            term=tally.VacancyTerm(self.vacancy_term),
            days=self.vacancy_days,
        )

    @property
    def membership(self) -> tally.Membership:
        return tally.Membership(
            record_days=self.record_days,
            activity=tally.Activity(self.activity),
            affirmation_months=self.affirmation_months,
        )
