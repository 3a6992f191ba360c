"""Writing the set-up script anew when what is published has changed, and signing it."""

from __future__ import annotations

import datetime as dt
import hashlib
from pathlib import Path

from django.db import connection, transaction

from portal.lib import audit
from releases import repo_setup, store
from releases.choices.overview import tables
from releases.models import SetupScript
from releases.signing import Signer

LOCK = 0x5E7_09  # of the transaction that writes: two workers write once


@transaction.atomic
def write_setup_script(*, at: dt.datetime) -> SetupScript | None:
    """The script as it has to be now, if it differs from the last one or from its day's body."""
    found = tables(at=at)
    if not found.places:
        return None
    situation = _digest(repo_setup.render(found, ""))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
    last = SetupScript.objects.order_by("-pk").first()
    if last is not None and last.situation == situation:
        return None
    version = _next_version(at.date())
    text = repo_setup.render(found, version)
    script = SetupScript.objects.create(
        version=version, text=text, sha256=_digest(text), situation=situation, made_at=at
    )
    audit.record(actor=None, verb="setup_script.write", subject=script, sha256=script.sha256)
    return script


@transaction.atomic
def sign_setup_script(*, script_id: int, signer: Signer) -> None:
    """With the key of plain files, as every download."""
    script = (
        SetupScript.objects.unsigned()
        .select_for_update(skip_locked=True)
        .filter(pk=script_id)
        .first()
    )
    if script is None:
        return
    with store.scratch() as file:
        file.write(script.text.encode())
        file.flush()
        script.signature = signer.sign_file(Path(file.name))
    script.save(update_fields=["signature"])


def _next_version(day: dt.date) -> str:
    """The day, and from the second one of a day on a number."""
    known = SetupScript.objects.filter(version__startswith=day.isoformat()).count()
    return f"{day.isoformat()}.{known + 1}" if known else day.isoformat()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
