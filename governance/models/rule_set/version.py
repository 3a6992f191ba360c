from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from governance.models.body import Body
from governance.models.rule_set.composition import CompositionRules
from governance.models.rule_set.counting import CountingRules
from governance.models.rule_set.deciding import DecidingRules
from governance.models.rule_set.meeting import MeetingRules
from governance.tally.rules import Procedure

USUAL_SUBJECT = "ordinary"


def everyday(rule_sets: Iterable[RuleSet]) -> dict[int, RuleSet]:
    """Among those in force, for each body those for everyday questions, by the body's key."""
    usual: dict[int, RuleSet] = {}
    for each in sorted(rule_sets, key=lambda rule_set: rule_set.pk):
        if each.subject == USUAL_SUBJECT:
            usual[each.body_id] = each
        usual.setdefault(each.body_id, each)
    return usual


class RuleSetQuerySet(models.QuerySet["RuleSet"]):
    def in_force(self, on: date) -> RuleSetQuerySet:
        """Of each body and subject the newest version that applies on that day."""
        begun = self.filter(since__lte=on).order_by("body_id", "subject", "-since", "-version")
        return self.filter(pk__in=begun.distinct("body_id", "subject").values("pk")).order_by(
            "body__position", "subject"
        )

    def versions(self, body: Body, subject: str) -> RuleSetQuerySet:
        """Every version of one subject, newest first."""
        return self.filter(body=body, subject=subject).order_by("-version")

    def of_body(self, body: Body, on: date) -> RuleSet | None:
        """Those in force for everyday questions: they also say how the body meets and fills seats.

        The ones for the subject `ordinary`, else the first the body was given.
        """
        return self.of_bodies([body], on).get(body.pk)

    def of_bodies(self, bodies: Iterable[Body], on: date) -> dict[int, RuleSet]:
        """The same of many bodies, by their keys."""
        return everyday(self.in_force(on).filter(body__in=bodies))


class RuleSet(CountingRules, DecidingRules, CompositionRules, MeetingRules):
    """How a body decides a kind of question: one version, which never changes once it was used.

    Each rule names the clause of the bylaws it comes from. A trigger of the database refuses to
    change or delete a version that a motion was opened or a consensus called under. The columns by
    topic, each with the property that gives it as a value without Django:

    - counting (`rules`): `quorum`, `quorum_base`, `quorum_by`; `threshold`, `ratio`, `pass_base`,
      `minimum_yes`, `per_class`; `recused_count_for_quorum`, `recused_leave_base`,
      `recused_see_no_papers`, `disinterested_majority`; `tie`.
    - discussion (`discussion`): `seconds_needed`, `may_second`, `discussion_days`,
      `discussion_restarts`, `lapses_after_weeks`.
    - the vote: `may_open`, `minimum_hours`, `early_close`.
    - written consent (`consent_rule`): `consent`, `consent_days`, `consent_notice`.
    - change of the bylaws (`bylaw_change`): `notice_days`, `public_discussion_days`,
      `member_vote`, `effective_after_days`.
    - employers (`affiliation_cap`): `cap_share`, `cap_seats`.
    - vacancies (`vacancy`): `vacancy_filled_by`, `vacancy_term`, `vacancy_days`.
    - the roll of members (`membership`): `record_days`, `activity`, `affirmation_months`.
    - meetings (`meeting_rule`): `meeting_notice_days`, `absent_may_vote`.
    """

    body = models.ForeignKey(Body, on_delete=models.PROTECT, related_name="rule_sets")
    subject = models.SlugField(_("subject"), max_length=40, help_text=_("For example “ordinary”."))
    name = models.CharField(_("name"), max_length=80)
    version = models.PositiveSmallIntegerField(_("version"), editable=False)
    since = models.DateField(_("in force since"))
    note = models.CharField(
        _("what changed, and why"),
        max_length=300,
        blank=True,
        help_text=_("Shown in the list of versions; name the resolution it follows."),
    )

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
            models.CheckConstraint(
                name="rule_set_affirmation_lasts",
                condition=Q(affirmation_months__gte=1),
                violation_error_message=_("An affirmation counts for a month or more."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.body}: {self.name}, {self.version}"

    def get_absolute_url(self) -> str:
        return reverse("governance:rule_set", args=[self.body.slug, self.subject, self.version])

    @property
    def is_pinned(self) -> bool:
        """Whether a vote or a consent was opened or a consensus called under it; then it is
        history.
        """
        return self.pk is not None and (self.motions.exists() or self.consensuses.exists())

    @property
    def procedure(self) -> Procedure:
        """Everything around the counting, as values."""
        return Procedure(
            discussion=self.discussion,
            consent=self.consent_rule,
            bylaw_change=self.bylaw_change,
            affiliation_cap=self.affiliation_cap,
            vacancy=self.vacancy,
            membership=self.membership,
            meeting=self.meeting_rule,
        )
