"""Naming who holds the keys of an election, and what comes from their browsers."""

import re
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import TypeVar

from cryptography.hazmat.primitives.asymmetric import ec
from django.db import transaction
from django.utils.translation import gettext as _

from governance import clock
from governance.actions.election import locked
from governance.elections import keeping_keys, key_letters, running
from governance.models import Election, ElectionOfficer, Scrutineer
from governance.refusals import Refusal, allowed
from governance.sealed.envelope import CURVE, POINT
from governance.sealed.wire import WireError, to_bytes
from portal.accounts.models import User
from portal.lib import audit

Holder = Scrutineer | ElectionOfficer
AnyHolder = TypeVar("AnyHolder", Scrutineer, ElectionOfficer)
_HEX32 = re.compile(r"[0-9a-f]{64}")


@transaction.atomic
def name_keyholders(
    *,
    actor: User,
    election: Election,
    scrutineers: Sequence[User],
    officers: Sequence[User],
    at: datetime | None = None,
) -> Election:
    """Who holds keys. Another list of scrutineers asks for another split of the key."""
    election = locked(election)
    allowed(running.not_to_edit(actor, election, clock.now(at)))
    if set(scrutineers) & set(officers):
        raise Refusal(_("An officer is no scrutineer as well: name different people."))
    allowed(keeping_keys.not_to_hold(election, [*scrutineers, *officers]))
    if _name(election, Scrutineer, scrutineers):
        _forget_shares(election)
    _name(election, ElectionOfficer, officers)
    key_letters.named(
        election,
        election.scrutineers.filter(key="").select_related("user"),
        election.officers.filter(key="").select_related("user"),
    )
    audit.record(
        actor=actor,
        verb="election.keyholders_named",
        subject=election,
        scrutineers=[each.pk for each in scrutineers],
        officers=[each.pk for each in officers],
    )
    return election


@transaction.atomic
def make_key(
    *,
    actor: User,
    holder: AnyHolder,
    key: str,
    nonce_sha256: str = "",
    at: datetime | None = None,
) -> AnyHolder:
    """Keep the public half of a key; of an officer also the hash of the hidden number."""
    holder, moment = locked_holder(holder, at)
    allowed(keeping_keys.not_to_make_key(holder, actor))
    check_point(key)
    holder.key, holder.key_at = key, moment
    if isinstance(holder, ElectionOfficer):
        if not _HEX32.fullmatch(nonce_sha256):
            raise Refusal(_("The hash of the hidden number is missing. Reload the page."))
        holder.nonce_sha256 = nonce_sha256
    holder.save()
    audit.record(actor=actor, verb="keyholder.made_key", subject=holder)
    return holder


@transaction.atomic
def tell_nonce(
    *, actor: User, officer: ElectionOfficer, nonce: str, at: datetime | None = None
) -> ElectionOfficer:
    """After the close: the hidden number that goes into the lot."""
    holder, moment = locked_holder(officer, at)
    allowed(keeping_keys.not_to_tell(holder, actor))
    is_hex = _HEX32.fullmatch(nonce)
    if not is_hex or sha256(bytes.fromhex(nonce)).hexdigest() != holder.nonce_sha256:
        raise Refusal(_("This is not the number whose hash stands in the manifest."))
    holder.nonce, holder.told_at = nonce, moment
    holder.save(update_fields=["nonce", "told_at"])
    audit.record(actor=actor, verb="keyholder.told_nonce", subject=holder)
    return holder


def _name(election: Election, model: type[Holder], people: Sequence[User]) -> bool:
    """Whether the list is another than before."""
    rows = model._default_manager.filter(election=election)
    before = list(rows.order_by("place").values_list("user_id", flat=True))
    if before == [person.pk for person in people]:
        return False
    rows.delete()
    for place, person in enumerate(people, start=1):
        model._default_manager.create(election=election, place=place, user=person, name=str(person))
    return True


def _forget_shares(election: Election) -> None:
    election.election_key = ""
    election.save(update_fields=["election_key"])


def locked_holder(holder: AnyHolder, at: datetime | None) -> tuple[AnyHolder, datetime]:
    """The holder with the election, whose row is ours from now on, and the moment after that."""
    election = locked(holder.election)
    fresh = type(holder)._default_manager.get(pk=holder.pk)
    fresh.election = election
    return fresh, clock.now(at)


def check_point(key: str) -> None:
    try:
        point = to_bytes(key)
        if len(point) != POINT:
            raise ValueError("a point of P-256 has 65 bytes")
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)
    except (WireError, ValueError) as error:
        raise Refusal(_("This is no public key. Reload the page and try again.")) from error
