from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Count, F, Q
from django.utils.translation import gettext_lazy as _

from governance.models.contest import Contest


class CandidacyQuerySet(models.QuerySet["Candidacy"]):
    def accepted(self) -> CandidacyQuerySet:
        """Who said yes and did not leave, seconded or not."""
        return self.filter(accepted_at__isnull=False, left_at__isnull=True)

    def standing(self) -> CandidacyQuerySet:
        """Who accepted, has the seconds that are needed, and did not leave; by name."""
        found = self.accepted().annotate(given=Count("supports"))
        found = found.filter(given__gte=F("contest__election__seconds_needed"))
        return found.order_by("name", "pk")

    def unseconded(self) -> CandidacyQuerySet:
        """Who accepted, did not leave, and lacks seconds."""
        found = self.accepted().annotate(given=Count("supports"))
        found = found.filter(given__lt=F("contest__election__seconds_needed"))
        return found.order_by("pk")

    def on_the_ballot(self) -> CandidacyQuerySet:
        """Those whom the manifest names, in its order: who left later stays on it."""
        return self.filter(number__isnull=False).order_by("number")


class Candidacy(models.Model):
    """A person who is nominated in a contest; a candidate once they accept and are seconded."""

    class Leaving(models.TextChoices):
        DECLINED = "declined", _("declined")
        WITHDREW = "withdrew", _("withdrew")
        DISQUALIFIED = "disqualified", _("was disqualified")

    contest = models.ForeignKey(Contest, on_delete=models.PROTECT, related_name="candidacies")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="candidacies",
        verbose_name=_("person"),
    )
    name = models.CharField(_("name on the ballot"), max_length=150)
    affiliation = models.CharField(
        _("affiliation"),
        max_length=120,
        blank=True,
        help_text=_("Employer. Empty if you are independent."),
    )
    statement = models.TextField(
        _("statement"),
        blank=True,
        max_length=4000,
        help_text=_("Why you stand. Shown beside your name. Markdown, 4,000 characters at most."),
    )
    nominated_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    nominated_at = models.DateTimeField(_("nominated"))
    accepted_at = models.DateTimeField(_("accepted"), null=True)
    left_at = models.DateTimeField(_("left"), null=True)
    leaving = models.CharField(_("how"), max_length=12, choices=Leaving, blank=True)
    leaving_reason = models.CharField(_("reason"), max_length=300, blank=True)
    number = models.PositiveSmallIntegerField(_("number on the ballot"), null=True)

    objects = CandidacyQuerySet.as_manager()

    class Meta:
        verbose_name = _("candidacy")
        verbose_name_plural = _("candidacies")
        ordering = ["contest", "name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["contest", "user"], name="candidacy_once_a_contest"),
            models.UniqueConstraint(fields=["contest", "number"], name="candidacy_number_once"),
            models.CheckConstraint(
                name="candidacy_left_somehow",
                condition=Q(left_at__isnull=True, leaving="")
                | (Q(left_at__isnull=False) & ~Q(leaving="")),
            ),
            models.CheckConstraint(
                name="candidacy_disqualified_for_a_reason",
                condition=~Q(leaving="disqualified") | ~Q(leaving_reason=""),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_self_nominated(self) -> bool:
        return self.user_id == self.nominated_by_id


class Support(models.Model):
    """Somebody on the roll seconds a nomination."""

    candidacy = models.ForeignKey(Candidacy, on_delete=models.PROTECT, related_name="supports")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    given_at = models.DateTimeField(_("given"))

    class Meta:
        verbose_name = _("second of a nomination")
        verbose_name_plural = _("seconds of nominations")
        ordering = ["given_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["candidacy", "user"], name="support_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.candidacy}"
