from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from governance.tally import rules as tally

COUNT = models.PositiveSmallIntegerField


class CountingRules(models.Model):
    """What a vote is counted by: quorum, majority, recusal, tie."""

    class QuorumBase(models.TextChoices):
        FIXED = tally.QuorumBase.FIXED.value, _("all voting seats, vacant ones too")
        FILLED = tally.QuorumBase.FILLED.value, _("the seats that are filled")
        ELIGIBLE = tally.QuorumBase.ELIGIBLE.value, _("the members on the roll")

    class Quorum(models.TextChoices):
        NONE = tally.Quorum.NONE.value, _("none")
        TENTH = tally.Quorum.TENTH.value, _("a tenth")
        QUARTER = tally.Quorum.QUARTER.value, _("a quarter")
        THIRD = tally.Quorum.THIRD.value, _("a third")
        HALF = tally.Quorum.HALF.value, _("half")
        MAJORITY = tally.Quorum.MAJORITY.value, _("more than half")
        TWO_THIRDS = tally.Quorum.TWO_THIRDS.value, _("two thirds")
        SQUARE_ROOT = tally.Quorum.SQUARE_ROOT.value, _("3 × √ of it ÷ 2, as in Debian")

    class QuorumBy(models.TextChoices):
        PRESENT = tally.QuorumBy.PRESENT.value, _("those present")
        BALLOTS = tally.QuorumBy.BALLOTS.value, _("ballots cast, abstentions too")
        YES = tally.QuorumBy.YES.value, _("yes votes; without it the motion fails")

    class PassBase(models.TextChoices):
        PRESENT = tally.PassBase.PRESENT.value, _("those present; an abstention counts against")
        CAST = tally.PassBase.CAST.value, _("votes cast, without abstentions")
        FILLED = tally.PassBase.FILLED.value, _("the seats that are filled, or the whole roll")
        FIXED = tally.PassBase.FIXED.value, _("all voting seats, vacant ones too")

    class Threshold(models.TextChoices):
        SIMPLE = tally.Threshold.SIMPLE.value, _("more yes than no")
        STRICT = tally.Threshold.STRICT.value, _("more than half of the base")
        TWO_THIRDS = tally.Threshold.TWO_THIRDS.value, _("two thirds of the base")
        THREE_QUARTERS = tally.Threshold.THREE_QUARTERS.value, _("three quarters of the base")
        UNANIMOUS = tally.Threshold.UNANIMOUS.value, _("all of the base")
        RATIO = tally.Threshold.RATIO.value, _("N times as many yes as no")

    class Tie(models.TextChoices):
        STATUS_QUO = tally.Tie.STATUS_QUO.value, _("nothing changes")
        CASTING_VOTE = tally.Tie.CASTING_VOTE.value, _("the chair has a casting vote")
        LOT = tally.Tie.LOT.value, _("a lot is drawn that everybody can check")

    quorum = models.CharField(_("quorum"), max_length=12, choices=Quorum, default=Quorum.MAJORITY)
    quorum_base = models.CharField(
        _("quorum is measured against"), max_length=10, choices=QuorumBase, default=QuorumBase.FIXED
    )
    quorum_by = models.CharField(
        _("counted towards the quorum"), max_length=10, choices=QuorumBy, default=QuorumBy.PRESENT
    )
    quorum_clause = models.CharField(_("clause of the quorum"), max_length=40)
    seats_clause = models.CharField(_("clause of the seats"), max_length=40)

    threshold = models.CharField(
        _("needed"), max_length=16, choices=Threshold, default=Threshold.STRICT
    )
    ratio = COUNT(
        _("ratio N : 1"), default=1, help_text=_("For “N times as many yes as no” alone.")
    )
    pass_base = models.CharField(
        _("yes votes are measured against"),
        max_length=10,
        choices=PassBase,
        default=PassBase.PRESENT,
    )
    minimum_yes = COUNT(_("yes votes needed at least"), default=1)
    per_class = models.BooleanField(
        _("the same majority in every constituency"),
        default=False,
        help_text=_("Of those who hold the seats of each, besides the majority of the whole."),
    )
    pass_clause = models.CharField(_("clause of the majority"), max_length=40)

    recused_count_for_quorum = models.BooleanField(_("recused count for the quorum"), default=True)
    recused_leave_base = models.BooleanField(_("recused leave the base"), default=True)
    recused_see_no_papers = models.BooleanField(_("papers are closed to recused"), default=True)
    disinterested_majority = models.BooleanField(
        _("valid only with a majority of the disinterested"),
        default=False,
        help_text=_("Once somebody recused: more than half of the others in office say yes."),
    )
    recusal_clause = models.CharField(_("clause of the recusal"), max_length=40)

    tie = models.CharField(_("tie"), max_length=16, choices=Tie, default=Tie.STATUS_QUO)
    tie_clause = models.CharField(_("clause of the tie"), max_length=40)

    class Meta:
        abstract = True

    @property
    def rules(self) -> tally.Rules:
        """The numbers that the tally counts by."""
        return tally.Rules(
            quorum_base=tally.QuorumBase(self.quorum_base),
            quorum=tally.Quorum(self.quorum),
            quorum_by=tally.QuorumBy(self.quorum_by),
            pass_base=tally.PassBase(self.pass_base),
            threshold=tally.Threshold(self.threshold),
            ratio=self.ratio,
            minimum_yes=self.minimum_yes,
            per_class=self.per_class,
            recused_count_for_quorum=self.recused_count_for_quorum,
            recused_leave_base=self.recused_leave_base,
            disinterested_majority=self.disinterested_majority,
            tie=tally.Tie(self.tie),
        )


# Of the rules those that a list of motions or bodies counts by.
COUNTING = tuple(field.name for field in CountingRules._meta.local_fields)
