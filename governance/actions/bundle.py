"""Having the list of what was decided signed."""

from datetime import datetime

from django.db import connection, transaction

from governance import clock
from governance.bundle import archive, check_bundle
from governance.models import Bundle, Record
from governance.sections import handout
from portal.lib import audit
from releases.actions.signature import remember_keys
from releases.models import SigningKey
from releases.signing import Signer


class UnsoundError(Exception):
    """What is to be signed does not pass its own check: nothing was kept. The message says why."""


@transaction.atomic
def sign_bundle(*, signer: Signer, at: datetime | None = None) -> Bundle | None:
    """Have the list of all records signed, and keep it; nothing when it is signed already.

    What comes back is checked as anybody would check it, before anybody gets it. Raises
    UnsoundError, and what the signer raises.
    """
    with connection.cursor() as cursor:
        cursor.execute("LOCK TABLE governance_bundle IN SHARE ROW EXCLUSIVE MODE")
    remember_keys(signer=signer)
    last = Record.objects.newest()
    key = SigningKey.objects.of_decisions().filter(state=SigningKey.State.ACTIVE).last()
    if last is None or key is None:
        return None
    beside = handout.beside(key)
    if _is_signed(last, handout.digest(beside)):
        return None
    moment = clock.now(at).replace(microsecond=0)
    bundle = _signed(signer, key, beside, moment)
    Bundle.objects.exclude(pk=bundle.pk).filter(packed__isnull=False).update(packed=None)
    audit.record(
        actor=None, verb="bundle.signed", subject=bundle, size=bundle.size, head=bundle.head
    )
    return bundle


def _is_signed(last: Record, beside_sha256: str) -> bool:
    """Whether the newest bundle ends with that record, with the same beside."""
    newest = Bundle.objects.newest_first().defer("packed", "manifest").first()
    if newest is None:
        return False
    signed = (newest.size, newest.head, newest.beside_sha256)
    return signed == (last.number, last.head, beside_sha256)


def _signed(signer: Signer, key: SigningKey, beside: dict[str, bytes], at: datetime) -> Bundle:
    """The whole bundle; kept only if it is sound."""
    records = list(Record.objects.order_by("number"))
    files, manifest = handout.unsigned(records, beside, at)
    signature = signer.sign_decisions(manifest)
    files |= {"manifest.json": manifest, "manifest.json.asc": signature.encode()}
    if problems := list(check_bundle.problems(files, fingerprint=key.fingerprint)):
        raise UnsoundError("; ".join(problems))
    return Bundle.objects.create(
        size=len(records),
        head=records[-1].head,
        manifest=manifest.decode(),
        beside_sha256=handout.digest(beside),
        signature=signature,
        key=key,
        signed_at=at,
        packed=archive.pack(files),
    )
