"""The provider's movements beside the ledger's entries: where they do not agree; pure.

An entry may be younger than the provider's movement (a bank payment that took two weeks), so the
provider is asked about more time than the ledger: `since` bounds what is missed on either side.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from portal.payments.arithmetic import EntryKind
from portal.payments.providers.requests import Movement

RETURNS = {EntryKind.REFUND_RETURNED.value: EntryKind.REFUND.value}


class Fault(StrEnum):
    NOT_BOOKED = "not_booked"
    NOT_THERE = "not_there"
    AMOUNT = "amount"


@dataclass(frozen=True, slots=True)
class Booked:
    """An entry of the ledger; `order` is a key that is handed back."""

    kind: str
    ref: str
    minor: int
    currency: str
    at: datetime
    order: int


@dataclass(frozen=True, slots=True)
class Found:
    """A difference: what the provider says, what we say; one of them may be missing."""

    fault: Fault
    about: Movement | Booked
    movement: Movement | None
    booked: Booked | None


Names = Callable[[Movement], Iterable[str]]


def compare(
    movements: Iterable[Movement],
    booked: Iterable[Booked],
    *,
    since: datetime,
    until: datetime,
    names: Names,
) -> Iterator[Found]:
    """Differences between `since` and `until`; `names` gives every name that a payment has."""
    ledger = {(entry.kind, entry.ref): entry for entry in booked}
    met: set[tuple[str, str]] = set()
    for movement in movements:
        entry = _entry_of(movement, ledger, names)
        if entry is not None:
            met.add((entry.kind, entry.ref))
            if (entry.minor, entry.currency) != (movement.minor, movement.currency):
                yield Found(Fault.AMOUNT, entry, movement, entry)
        elif since <= movement.at < until:
            yield Found(Fault.NOT_BOOKED, movement, movement, None)
    for key, entry in ledger.items():
        if key not in met and since <= entry.at < until and not _undone(entry, ledger):
            yield Found(Fault.NOT_THERE, entry, None, entry)


def _entry_of(
    movement: Movement, ledger: dict[tuple[str, str], Booked], names: Names
) -> Booked | None:
    direct = ledger.get((movement.kind, movement.ref))
    if direct is not None or movement.kind != EntryKind.PAYMENT:
        return direct
    known = (ledger.get((movement.kind, name)) for name in names(movement))
    return next((entry for entry in known if entry is not None), None)


def _undone(entry: Booked, ledger: dict[tuple[str, str], Booked]) -> bool:
    """A refund that came back moved nothing in the end: the provider lists none."""
    if entry.kind in RETURNS:
        return (RETURNS[entry.kind], entry.ref) in ledger
    return any(
        kind == entry.kind and (returned, entry.ref) in ledger for returned, kind in RETURNS.items()
    )
