"""Writing a repository anew: from the database alone, or in another number of buckets."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit
from releases.actions.repository import queue_publication
from releases.errors import RefusedError
from releases.models import IndexBuild, Publication, Repository
from releases.repository import buckets as arithmetic


@transaction.atomic
def rebuild_repository(*, actor: User | None, repository: Repository) -> Publication:
    """Ask for a publication that copies nothing and is checked as a whole."""
    publication = queue_publication(repository=repository, full=True)
    audit.record(
        actor=actor, verb="repository.rebuild", subject=repository, serial=publication.serial
    )
    return publication


@transaction.atomic
def rebucket_repository(
    *, actor: User | None, repository: Repository, buckets: int | None = None
) -> Publication | None:
    """Give every index of packages this many buckets, or as many as fit what it holds now.

    None when all have that number already. Raises RefusedError for a number out of bounds.
    """
    if buckets is not None and not 1 <= buckets <= arithmetic.MOST:
        raise RefusedError(
            _("An index has between 1 and %(most)s buckets.") % {"most": arithmetic.MOST}
        )
    changed = {}
    for build in IndexBuild.objects.shown_now(repository).select_related("index"):
        index, wanted = build.index, buckets or arithmetic.fitting(build.packages)
        if build.counts and index.buckets != wanted:
            changed[str(index)] = [index.buckets, wanted]
            index.buckets = wanted
            index.save(update_fields=["buckets"])
    if not changed:
        return None
    audit.record(actor=actor, verb="repository.rebucket", subject=repository, buckets=changed)
    return queue_publication(repository=repository)
