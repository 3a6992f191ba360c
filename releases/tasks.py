"""The jobs of this app: they carry ids only, and each may run twice.

The sweep does what a lost message or a killed worker left behind.
"""

from __future__ import annotations

import logging
import ssl
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from celery import shared_task
from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from releases.actions import mirror_probe, reading, validity
from releases.actions import publication as publications
from releases.actions.acceptance import accept_upload, accept_uploads, batch_of
from releases.actions.advisory import queue_repositories
from releases.actions.advisory_document import sign_advisory
from releases.actions.alias import follow_rules, settle_alias
from releases.actions.collection import collect_garbage as collect
from releases.actions.download import keep_downloads
from releases.actions.expiry import warn_of_expiry
from releases.actions.keyring import publish_keyrings
from releases.actions.mirror import forget_unconfirmed
from releases.actions.repository import queue_failed_again
from releases.actions.schedule import publish_due
from releases.actions.setup_script import sign_setup_script, write_setup_script
from releases.actions.signature import remember_keys, sign_file, sign_package
from releases.actions.upload import forget_uploads
from releases.mirrors.fetch import Rules
from releases.mirrors.probe import probe_all
from releases.models import (
    Advisory,
    Alias,
    File,
    Package,
    Product,
    Publication,
    Release,
    Repository,
    SetupScript,
    Upload,
)
from releases.reading import UnsoundError, gpgv
from releases.reading.http import Http
from releases.reading.programs import read_by_programs
from releases.reading.walk import Get, Read, walk
from releases.signing import Signer, SignerUnavailableError, SigningRefusedError, SocketSigner

logger = logging.getLogger(__name__)

READING_SECONDS = 300  # after which no other repository is begun
NEXT_SECOND = 1.1  # two publications of a repository never have the same date


def signer() -> Signer:
    return SocketSigner(settings.SIGNER_SOCKET)


@shared_task
def accept(upload_id: str) -> None:
    """Look at a received upload, and at those that wait beside it."""
    accept_uploads(upload_ids=batch_of(UUID(str(upload_id)), at=timezone.now()))


@shared_task
def sign(file_id: int) -> None:
    """Sign a file of a published release; an rpm is signed inside first."""
    now = timezone.now()
    try:
        package = Package.objects.filter(file_id=file_id).first()
        if package is not None:
            sign_package(package_id=package.pk, signer=signer(), at=now)
        sign_file(file_id=file_id, signer=signer(), at=now)
    except SignerUnavailableError as error:
        logger.warning("%s; the sweep tries again", error)
    except SigningRefusedError as error:
        logger.error("file %s stays without a signature: %s", file_id, error)


@shared_task
def publish(publication_id: int) -> None:
    """Take a publication through all steps that it still needs."""
    state = advance(publication_id, signer())
    if state == Publication.State.QUEUED:
        publish.apply_async((publication_id,), countdown=NEXT_SECOND)
    elif state == Publication.State.CURRENT:
        lead_aliases(Product.objects.get(series__repositories__publications=publication_id))


def lead_aliases(product: Product) -> None:
    """Let the aliases of the product follow what is published now."""
    now = timezone.now()
    waiting = follow_rules(product=product, at=now)
    for alias_id in product.aliases.moving().values_list("pk", flat=True):
        if not settle_alias(alias_id=alias_id, at=now):
            targets = product.aliases.filter(pk=alias_id).values("target")
            unfinished = Publication.objects.unfinished()
            waiting += unfinished.filter(repository__series__in=targets)
    for number in {publication.pk for publication in waiting}:
        publish.delay(number)


def advance(publication_id: int, by: Signer) -> str:
    """Do the steps; the state that the publication is in then."""
    try:
        if not publications.build_publication(publication_id=publication_id, at=timezone.now()):
            _sign_packages(publication_id, by)
            publications.build_publication(publication_id=publication_id, at=timezone.now())
        publications.sign_publication(publication_id=publication_id, signer=by)
        if publications.switch_publication(publication_id=publication_id, at=timezone.now()):
            return Publication.State.CURRENT
    except SignerUnavailableError as error:
        logger.warning("%s; the sweep tries again", error)
    except SigningRefusedError as error:
        publications.fail_publication(publication_id=publication_id, reason=str(error))
    return Publication.objects.values_list("state", flat=True).get(pk=publication_id)


def _sign_packages(publication_id: int, by: Signer) -> None:
    """The rpms that keep it from being built."""
    waiting = Publication.objects.filter(state=Publication.State.QUEUED, pk=publication_id)
    for publication in waiting.select_related("repository__series"):
        for package in publications.packages_to_sign(publication):
            sign_package(package_id=package.pk, signer=by, at=timezone.now())


@shared_task
def publish_scheduled() -> None:
    """Releases whose moment has come, each once."""
    now = timezone.now()
    _each(Release.objects.due(now).order_by("scheduled_for"), publish_scheduled_release)


def publish_scheduled_release(release_id: int) -> None:
    publications = publish_due(release_id=release_id, at=timezone.now())
    follow(
        File.objects.filter(release_id=release_id) if publications else File.objects.none(),
        publications,
    )


def follow(files: QuerySet[File], publications: Sequence[Publication]) -> None:
    """Let the worker do at once what a publish left to do; the sweep would do it later."""
    for publication in publications:
        publish.delay(publication.pk)
    for file_id in files.values_list("pk", flat=True):
        sign.delay(file_id)


@shared_task
def count_downloads() -> None:
    """Take the counted downloads over from the buffer."""
    keep_downloads(at=timezone.now())


@shared_task
def announce(advisory_id: int) -> None:
    """Let the repositories say what an advisory says now, when it is public, and sign it."""
    for publication in queue_repositories(advisory_id=advisory_id, at=timezone.now()):
        publish.delay(publication.pk)
    sign_document(advisory_id)


def sign_document(advisory_id: int) -> None:
    try:
        sign_advisory(advisory_id=advisory_id, signer=signer(), at=timezone.now())
    except SignerUnavailableError as error:
        logger.warning("%s; the sweep tries again", error)
    except SigningRefusedError as error:
        logger.error("advisory %s stays without a signature: %s", advisory_id, error)


@shared_task
def sweep() -> None:
    """Everything that waits: uploads, signatures, publications, oldest first.

    What breaks is logged and waits for the next sweep; it never holds up what stands behind it.
    """
    now = timezone.now()
    forget_uploads(at=now)
    _each(Upload.objects.waiting(now).order_by("finished_at"), accept_alone)
    packages = Package.objects.filter(format="rpm", signed_at=None)
    _each(File.objects.filter(package__in=packages, release__published_at__lte=now), sign)
    _each(File.objects.unsigned(now), sign)
    queue_failed_again(at=now)
    _each(Advisory.objects.unqueued(now), announce)
    _each(Advisory.objects.unsigned(now), sign_document)
    _each(Publication.objects.unfinished(), lambda number: advance(number, signer()))
    for product in Product.objects.shown(now):
        follow_rules(product=product, at=now)
    _each(Alias.objects.moving(), lambda number: settle_alias(alias_id=number, at=now))


def accept_alone(upload_id: UUID) -> None:
    """One that breaks a batch does not break those beside it again."""
    accept_upload(upload_id=upload_id)


def _each(rows: QuerySet[Any], do: Callable[[Any], object]) -> None:
    for number in rows.values_list("pk", flat=True):
        try:
            do(number)
        except Exception:
            logger.exception("%s %s cannot be done now", rows.model.__name__, number)


@shared_task
def renew_indices() -> None:
    """Date and sign again what is half through its time; tell people of what was not renewed."""
    now = timezone.now()
    for publication in validity.renew_indices(at=now):
        publish.delay(publication.pk)
    validity.warn_of_endings(at=now)


@shared_task
def read_repositories() -> None:
    """Read some repositories back as clients do; tell people of those that cannot be used."""
    if gpgv.program() is None:
        logger.error("gpgv is not installed: repositories are not read back")
        return
    get, until = Http(trusted()).get, time.monotonic() + READING_SECONDS
    due = reading.due()
    more = reading.for_programs(due)
    for repository in due:
        if time.monotonic() < until:
            read_repository(repository, get, by_programs=repository.pk in more)
            reading.warn_of_unreadable(at=timezone.now())


def read_repository(repository: Repository, get: Get, *, by_programs: bool) -> None:
    outcome: Read | UnsoundError
    place = reading.place_of(repository)
    try:
        outcome = walk(place, get, at=timezone.now())
        if by_programs:
            outcome = replace(outcome, program=read_by_programs(place, outcome.package, get))
    except UnsoundError as error:
        outcome = error
    reading.record_reading(repository=repository, outcome=outcome, at=timezone.now())


def trusted() -> ssl.SSLContext:
    """Whose certificates a client accepts; those of mirrors in development too."""
    context = ssl.create_default_context()
    if settings.MIRROR_CA:
        context.load_verify_locations(settings.MIRROR_CA)
    return context


@shared_task
def collect_garbage() -> None:
    """Remove what nothing refers to any more; what there is no time for goes with the next run."""
    report = collect(actor=None, at=timezone.now())
    logger.info("garbage collection: %s files, %s bytes", report.files, report.size)


@shared_task
def renew_setup_script() -> None:
    """Write /repo_setup anew when what is published has changed; an old one is served till then."""
    write_setup_script(at=timezone.now())
    _each(
        SetupScript.objects.unsigned(),
        lambda number: sign_setup_script(script_id=number, signer=signer()),
    )


@shared_task
def tend_keys() -> None:
    """Learn from the signer which keys there are, bring them to clients, warn of their end."""
    now = timezone.now()
    try:
        remember_keys(signer=signer())
    except SignerUnavailableError as error:
        logger.warning("%s; asked again in some minutes", error)
        return
    warn_of_expiry(at=now)
    _each(Product.objects.with_repositories(), tend_keyrings)


def tend_keyrings(product_id: int) -> None:
    product = Product.objects.get(pk=product_id)
    for publication in publish_keyrings(product=product, at=timezone.now()):
        publish.delay(publication.pk)


@shared_task
def probe_mirrors() -> None:
    """Look at every mirror whose probe is due, all at the same time."""
    now = timezone.now()
    forget_unconfirmed(at=now)
    claimed = mirror_probe.claim_probes(at=now)
    if not claimed:
        return
    findings = probe_all(claimed, rules())
    for target in claimed:
        finding = findings[target.number]
        mirror_probe.record_probe(target=target, finding=finding, at=timezone.now())


def rules() -> Rules:
    """What probes may reach, by the settings."""
    context = ssl.create_default_context(cafile=settings.MIRROR_CA or None)
    return Rules(context, private=settings.MIRROR_PRIVATE_ADDRESSES)
