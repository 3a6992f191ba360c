"""Rows of the provider's lists as movements of money; pure."""

from collections.abc import Iterator
from typing import Any

from portal.payments.arithmetic import EntryKind
from portal.payments.events.fields import Thing, identity, known, listed, moment, text
from portal.payments.providers.requests import Movement

GONE = {"failed", "canceled"}


def of_charge(charge: Thing) -> Iterator[Movement]:
    if charge.get("paid") and charge.get("status") == "succeeded":
        names = _names(charge, text(charge["id"]))
        yield Movement(EntryKind.PAYMENT, names[0], names, charge["amount"], **_common(charge))


def of_refund(refund: Thing) -> Iterator[Movement]:
    """One that failed moved nothing in the end; the ledger says the same with two entries."""
    if refund.get("status") not in GONE:
        names = _names(refund, identity(refund.get("charge")))
        yield Movement(
            EntryKind.REFUND, text(refund["id"]), names, -refund["amount"], **_common(refund)
        )


def of_dispute(dispute: Thing) -> Iterator[Movement]:
    """What a dispute took and what came back; a bank's question moves nothing."""
    names = _names(dispute, identity(dispute.get("charge")))
    rows = list(listed(dispute.get("balance_transactions")))
    for kind, sign in [(EntryKind.DISPUTE, -1), (EntryKind.DISPUTE_RETURNED, 1)]:
        moved = next((row for row in rows if row["amount"] * sign > 0), None)
        if moved is not None:
            common = _common(dispute) | {"at": moment(moved["created"])}
            yield Movement(kind, text(dispute["id"]), names, sign * dispute["amount"], **common)


def _names(thing: Thing, own: str) -> tuple[str, ...]:
    return known(identity(thing.get("payment_intent")), own)


def _common(thing: Thing) -> dict[str, Any]:
    return {
        "currency": str(thing["currency"]).upper(),
        "at": moment(thing["created"]),
        "description": str(thing.get("description") or thing.get("reason") or ""),
    }
