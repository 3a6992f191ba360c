"""New revisions of public advisories, because a person or a release changed what they say.

What they say of a series is read before a release is published, withdrawn or offered again, and
after it: an advisory whose text is another one then tells so in its history. The rows are locked
between the two, so that nothing is missed and no number is given twice.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import languages
from releases.advisories.facts import Range
from releases.advisory import ranges_of
from releases.models import Advisory, AdvisoryRevision, Series


@dataclass(frozen=True, slots=True)
class Said:
    """What public advisories said of a series at a moment, by their numbers."""

    series: Series
    ranges: dict[int, Range] = field(default_factory=dict)


def said_of(*, series: Series, at: dt.datetime) -> Said:
    """What they say; nobody changes them until the transaction ends. Call it before the release is
    locked, as whoever writes an advisory locks that first.
    """
    public = Advisory.objects.published(at).filter(ranges__series=series)
    locked = list(public.select_for_update(of=["self"]).order_by("pk").values_list("pk", flat=True))
    return Said(series, ranges_of(series, locked, at=at))


def revise_advisories(*, actor: User | None, said: Said, at: dt.datetime) -> list[Advisory]:
    """A revision for each advisory that says something else of the series now."""
    now = ranges_of(said.series, list(said.ranges), at=at)
    changed = [number for number, before in said.ranges.items() if now[number] != before]
    advisories = list(Advisory.objects.filter(pk__in=changed).order_by("pk"))
    for advisory in advisories:
        with languages.of_record():
            words = " ".join(_differences(said.ranges[advisory.pk], now[advisory.pk]))
        add_revision(advisory=advisory, actor=actor, at=at, summary=words)
        advisory.modified_at = max(at, advisory.modified_at)
        advisory.save(update_fields=["modified_at"])
    return advisories


def add_revision(
    *, advisory: Advisory, actor: User | None, at: dt.datetime, summary: str
) -> AdvisoryRevision:
    """The next line of the history; the caller has locked the advisory."""
    last = advisory.revisions.order_by("number").last()
    return AdvisoryRevision.objects.create(
        advisory=advisory,
        number=last.number + 1 if last else 1,
        at=max(at, last.at) if last else at,
        by=actor,
        summary=summary[:200],
    )


def _differences(before: Range, after: Range) -> Iterator[str]:
    affected = [found for found in after.affected if found not in before.affected]
    if affected:
        yield _("Affected too: %(versions)s.") % {"versions": ", ".join(affected)}
    if before.fixed != after.fixed:
        yield _("Fixed in %(version)s.") % {"version": after.fixed}
    if before.install != after.install:
        yield (
            _("The release to install is %(version)s.") % {"version": after.install}
            if after.install
            else _("%(version)s, which has the fix, was withdrawn.") % {"version": after.fixed}
        )
