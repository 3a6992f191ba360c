"""What governance keeps of an organisation: who works for it, how it voted and signed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from governance.models import Affiliation, RollEntry, RosterSeat, Signature, Vote
from portal.members.belongings import Belongings
from portal.members.models import Organisation


def records(organisation: Organisation) -> Iterator[QuerySet[Any]]:
    yield Affiliation.objects.filter(organisation=organisation)
    yield RosterSeat.objects.filter(organisation=organisation)
    yield RollEntry.objects.filter(organisation=organisation)
    yield Vote.objects.filter(voter__organisation=organisation)
    yield Signature.objects.filter(voter__organisation=organisation)


ELSEWHERE = {
    "governance.credential": "whether a voter took part is the voter's own affair",
    "governance.confidentialballot": "how a voter votes is the voter's own affair",
}
BELONGINGS = Belongings(name="governance", records=records, elsewhere=ELSEWHERE)
