"""The demonstration's advisories: two that are public, and one under embargo."""

from __future__ import annotations

import datetime as dt
from typing import Final

from portal.accounts import demonstration as people
from releases.actions.advisory import Span, Statement, draft_advisory, publish_advisory
from releases.demonstration_plan import SERVER
from releases.models import Advisory, Release, Series

SERIES: Final = Series.objects.select_related("product").filter(product__slug=SERVER, name="11.8")
COLLATION: Final = """\
A user who may create tables can stop the server with a crafted collation name. No data is read or
changed; the server starts again by itself where a supervisor watches it.

Until you can update, revoke `CREATE` from accounts that do not need it.
"""
FILES: Final = """\
Temporary files of large sorts could be read by other accounts of the same machine. They may hold
rows of any table that was sorted.

Set `tmpdir` to a folder that only the account of the server may open.
"""
AUDIT: Final = """\
Under rare timing a query of an account whose rights are being revoked is still answered once.
"""


def load(*, at: dt.datetime) -> None:
    """Two faults that 11.8.9 fixes."""
    if Advisory.objects.exists() or not SERIES.exists():
        return
    _publish(
        at - dt.timedelta(days=2),
        summary="A crafted collation name can stop the server",
        details=COLLATION,
        vector="CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:H",
        cve_ids=["CVE-2026-90001"],
        credits=["Grace Okafor"],
    )
    _publish(
        at - dt.timedelta(days=1),
        summary="Temporary files can be read by other accounts of the machine",
        details=FILES,
        vector="CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:C/C:H/I:N/A:N",
        cve_ids=["CVE-2026-90002"],
        references=["https://issues.example.org/exampledb/4711"],
    )


def load_embargoed(*, at: dt.datetime) -> None:
    """One that becomes public in two weeks."""
    if Advisory.objects.filter(published_at__gt=at).exists() or not SERIES.exists():
        return
    advisory = _draft(
        at,
        summary="A revoked right can be used once more",
        details=AUDIT,
        vector="CVSS:3.1/AV:N/AC:H/PR:L/UI:N/S:U/C:H/I:N/A:N",
        fixed=None,
    )
    later = at + dt.timedelta(days=14)
    publish_advisory(actor=people.person(people.DANA), advisory=advisory, at=at, public_from=later)


def _publish(at: dt.datetime, **said: object) -> None:
    fixed = (
        Release.objects.filter(series__in=SERIES.all(), published_at__lte=at).newest_first().first()
    )
    advisory = _draft(at, fixed=fixed, **said)
    publish_advisory(actor=people.person(people.DANA), advisory=advisory, at=at)


def _draft(at: dt.datetime, *, fixed: Release | None, **said: object) -> Advisory:
    series = SERIES.get()
    spans = [Span(series, "", fixed)]
    statement = Statement(spans=spans, **said)  # type: ignore[arg-type]
    return draft_advisory(
        actor=people.person(people.DANA), product=series.product, statement=statement, at=at
    )
