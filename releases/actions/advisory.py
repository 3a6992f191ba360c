"""Writing an advisory, making it public, withdrawing it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit, languages
from releases import version as versions
from releases.actions.advisory_revision import add_revision
from releases.actions.repository import queue_publication
from releases.advisories import severity
from releases.errors import RefusedError
from releases.models import (
    Advisory,
    AffectedRange,
    Product,
    Publication,
    Release,
    Repository,
    Series,
)

CVE: Final = re.compile(r"CVE-[0-9]{4}-[0-9]{4,19}")
LATEST: Final = dt.timedelta(days=366)


@dataclass(frozen=True, slots=True)
class Span:
    """Which releases of a series have the fault; `introduced` "" means from its first."""

    series: Series
    introduced: str = ""
    fixed: Release | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """What an advisory says."""

    summary: str
    details: str
    vector: str
    spans: Sequence[Span]
    cve_ids: Sequence[str] = field(default_factory=tuple)
    references: Sequence[str] = field(default_factory=tuple)
    credits: Sequence[str] = field(default_factory=tuple)


@transaction.atomic
def draft_advisory(
    *, actor: User | None, product: Product, statement: Statement, at: dt.datetime
) -> Advisory:
    """An advisory that only the managers of the product see, with the next number of the year."""
    Product.objects.select_for_update().get(pk=product.pk)
    advisory = Advisory(
        product=product,
        identifier=_next_identifier(product, at.year),
        created_by=actor,
        modified_at=at,
    )
    _write(advisory, statement)
    audit.record(actor=actor, verb="advisory.draft", subject=advisory)
    return advisory


@transaction.atomic
def change_advisory(
    *, actor: User, advisory: Advisory, statement: Statement, at: dt.datetime, reason: str = ""
) -> Advisory:
    """Say something else. What is public keeps a history, with the reason of each change."""
    locked = _locked(advisory)
    if locked.is_published(at):
        if not reason.strip():
            raise RefusedError(_("Say what changed: the history of a public advisory shows it."))
        _refuse_unpublished_fixes(statement.spans, at)
        add_revision(advisory=locked, actor=actor, at=at, summary=reason.strip())
    locked.modified_at = max(at, locked.published_at or at)
    _write(locked, statement)
    audit.record(actor=actor, verb="advisory.change", subject=locked, reason=reason)
    return locked


@transaction.atomic
def publish_advisory(
    *, actor: User, advisory: Advisory, at: dt.datetime, public_from: dt.datetime | None = None
) -> Advisory:
    """Make it public now, or under embargo until `public_from`; that may be moved until then."""
    locked = _locked(advisory)
    moment = public_from or at
    if locked.is_published(at):
        raise RefusedError(_("This advisory is public already."))
    if not at <= moment <= at + LATEST:
        raise RefusedError(_("The embargo ends in the future, within a year."))
    spans = [Span(found.series, found.introduced, found.fixed) for found in locked.ranges.all()]
    if not spans:
        raise RefusedError(_("Say first which series are affected."))
    if moment == at:
        _refuse_unpublished_fixes(spans, at)
    locked.revisions.all().delete()
    locked.published_at = locked.modified_at = moment
    locked.save(update_fields=["published_at", "modified_at"])
    with languages.of_record():
        add_revision(advisory=locked, actor=actor, at=moment, summary=_("First published."))
    audit.record(actor=actor, verb="advisory.publish", subject=locked, public_from=str(moment))
    return locked


@transaction.atomic
def withdraw_advisory(*, actor: User, advisory: Advisory, reason: str, at: dt.datetime) -> Advisory:
    """Say that it was wrong; it stays readable, marked so. A draft or embargoed one is a draft."""
    locked = _locked(advisory)
    if locked.withdrawn_at is not None:
        raise RefusedError(_("This advisory is withdrawn already."))
    if not reason.strip():
        raise RefusedError(_("Say why it is withdrawn."))
    if locked.is_published(at):
        locked.withdrawn_at = locked.modified_at = at
        locked.withdrawal = reason.strip()
        with languages.of_record():
            words = _("Withdrawn: %(reason)s") % {"reason": reason.strip()}
        add_revision(advisory=locked, actor=actor, at=at, summary=words)
    else:
        locked.published_at = None
        locked.revisions.all().delete()
    locked.save()
    audit.record(actor=actor, verb="advisory.withdraw", subject=locked, reason=reason)
    return locked


@transaction.atomic
def queue_repositories(*, advisory_id: int, at: dt.datetime) -> list[Publication]:
    """Ask every YUM repository of the affected series to publish what is public now, once for
    each state of the advisory. Those of one exact version hold no fix to tell of.
    """
    advisory = Advisory.objects.select_for_update().filter(pk=advisory_id).unqueued(at).first()
    if advisory is None:
        return []
    live = Repository.objects.live().of_series().filter(series__product=advisory.product)
    queued = [queue_publication(repository=found) for found in live if not found.system.is_deb]
    advisory.queued_at = max(at, advisory.modified_at)
    advisory.save(update_fields=["queued_at"])
    return queued


def _locked(advisory: Advisory) -> Advisory:
    return (
        Advisory.objects.select_for_update(of=["self"])
        .select_related("product")
        .get(pk=advisory.pk)
    )


def _next_identifier(product: Product, year: int) -> str:
    prefix = f"{product.slug.upper()}-{year}-"
    own = rf"^{re.escape(prefix)}[0-9]+$"  # a product "server-2026" has SERVER-2026-2026-0001
    used = Advisory.objects.filter(identifier__regex=own).values_list("identifier")
    last = max((int(found.removeprefix(prefix)) for (found,) in used), default=0)
    return f"{prefix}{last + 1:04}"


def _write(advisory: Advisory, statement: Statement) -> None:
    """Check and keep what is said."""
    try:
        score = severity.score(statement.vector)
    except ValueError as error:
        raise RefusedError(_("The CVSS vector is not valid: %(why)s") % {"why": error}) from None
    _check_names(statement.cve_ids)
    for span in statement.spans:
        _check_span(span, advisory.product)
    advisory.cve_ids = list(dict.fromkeys(statement.cve_ids))
    advisory.summary, advisory.details = statement.summary, statement.details
    advisory.vector, advisory.score = statement.vector, score
    advisory.severity = severity.word(score)
    advisory.references, advisory.credits = list(statement.references), list(statement.credits)
    advisory.save()
    advisory.ranges.all().delete()
    AffectedRange.objects.bulk_create(
        AffectedRange(
            advisory=advisory, series=span.series, introduced=span.introduced, fixed=span.fixed
        )
        for span in statement.spans
    )


def _check_names(cve_ids: Sequence[str]) -> None:
    for name in cve_ids:
        if not CVE.fullmatch(name):
            raise RefusedError(
                _("“%(name)s” is no CVE number: it looks like CVE-2026-12345.") % {"name": name}
            )


def _check_span(span: Span, product: Product) -> None:
    if span.series.product_id != product.pk:
        raise RefusedError(_("An advisory is about the series of one product."))
    try:
        first = versions.parse(span.introduced).fields if span.introduced else []
    except ValueError as error:
        raise RefusedError(f"{span.series.name}: {error}") from None
    if span.fixed is None:
        return
    if span.fixed.series_id != span.series.pk:
        raise RefusedError(_("The release with the fix is one of the same series."))
    if span.fixed.ordering <= first:
        raise RefusedError(_("The fix comes after the first affected version."))


def _refuse_unpublished_fixes(spans: Sequence[Span], at: dt.datetime) -> None:
    for span in spans:
        if span.fixed is not None and not span.fixed.is_published(at):
            raise RefusedError(
                _("Publish %(release)s first: the advisory names it as the fix.")
                % {"release": span.fixed}
            )
