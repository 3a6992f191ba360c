from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from governance.models.roll_entry import RollEntry


class ConfidentialBallotQuerySet(models.QuerySet["ConfidentialBallot"]):
    def of(self, election: models.Model) -> ConfidentialBallotQuerySet:
        return self.filter(entry__contest__election=election.pk)


class ConfidentialBallot(models.Model):
    """How a voter of a confidential election votes, until it is counted.

    The count keeps the papers, and these rows go: a trigger of the database lets them change while
    votes are taken, and go only after that. That somebody took part stays, as their `Credential`.
    """

    entry = models.OneToOneField(
        RollEntry, on_delete=models.PROTECT, related_name="confidential_ballot"
    )
    paper = models.BinaryField(_("paper"))
    digest = models.CharField(_("name of its line"), max_length=64, unique=True)

    objects = ConfidentialBallotQuerySet.as_manager()

    class Meta:
        verbose_name = _("confidential ballot")
        verbose_name_plural = _("confidential ballots")
        ordering = ["digest"]
        constraints = [
            models.CheckConstraint(
                name="confidential_ballot_has_a_name", condition=Q(digest__regex=r"^[0-9a-f]{64}$")
            ),
        ]

    def __str__(self) -> str:
        return self.digest
