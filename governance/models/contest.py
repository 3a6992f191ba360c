from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from governance.models.body import Body
from governance.models.election import Election
from governance.models.seat import Seat


class Contest(models.Model):
    """What one constituency elects in an election, by which method."""

    class Method(models.TextChoices):
        SCOTTISH_STV = "scottish-stv", _("Single transferable vote, Scottish rules")
        MEEK_STV = "meek-stv", _("Single transferable vote, Meek's method")
        IRV = "irv", _("Instant-runoff voting")
        SCHULZE = "schulze", _("Schulze method")
        APPROVAL = "approval", _("Approval voting")
        PLURALITY = "plurality", _("Most votes")

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
    seats = models.ManyToManyField(
        Seat,
        blank=True,
        related_name="contests",
        verbose_name=_("seats"),
        help_text=_("Filled in the order of the count by who is elected."),
    )

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
    def is_ranked(self) -> bool:
        return self.method not in {self.Method.APPROVAL, self.Method.PLURALITY}

    def quorum(self, voters: int) -> int:
        """How many of so many voters have to take part."""
        return -(-self.quorum_percent * voters // 100)
