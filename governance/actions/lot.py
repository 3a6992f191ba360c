"""Fixing the lot of a vote before anybody votes."""

import secrets

from governance.models import Lot, Motion
from governance.tally import lot
from governance.tally.rules import Tie


def commit_lot(*, motion: Motion) -> Lot | None:
    """Draw the nonce of a vote that is being opened, if its rules break a tie by lot.

    The caller opens the motion in the same transaction and writes the audit row.
    """
    if motion.rule_set is None or motion.rule_set.tie != Tie.LOT:
        return None
    nonce = secrets.token_bytes(lot.NONCE_BYTES)
    return Lot.objects.create(motion=motion, nonce=nonce.hex(), commitment=lot.commitment(nonce))
