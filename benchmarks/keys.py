"""What opens a run for whoever sent it without an account: to read, to delete, to claim."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse

from benchmarks.models import Run, State
from benchmarks.models.run import WAITS
from portal.lib import links

READING: Final = "benchmarks.run"
DELETING: Final = "benchmarks.delete"


def opened_by(key: str) -> str:
    """The run id that a key opens; empty when it opens none."""
    return links.unsign(key, purpose=READING, max_age=WAITS) or ""


def deleted_by(key: str) -> str:
    """The run id that a key may delete; empty when it is none."""
    return links.unsign(key, purpose=DELETING, max_age=WAITS) or ""


def address_of(run: Run) -> str:
    """The page of a run, with the key while it waits and nobody has signed for it."""
    address = run.get_absolute_url()
    if run.state == State.QUARANTINE and run.uploader_id is None:
        return f"{address}?{urlencode({'key': links.sign(str(run.uid), purpose=READING)})}"
    return address


def deletion_of(run: Run) -> str:
    """The page where whoever sent a run without an account takes it away again."""
    key = links.sign(str(run.uid), purpose=DELETING)
    return f"{reverse('benchmarks:delete', args=[run.uid])}?{urlencode({'key': key})}"


def claim_of(run: Run, token: str) -> str:
    """The page where the sender makes the run the one of an account. Good once."""
    return f"{reverse('benchmarks:claim', args=[run.uid])}?{urlencode({'token': token})}"


def new_claim() -> str:
    return secrets.token_urlsafe(24)


def hashed(token: str) -> str:
    """What is kept of a claim token."""
    return hashlib.sha256(token.encode()).hexdigest()


def fits(token: str, kept: str) -> bool:
    return bool(kept) and hmac.compare_digest(hashed(token), kept)
