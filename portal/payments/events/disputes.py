"""Disputes and the money that moves with them; pure.

A question of a bank (`warning_...`) takes no money; what a dispute takes and gives back stands in
its balance transactions, or in the type of the event where it has none.
"""

from datetime import datetime

from portal.payments.events.facts import DisputeTold
from portal.payments.events.fields import (
    Thing,
    identity,
    inner,
    known,
    listed,
    moment,
    moment_or_none,
    money,
    text,
)


def read_dispute(dispute: Thing, at: datetime) -> DisputeTold:
    moved = list(listed(dispute.get("balance_transactions")))
    back = [moment(row["created"]) for row in moved if row["amount"] > 0]
    return _told(
        dispute,
        at,
        withdrawn=any(row["amount"] < 0 for row in moved) or bool(back),
        returned_at=min(back, default=None),
    )


def read_withdrawn(dispute: Thing, at: datetime) -> DisputeTold:
    told = read_dispute(dispute, at)
    return _told(dispute, at, withdrawn=True, returned_at=told.returned_at)


def read_reinstated(dispute: Thing, at: datetime) -> DisputeTold:
    told = read_dispute(dispute, at)
    return _told(dispute, at, withdrawn=True, returned_at=told.returned_at or at)


def _told(
    dispute: Thing, at: datetime, *, withdrawn: bool, returned_at: datetime | None
) -> DisputeTold:
    return DisputeTold(
        dispute_id=text(dispute["id"]),
        names=known(identity(dispute.get("payment_intent")), text(identity(dispute["charge"]))),
        state=text(dispute["status"]),
        reason=str(dispute.get("reason") or "general"),
        amount=money(dispute["amount"], dispute["currency"]),
        evidence_due_at=moment_or_none(inner(dispute, "evidence_details").get("due_by")),
        opened_at=moment(dispute["created"]),
        withdrawn=withdrawn,
        returned_at=returned_at,
        at=at,
    )
