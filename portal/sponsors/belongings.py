"""What sponsorships keep of an organisation."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from django.db.models import QuerySet

from portal.members.belongings import Belongings, File
from portal.members.models import Organisation
from portal.sponsors import agreement_pdf
from portal.sponsors.models import Application, RenewalNotice


def letters(organisation: Organisation) -> Iterator[str]:
    """Those of its applications, from before it was an organisation."""
    for reference in organisation.applications.values_list("reference", flat=True):
        yield f"application:{reference}"


def orders(organisation: Organisation) -> Iterator[int]:
    """Those of its applications, also of the ones that nobody paid."""
    placed = organisation.applications.filter(order__isnull=False)
    yield from placed.values_list("order_id", flat=True)


def records(organisation: Organisation) -> Iterator[QuerySet[Any]]:
    yield Application.objects.filter(organisation=organisation)
    yield RenewalNotice.objects.filter(term__organisation=organisation)


def files(organisation: Organisation) -> Iterator[File]:
    """The agreements that were accepted for it."""
    accepted = organisation.applications.filter(agreement__isnull=False)
    for application in accepted.select_related("agreement"):
        path = f"agreements/{application.accepted_at:%Y-%m-%d}-{application.reference}.pdf"
        yield path, partial(agreement_pdf.write, application)


BELONGINGS = Belongings(
    name="sponsors",
    letters=letters,
    orders=orders,
    records=records,
    files=files,
)
