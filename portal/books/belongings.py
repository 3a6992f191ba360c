"""What the books keep of an organisation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from portal.books.models import RefundRequest
from portal.members.belongings import Belongings
from portal.members.models import Organisation
from portal.members.papers import orders_of


def records(organisation: Organisation) -> Iterator[QuerySet[Any]]:
    """The refunds that were asked for, with their reasons."""
    yield RefundRequest.objects.filter(order__in=orders_of(organisation))


BELONGINGS = Belongings(name="books", records=records)
