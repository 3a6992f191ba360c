"""Moving an alias to another series: asked for, prepared, and done in one step.

apt takes no index that is older than the one it has, and says nothing. So the repositories of the
target are published again first, and the move happens when each has a newer date than anything that
the alias has shown. Until then clients read what they read before.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit
from releases.actions.repository import queue_publication
from releases.aliases import wanted
from releases.errors import RefusedError
from releases.models import (
    Alias,
    AliasPast,
    Product,
    Publication,
    Release,
    Repository,
    Series,
)


@transaction.atomic
def move_alias(*, actor: User, alias: Alias, series: Series, at: dt.datetime) -> list[Publication]:
    """Let a person put the alias where they want it; no release moves it then."""
    locked = Alias.objects.select_for_update(of=["self"]).get(pk=alias.pk)
    if series.product_id != locked.product_id:
        raise RefusedError(_("This series belongs to another product."))
    for reason in reasons_against_move(alias=locked, series=series):
        raise RefusedError(reason)
    stable = Release.objects.current(at).stable().filter(series=series)
    if locked.is_for_stable_users and not stable.exists():
        raise RefusedError(
            _("%(series)s has no stable release, and who follows %(alias)s expects one.")
            % {"series": series, "alias": locked.name}
        )
    locked.held = True
    locked.save(update_fields=["held"])
    publications = _lead(locked, series)
    audit.record(actor=actor, verb="alias.move", subject=locked, series=series.name)
    return publications


@transaction.atomic
def free_alias(*, actor: User, alias: Alias, at: dt.datetime) -> list[Publication]:
    """Let the alias follow its rule again."""
    locked = Alias.objects.select_for_update(of=["self"]).get(pk=alias.pk)
    locked.held = False
    locked.save(update_fields=["held"])
    audit.record(actor=actor, verb="alias.free", subject=locked)
    return follow_rules(product=locked.product, at=at)


@transaction.atomic
def follow_rules(*, product: Product, at: dt.datetime) -> list[Publication]:
    """Make the aliases that are missing and lead those that nobody holds to where they belong."""
    Product.objects.select_for_update(no_key=True).get(pk=product.pk)
    known = {found.name: found for found in product.aliases.select_for_update(of=["self"])}
    publications: list[Publication] = []
    for name, series in sorted(wanted(product, at=at).items()):
        alias = known.get(name)
        if alias is None:
            alias = Alias.objects.create(product=product, name=name, series=series, moved_at=at)
            audit.record(actor=None, verb="alias.make", subject=alias, series=series.name)
        elif _should_go(alias, series):
            publications += _lead(alias, series)
    return publications


def _should_go(alias: Alias, series: Series) -> bool:
    if alias.held or (alias.target or alias.series) == series:
        return False
    return not reasons_against_move(alias=alias, series=series)


def reasons_against_move(*, alias: Alias, series: Series) -> list[str]:
    """Why clients of the alias could not follow it to this series."""
    target = _live(series)
    if not target:
        return [_("%(series)s has no published repository yet.") % {"series": series}]
    before = {_system(found): found for found in _live(alias.series)}
    for found in target:
        old = before.get(_system(found))
        if old is not None and _frozen(old) != _frozen(found):
            return [
                _("%(repository)s has another Origin, Label or Codename: apt would refuse it.")
                % {"repository": found.name}
            ]
    return []


def lost_systems(*, alias: Alias, series: Series) -> list[str]:
    """Distributions that the alias serves now and would not serve there."""
    there = {found.distribution for found in _live(series)}
    names = {found.system.name for found in _live(alias.series) if found.distribution not in there}
    return sorted(names)


def _lead(alias: Alias, series: Series) -> list[Publication]:
    """Note the target and ask for publications of it that are newer than what is shown."""
    alias.target = None if series == alias.series else series
    alias.save(update_fields=["target"])
    if alias.target is None:
        return []
    return [
        queue_publication(repository=repository, cause=Publication.Cause.ALIAS)
        for repository in _live(series)
    ]


@transaction.atomic
def settle_alias(*, alias_id: int, at: dt.datetime) -> bool:
    """Switch the alias to its target, if everything there is newer; else ask for it once more.

    The repositories of both series are locked, so that none of them gets a newer date meanwhile.
    """
    alias = (
        Alias.objects.select_for_update(skip_locked=True, of=["self"])
        .select_related("target", "series", "product")
        .filter(pk=alias_id, target__isnull=False)
        .first()
    )
    if alias is None or alias.target is None:
        return False
    both = Repository.objects.filter(series__in=[alias.series_id, alias.target_id], release=None)
    list(both.select_for_update(no_key=True).order_by("pk"))
    shown = _newest_date(_live(alias.series), alias.newest_shown)
    behind = [found for found in _live(alias.target) if not _is_newer(found, shown)]
    if behind:
        for repository in behind:
            queue_publication(repository=repository, cause=Publication.Cause.ALIAS)
        return False
    AliasPast.objects.create(alias=alias, series=alias.series, left_at=at)
    before = alias.series
    alias.series, alias.target = alias.target, None
    alias.newest_shown, alias.moved_at = shown, at
    alias.save(update_fields=["series", "target", "newest_shown", "moved_at"])
    audit.record(
        actor=None, verb="alias.switch", subject=alias, before=before.name, now=alias.series.name
    )
    return True


def _live(series: Series) -> list[Repository]:
    live = Repository.objects.live().of_series().filter(series=series)
    return list(live.select_related("current", "series__product", "release"))


def _newest_date(
    repositories: Iterable[Repository], before: dt.datetime | None
) -> dt.datetime | None:
    dates = [found.current.dated_at for found in repositories if found.current]
    return max((date for date in [*dates, before] if date is not None), default=None)


def _is_newer(repository: Repository, shown: dt.datetime | None) -> bool:
    date = repository.current.dated_at if repository.current else None
    return shown is None or (date is not None and date > shown)


def _system(repository: Repository) -> tuple[str, str]:
    return repository.distribution, repository.architecture


def _frozen(repository: Repository) -> tuple[str, str, str]:
    return repository.origin, repository.label, repository.codename
