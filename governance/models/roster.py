from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class RosterSeat(models.Model):
    """A voting seat as it was when a vote opened: who may vote, under which name.

    Where contributors or corporate members vote it is a place on their roll instead: it has no
    seat, and the organisation for which the person speaks, if any. Later changes of seats and rolls
    do not change it; a trigger of the database refuses any edit.
    """

    motion = models.ForeignKey("governance.Motion", on_delete=models.PROTECT, related_name="roster")
    seat = models.ForeignKey(
        "governance.Seat", on_delete=models.PROTECT, null=True, related_name="+"
    )
    organisation = models.ForeignKey(
        "members.Organisation",
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("organisation"),
    )
    number = models.PositiveIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("voter"),
    )
    name = models.CharField(_("name"), max_length=150, blank=True)
    affiliation = models.CharField(_("affiliation"), max_length=120, blank=True)
    constituency = models.CharField(
        _("constituency"),
        max_length=20,
        blank=True,
        help_text=_("Asked by rules with a majority per constituency."),
    )
    has_casting_vote = models.BooleanField(_("has the casting vote"), default=False)

    class Meta:
        verbose_name = _("seat on the roster")
        verbose_name_plural = _("roster")
        ordering = ["motion", "number"]
        constraints = [
            models.UniqueConstraint(fields=["motion", "seat"], name="roster_seat_once"),
            models.UniqueConstraint(fields=["motion", "number"], name="roster_number_once"),
            models.UniqueConstraint(
                fields=["motion", "user"],
                condition=Q(organisation__isnull=True),
                name="roster_voter_once",
            ),
            models.UniqueConstraint(
                fields=["motion", "organisation"], name="roster_organisation_once"
            ),
            models.CheckConstraint(
                name="roster_seat_or_organisation",
                condition=Q(seat__isnull=True) | Q(organisation__isnull=True),
            ),
            models.CheckConstraint(
                name="roster_vacant_has_no_name",
                condition=(Q(user__isnull=True) & Q(name=""))
                | (Q(user__isnull=False) & ~Q(name="")),
            ),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        return voter_label(self.name, self.affiliation, self.organisation_id)


def voter_label(name: str, affiliation: str, organisation: int | None) -> str:
    """Who votes here, in words: a person, or an organisation and who speaks for it."""
    return f"{affiliation} ({name})" if organisation is not None else name or str(_("vacant"))
