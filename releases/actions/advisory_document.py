"""Signing what a public advisory says, in the form that programs load (CSAF)."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from portal.lib import audit
from releases.actions.signature import keys_that_signed
from releases.advisory import csaf_bytes, facts_of
from releases.models import Advisory, AdvisoryDocument
from releases.signing import Signer


@transaction.atomic
def sign_advisory(*, advisory_id: int, signer: Signer, at: dt.datetime) -> AdvisoryDocument | None:
    """Keep the newest revision with its signature; nothing when it has one, or is not public."""
    rows = Advisory.objects.select_for_update(skip_locked=True, of=["self"])
    advisory = rows.filter(pk=advisory_id).unsigned(at).first()
    if advisory is None:
        return None
    (facts,) = facts_of([Advisory.objects.with_ranges().get(pk=advisory.pk)], at=at)
    text = csaf_bytes(facts)
    signature = signer.sign_advisory(advisory.identifier, text)
    keys_that_signed(signature.encode(), signer=signer)
    document = AdvisoryDocument.objects.create(
        advisory=advisory,
        number=facts.revisions[-1].number,
        text=text.decode(),
        signature=signature,
        signed_at=at,
    )
    audit.record(actor=None, verb="advisory.sign", subject=advisory, revision=document.number)
    return document
