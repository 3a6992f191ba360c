"""Servers join a private list by a word that only their administrators can make them say."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from feedback import inbox
from feedback.models import ClaimCode, ClaimedServer
from portal.accounts.models import User
from portal.lib import audit


@transaction.atomic
def make_claim_code(*, actor: User, at: dt.datetime) -> ClaimCode:
    """A code, or another one instead; servers that joined stay on the list."""
    code = inbox.new_code()
    values = {"code": code, "digest": inbox.word_digest(f"claim:{code}"), "made_at": at}
    made, _ = ClaimCode.objects.update_or_create(user=actor, defaults=values)
    audit.record(actor=actor, verb="feedback.claim_code_made", subject=made)
    return made


@transaction.atomic
def claim_server(*, digest: bytes, server_key: bytes, at: dt.datetime) -> ClaimedServer | None:
    """What a server says when it wants to join a list; None when nobody has that code."""
    code = ClaimCode.objects.select_related("user").filter(digest=digest).first()
    if code is None:
        return None
    claimed, is_new = ClaimedServer.objects.get_or_create(
        user=code.user, server_key=server_key, defaults={"claimed_at": at}
    )
    if is_new:
        audit.record(actor=code.user, verb="feedback.server_claimed", subject=claimed)
    return claimed


@transaction.atomic
def name_server(*, actor: User, server: ClaimedServer, name: str) -> None:
    """What its owner calls it; nobody else sees that."""
    server.name = name
    server.save(update_fields=["name"])


@transaction.atomic
def release_server(*, actor: User, server: ClaimedServer) -> None:
    """Take a server from the list. It counts in the statistics as before."""
    audit.record(actor=actor, verb="feedback.server_released", subject=server)
    server.delete()
