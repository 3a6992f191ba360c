"""What releases keep of an organisation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from portal.members.belongings import Belongings
from portal.members.models import Organisation
from releases.models import EarlyNotice


def records(organisation: Organisation) -> Iterator[QuerySet[Any]]:
    """Which advisories its people were told of before everyone."""
    yield EarlyNotice.objects.filter(organisation=organisation)


BELONGINGS = Belongings(name="releases", records=records)
