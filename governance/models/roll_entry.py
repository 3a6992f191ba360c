from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from governance.models.contest import Contest


class RollEntryQuerySet(models.QuerySet["RollEntry"]):
    def standing(self) -> RollEntryQuerySet:
        """Those who may vote: not taken off by an objection. In the order of their numbers, once
        they have them, else of their names.
        """
        found = self.filter(removed_at__isnull=True).select_related("contest")
        return found.order_by("contest__number", "number", "name", "pk")

    def of(self, user: models.Model) -> RollEntryQuerySet:
        return self.standing().filter(voter_id=user.pk)


class RollEntry(models.Model):
    """One vote in a contest: whose it is, who casts it, and why, as it was on the record date.

    Drawn from the register of members; changed only by rulings on objections, until the manifest
    is written, which gives the numbers.
    """

    contest = models.ForeignKey(Contest, on_delete=models.PROTECT, related_name="roll")
    key = models.CharField(_("whose vote"), max_length=120)  # as the register names it
    name = models.CharField(_("name"), max_length=200)
    organisation = models.ForeignKey(
        "members.Organisation", on_delete=models.PROTECT, null=True, related_name="+"
    )
    voter = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="roll_entries",
        verbose_name=_("voter"),
    )
    voter_name = models.CharField(_("name of the voter"), max_length=150)
    reasons = models.JSONField(_("why"), default=list)
    added_by_objection = models.BooleanField(_("added by a ruling"), default=False)
    removed_at = models.DateTimeField(_("taken off"), null=True)
    number = models.PositiveIntegerField(_("number on the roll"), null=True)

    objects = RollEntryQuerySet.as_manager()

    class Meta:
        verbose_name = _("entry of an electoral roll")
        verbose_name_plural = _("entries of electoral rolls")
        ordering = ["contest", "number", "name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["contest", "key"], name="roll_entry_once"),
            models.UniqueConstraint(fields=["contest", "number"], name="roll_entry_number_once"),
            models.CheckConstraint(
                name="roll_entry_removed_has_no_number",
                condition=Q(removed_at__isnull=True) | Q(number__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        """Whose vote it is, and for an organisation who casts it."""
        if self.name == self.voter_name:
            return self.name
        return f"{self.name} ({self.voter_name})"


class Credential(models.Model):
    """The voter of this entry was given the one signature that lets a pseudonym vote.

    Which pseudonym, nobody knows but the voter. No time is kept: it could be compared with blocks.
    In a confidential election: that they voted.
    """

    entry = models.OneToOneField(RollEntry, on_delete=models.PROTECT, related_name="credential")

    class Meta:
        verbose_name = _("credential")
        verbose_name_plural = _("credentials")
        ordering = ["entry"]

    def __str__(self) -> str:
        return str(self.entry)
