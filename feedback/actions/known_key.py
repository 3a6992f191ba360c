"""Names of variables: noted as they come, and decided by staff."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, Final

from django.db import connection, transaction

from feedback.models import MOST_KEYS, KnownKey
from portal.accounts.models import User
from portal.lib import audit

_NOTE: Final = """
    INSERT INTO feedback_knownkey AS known (name, reports, first_seen, last_seen, state)
    SELECT name, reports, %(first)s, %(last)s, 'new'
    FROM unnest(%(names)s::text[], %(reports)s::bigint[]) AS told (name, reports)
    ON CONFLICT (name) DO UPDATE SET
        reports = known.reports + excluded.reports,
        first_seen = LEAST(known.first_seen, excluded.first_seen),
        last_seen = GREATEST(known.last_seen, excluded.last_seen)
"""
# Rows that another worker has in hand are left to it.
_EVICT: Final = """
    DELETE FROM feedback_knownkey WHERE id IN (
        SELECT id FROM feedback_knownkey WHERE state = 'new'
        ORDER BY reports, last_seen, id
        LIMIT GREATEST(0, (SELECT count(*) FROM feedback_knownkey WHERE state = 'new') - %(most)s)
        FOR UPDATE SKIP LOCKED)
"""


@transaction.atomic
def note_keys(*, counted: Mapping[str, int], first: dt.date, last: dt.date) -> None:
    """Note in how many reports of these days unknown names stood.

    At most 10,000 wait for a decision: the rarest are forgotten, of equals the ones not seen for
    longest. Names that were decided on stay.
    """
    if not counted:
        return
    names = sorted(sorted(counted, key=lambda name: (-counted[name], name))[:MOST_KEYS])
    values: dict[str, Any] = {
        "names": names,
        "reports": [counted[name] for name in names],
        "first": first,
        "last": last,
        "most": MOST_KEYS,
    }
    with connection.cursor() as cursor:
        cursor.execute(_NOTE, values)
        cursor.execute(_EVICT, values)


def approve_key(*, actor: User, key: KnownKey, at: dt.datetime) -> bool:
    """From now on servers that use it are counted under its name. Whether that is new."""
    return _decide(actor, key, KnownKey.State.APPROVED, at)


def refuse_key(*, actor: User, key: KnownKey, at: dt.datetime) -> bool:
    """It is never shown, and not asked about again. Whether that is new."""
    return _decide(actor, key, KnownKey.State.REFUSED, at)


@transaction.atomic
def _decide(actor: User, key: KnownKey, state: KnownKey.State, at: dt.datetime) -> bool:
    found = KnownKey.objects.select_for_update().get(pk=key.pk)
    if found.state == state:
        return False
    before, found.state = found.state, state
    found.decided_by, found.decided_at = actor, at
    found.save(update_fields=["state", "decided_by", "decided_at"])
    audit.record(actor=actor, verb=f"feedback.key_{state.value}", subject=found, before=before)
    return True
