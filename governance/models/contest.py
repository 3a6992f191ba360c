from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from governance.models.body import Body
from governance.models.election import Election
from governance.models.seat import Seat
from governance.tally import question

ASKED = ~Q(proposal="") & ~Q(default_option="") & ~Q(proposal=F("default_option"))


class Contest(models.Model):
    """What one constituency elects in an election, by which method, or what it is asked."""

    class Method(models.TextChoices):
        SCOTTISH_STV = "scottish-stv", _("Single transferable vote, Scottish rules")
        MEEK_STV = "meek-stv", _("Single transferable vote, Meek's method")
        IRV = "irv", _("Instant-runoff voting")
        SCHULZE = "schulze", _("Schulze method")
        APPROVAL = "approval", _("Approval voting")
        PLURALITY = "plurality", _("Most votes")
        QUESTION = question.METHOD, _("A question: yes or no")

    election = models.ForeignKey(Election, on_delete=models.PROTECT, related_name="contests")
    constituency = models.CharField(_("who votes"), max_length=20, choices=Body.Constituency)
    number = models.PositiveSmallIntegerField(
        _("place"), default=1, help_text=_("Contests are counted in this order.")
    )
    method = models.CharField(
        _("method"), max_length=20, choices=Method, default=Method.SCOTTISH_STV
    )
    places = models.PositiveSmallIntegerField(_("seats to fill"), default=1)
    most_of_one_affiliation = models.PositiveSmallIntegerField(
        _("seats one employer may win"), null=True, blank=True, help_text=_("Empty: no limit.")
    )
    quorum_percent = models.PositiveSmallIntegerField(
        _("percent of the roll that have to take part"),
        default=0,
        help_text=_("0: the vote counts, however few took part."),
    )
    proposal = models.CharField(
        _("what is proposed"),
        max_length=200,
        blank=True,
        help_text=_("Who votes yes wants this. One sentence, as the ballot has it."),
    )
    proposal_text = models.TextField(
        _("its full text"),
        blank=True,
        max_length=20_000,
        help_text=_("And the reasons for it. Markdown. It stays as it is once it is announced."),
    )
    default_option = models.CharField(
        _("what is if it fails"),
        max_length=200,
        blank=True,
        help_text=_("Who votes no wants this, and it holds too where too few take part."),
    )
    ratio_yes = models.PositiveSmallIntegerField(_("yes votes"), default=1)
    ratio_no = models.PositiveSmallIntegerField(
        _("for so many no votes"),
        default=1,
        help_text=_("2 for 1: two thirds of those who say yes or no. Never fewer yes than no."),
    )
    seats = models.ManyToManyField(
        Seat,
        blank=True,
        related_name="contests",
        verbose_name=_("seats"),
        help_text=_("Filled in the order of the count by who is elected."),
    )

    # What `elections.whole` counts with all contests of an election; others have none of it.
    on_the_roll: int
    drawn: int

    class Meta:
        verbose_name = _("contest")
        verbose_name_plural = _("contests")
        ordering = ["election", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["election", "constituency"], name="contest_once_a_constituency"
            ),
            models.UniqueConstraint(fields=["election", "number"], name="contest_number_once"),
            models.CheckConstraint(
                name="contest_fills_a_seat",
                condition=Q(places__gte=1),
                violation_error_message=_("A contest fills at least one seat."),
            ),
            models.CheckConstraint(
                name="contest_runoff_fills_one_seat",
                condition=~Q(method="irv") | Q(places=1),
                violation_error_message=_("Instant-runoff voting fills one seat."),
            ),
            models.CheckConstraint(
                name="contest_quorum_is_a_share",
                condition=Q(quorum_percent__lte=100),
                violation_error_message=_("A quorum is at most the whole roll, 100 percent."),
            ),
            models.CheckConstraint(
                name="contest_question_has_two_answers",
                condition=~Q(method=question.METHOD)
                | (Q(places=1, most_of_one_affiliation__isnull=True) & ASKED),
                violation_error_message=_(
                    "A question has a proposal, and says what is without it."
                ),
            ),
            models.CheckConstraint(
                name="contest_ratio_is_of_votes",
                condition=Q(ratio_yes__gte=1, ratio_no__gte=1),
                violation_error_message=_("A ratio is made of numbers from 1."),
            ),
            models.CheckConstraint(
                name="contest_cap_allows_a_seat",
                condition=Q(most_of_one_affiliation__isnull=True)
                | Q(most_of_one_affiliation__gte=1),
                violation_error_message=_("One employer may win one seat or more."),
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def id_on_the_board(self) -> str:
        """How manifest, ballots and bundle name it."""
        return f"{self.election.name}/{self.constituency}"

    @property
    def title(self) -> str:
        return self.get_constituency_display()

    @property
    def is_question(self) -> bool:
        """Whether it fills no seat: its two answers stand on the ballot, and nobody does."""
        return self.method == self.Method.QUESTION

    def quorum(self, voters: int) -> int:
        """How many of so many voters have to take part."""
        return -(-self.quorum_percent * voters // 100)
