from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from governance.models.declaration import Declaration, DeclarationQuerySet
from portal.members.models import Organisation


class AffiliationQuerySet(DeclarationQuerySet["Affiliation"]):
    def of_each(self, users: Iterable[int], on: date) -> dict[int, list[Affiliation]]:
        """For each of these people what they declared for that day, in one query."""
        found: dict[int, list[Affiliation]] = defaultdict(list)
        declared = self.on(on).filter(user__in=list(users)).select_related("organisation")
        for affiliation in declared.order_by("since", "pk"):
            found[affiliation.user_id].append(affiliation)
        return found


class Affiliation(Declaration):
    """For whom a person works, or that they are independent."""

    class Relation(models.TextChoices):
        EMPLOYEE = "employee", _("employed by")
        CONTRACTOR = "contractor", _("works on contract for")
        OWNER = "owner", _("owns a part of")
        BOARD = "board", _("sits on a body of")
        INDEPENDENT = "independent", _("independent")

    relation = models.CharField(
        _("relation"), max_length=12, choices=Relation, default=Relation.EMPLOYEE
    )
    organisation = models.ForeignKey(
        Organisation,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="affiliations",
        verbose_name=_("organisation"),
    )
    name = models.CharField(_("name of the organisation"), max_length=120, blank=True)

    objects: ClassVar[AffiliationQuerySet] = AffiliationQuerySet.as_manager()  # type: ignore[assignment]

    class Meta(Declaration.Meta):
        verbose_name = _("affiliation")
        verbose_name_plural = _("affiliations")
        constraints = [
            *Declaration.Meta.constraints,
            models.CheckConstraint(
                name="affiliation_names_an_organisation",
                condition=(Q(relation="independent", organisation__isnull=True, name=""))
                | (~Q(relation="independent") & ~Q(name="")),
                violation_error_message=_("Name the organisation, or choose “independent”."),
            ),
        ]

    def __str__(self) -> str:
        return self.employer

    def get_absolute_url(self) -> str:
        """Where it is ended or taken back."""
        return reverse("governance:affiliation", args=[self.pk])

    @property
    def employer(self) -> str:
        """As it is shown: the organisation's present name, or what was written."""
        if self.relation == self.Relation.INDEPENDENT:
            return str(_("Independent"))
        return self.organisation.name if self.organisation else self.name

    @property
    def counts_for_caps(self) -> bool:
        """Whether the person's seat is one of this employer's, where a share is limited."""
        return self.relation in {
            self.Relation.EMPLOYEE,
            self.Relation.CONTRACTOR,
            self.Relation.OWNER,
        }
