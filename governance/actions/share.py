"""The shares of an election key: given out sealed, checked by who holds them, told after the close.

The key is made and split in the browser of who runs the election; what comes here opens nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from governance import clock
from governance.actions.election import locked
from governance.actions.keyholder import check_point, locked_holder
from governance.elections import keeping_keys, key_letters, running
from governance.models import Election, Scrutineer
from governance.refusals import Refusal, allowed
from governance.sealed import sharing
from portal.accounts.models import User
from portal.lib import audit

_HEX32 = re.compile(r"[0-9a-f]{64}")
_LARGEST = 1000  # characters of a sealed share


@dataclass(frozen=True, slots=True)
class Dealt:
    """What is for one scrutineer: sealed to their key, and what everybody sees of it."""

    sealed_share: str
    commitment: str


@transaction.atomic
def deal_shares(
    *,
    actor: User,
    election: Election,
    election_key: str,
    shares: Sequence[Dealt],
    at: datetime | None = None,
) -> Election:
    """Keep the public election key and what was sealed to each scrutineer, in their order."""
    election = locked(election)
    moment = clock.now(at)
    allowed(running.not_to_edit(actor, election, moment))
    allowed(keeping_keys.not_to_deal(election))
    check_point(election_key)
    scrutineers = list(election.scrutineers.order_by("place"))
    if len(shares) != len(scrutineers):
        raise Refusal(_("There is not one share for each scrutineer. Reload the page."))
    for scrutineer, dealt in zip(scrutineers, shares, strict=True):
        _check_dealt(dealt)
        scrutineer.sealed_share, scrutineer.commitment = dealt.sealed_share, dealt.commitment
        scrutineer.confirmed_at = None
        scrutineer.save()
    election.election_key = election_key
    election.save(update_fields=["election_key"])
    key_letters.dealt(election)
    audit.record(actor=actor, verb="election.shares_dealt", subject=election, at=moment.isoformat())
    return election


@transaction.atomic
def confirm_share(
    *, actor: User, scrutineer: Scrutineer, commitment: str, at: datetime | None = None
) -> Scrutineer:
    """The scrutineer opened the share with their file and found it to be the one committed to."""
    holder, moment = locked_holder(scrutineer, at)
    if holder.user_id != actor.pk or holder.election.state != Election.State.ANNOUNCED:
        raise Refusal(_("This share is not yours to check now."))
    if not holder.commitment or commitment != holder.commitment:
        raise Refusal(_("This is not the share that was given out to you."))
    holder.confirmed_at = moment
    holder.save(update_fields=["confirmed_at"])
    audit.record(actor=actor, verb="keyholder.confirmed_share", subject=holder)
    return holder


@transaction.atomic
def tell_share(
    *, actor: User, scrutineer: Scrutineer, share: str, salt: str, at: datetime | None = None
) -> Scrutineer:
    """After the close: the share itself, for everybody. A wrong one is known by its commitment."""
    holder, moment = locked_holder(scrutineer, at)
    allowed(keeping_keys.not_to_tell(holder, actor))
    if share_of(holder.place, share, salt).commitment != holder.commitment:
        raise Refusal(_("This is not the share that was given out to you."))
    holder.share, holder.salt, holder.opened_at = share, salt, moment
    holder.save(update_fields=["share", "salt", "opened_at"])
    audit.record(actor=actor, verb="keyholder.told_share", subject=holder)
    return holder


def share_of(place: int, share: str, salt: str) -> sharing.Share:
    """The share from its texts. Raises Refusal for what is none."""
    try:
        return sharing.Share(place, int(share, 16), bytes.fromhex(salt))
    except (ValueError, OverflowError) as error:
        raise Refusal(_("This is no share.")) from error


def _check_dealt(dealt: Dealt) -> None:
    if not _HEX32.fullmatch(dealt.commitment) or not 0 < len(dealt.sealed_share) <= _LARGEST:
        raise Refusal(_("A share is not sealed as it has to be. Reload the page."))
