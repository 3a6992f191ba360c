from __future__ import annotations

from datetime import date

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from governance.models.body import Body
from governance.tally import rules as tally


class RuleSetQuerySet(models.QuerySet["RuleSet"]):
    def in_force(self, on: date) -> RuleSetQuerySet:
        """Of each body and subject the newest version that applies on that day."""
        begun = self.filter(since__lte=on).order_by("body_id", "subject", "-since", "-version")
        return self.filter(pk__in=begun.distinct("body_id", "subject").values("pk")).order_by(
            "body__position", "subject"
        )


class RuleSet(models.Model):
    """How a body decides a kind of question: one version, which never changes once a vote used it.

    Each rule names the clause of the bylaws it comes from. A trigger of the database refuses to
    change or delete a version that a motion was opened under.
    """

    class QuorumBase(models.TextChoices):
        FIXED = tally.QuorumBase.FIXED.value, _("all voting seats, vacant ones too")
        FILLED = tally.QuorumBase.FILLED.value, _("the seats that are filled")

    class Quorum(models.TextChoices):
        THIRD = tally.Quorum.THIRD.value, _("a third")
        HALF = tally.Quorum.HALF.value, _("half")
        MAJORITY = tally.Quorum.MAJORITY.value, _("more than half")
        TWO_THIRDS = tally.Quorum.TWO_THIRDS.value, _("two thirds")

    class PassBase(models.TextChoices):
        PRESENT = tally.PassBase.PRESENT.value, _("those present; an abstention counts against")
        CAST = tally.PassBase.CAST.value, _("votes cast, without abstentions")
        FILLED = tally.PassBase.FILLED.value, _("the seats that are filled")
        FIXED = tally.PassBase.FIXED.value, _("all voting seats, vacant ones too")

    class Threshold(models.TextChoices):
        SIMPLE = tally.Threshold.SIMPLE.value, _("more yes than no")
        STRICT = tally.Threshold.STRICT.value, _("more than half of the base")
        TWO_THIRDS = tally.Threshold.TWO_THIRDS.value, _("two thirds of the base")
        THREE_QUARTERS = tally.Threshold.THREE_QUARTERS.value, _("three quarters of the base")
        RATIO = tally.Threshold.RATIO.value, _("N times as many yes as no")

    class Tie(models.TextChoices):
        STATUS_QUO = tally.Tie.STATUS_QUO.value, _("nothing changes")
        CASTING_VOTE = tally.Tie.CASTING_VOTE.value, _("the chair has a casting vote")

    class Who(models.TextChoices):
        VOTERS = "voters", _("anyone who holds a voting seat")
        OFFICERS = "officers", _("officers who hold a voting seat")

    body = models.ForeignKey(Body, on_delete=models.PROTECT, related_name="rule_sets")
    subject = models.SlugField(_("subject"), max_length=40, help_text=_("For example “ordinary”."))
    name = models.CharField(_("name"), max_length=80)
    version = models.PositiveSmallIntegerField(_("version"), editable=False)
    since = models.DateField(_("in force since"))

    quorum_base = models.CharField(
        _("quorum is measured against"), max_length=10, choices=QuorumBase, default=QuorumBase.FIXED
    )
    quorum = models.CharField(_("quorum"), max_length=12, choices=Quorum, default=Quorum.MAJORITY)
    quorum_clause = models.CharField(_("clause of the quorum"), max_length=40)
    seats_clause = models.CharField(_("clause of the seats"), max_length=40)

    pass_base = models.CharField(
        _("yes votes are measured against"),
        max_length=10,
        choices=PassBase,
        default=PassBase.PRESENT,
    )
    threshold = models.CharField(
        _("needed"), max_length=16, choices=Threshold, default=Threshold.STRICT
    )
    ratio = models.PositiveSmallIntegerField(_("ratio N : 1"), default=1)
    minimum_yes = models.PositiveSmallIntegerField(_("yes votes needed at least"), default=1)
    pass_clause = models.CharField(_("clause of the majority"), max_length=40)

    recused_count_for_quorum = models.BooleanField(_("recused count for the quorum"), default=True)
    recused_leave_base = models.BooleanField(_("recused leave the base"), default=True)
    recused_see_no_papers = models.BooleanField(_("papers are closed to recused"), default=True)
    recusal_clause = models.CharField(_("clause of the recusal"), max_length=40)

    tie = models.CharField(_("tie"), max_length=16, choices=Tie, default=Tie.STATUS_QUO)
    tie_clause = models.CharField(_("clause of the tie"), max_length=40)

    early_close = models.BooleanField(
        _("closes early"),
        default=False,
        help_text=_("When no vote to come can change the outcome."),
    )
    minimum_hours = models.PositiveSmallIntegerField(
        _("hours a vote stays open at least"), default=0
    )
    may_open = models.CharField(
        _("may open a vote"), max_length=10, choices=Who, default=Who.VOTERS
    )
    needs_second = models.BooleanField(_("needs a second"), default=True)
    may_second = models.CharField(_("may second"), max_length=10, choices=Who, default=Who.VOTERS)
    opening_clause = models.CharField(_("clause of opening and closing"), max_length=40)

    objects = RuleSetQuerySet.as_manager()

    class Meta:
        verbose_name = _("rule set")
        verbose_name_plural = _("rule sets")
        ordering = ["body", "subject", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["body", "subject", "version"], name="rule_set_version_once"
            ),
            models.CheckConstraint(
                name="rule_set_asks_for_a_yes",
                condition=Q(ratio__gte=1) & Q(minimum_yes__gte=1),
                violation_error_message=_("Ratio and minimum are 1 or more."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.body}: {self.name}, {self.version}"

    @property
    def is_pinned(self) -> bool:
        """Whether a vote was opened under it; then it is history."""
        return self.pk is not None and self.motions.exists()

    @property
    def rules(self) -> tally.Rules:
        """The numbers that the tally counts by."""
        return tally.Rules(
            quorum_base=tally.QuorumBase(self.quorum_base),
            quorum=tally.Quorum(self.quorum),
            pass_base=tally.PassBase(self.pass_base),
            threshold=tally.Threshold(self.threshold),
            ratio=self.ratio,
            minimum_yes=self.minimum_yes,
            recused_count_for_quorum=self.recused_count_for_quorum,
            recused_leave_base=self.recused_leave_base,
            tie=tally.Tie(self.tie),
        )
