"""The export of an organisation's data: asked for, made by whoever claims it, kept for days."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from tempfile import SpooledTemporaryFile
from typing import IO, Final, cast

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from portal.accounts.models import User
from portal.lib import audit
from portal.members import export, payer_letters
from portal.members.models import DataExport, DataExportPiece, Organisation
from portal.members.models.data_export import ATTEMPTS, DataExportQuerySet

logger = logging.getLogger(__name__)

KEPT: Final = timedelta(days=3)
IN_MEMORY: Final = 2_000_000  # bytes; a larger file goes to the disk
PIECE: Final = 512 * 1024


class LostError(Exception):
    """Somebody else took it over: we were silent for too long."""


@transaction.atomic
def ask_for_export(*, actor: User, organisation: Organisation, at: datetime) -> DataExport:
    """One that waits already is the one that was asked for."""
    locked = Organisation.objects.select_for_update(of=("self",)).get(pk=organisation.pk)
    waiting = DataExport.objects.waiting().filter(organisation=locked).first()
    if waiting is not None:
        return waiting
    asked = DataExport.objects.create(organisation=locked, asked_by=actor, asked_at=at)
    audit.record(actor=actor, verb="organisation.export", subject=locked)
    return asked


def make_export(*, export_pk: int, at: datetime) -> bool:
    """Whether it was made by us. Called twice, killed or raced: one file."""
    claimed = _claim(export_pk, at)
    if claimed is None:
        return False
    try:
        with cast(IO[bytes], SpooledTemporaryFile(max_size=IN_MEMORY)) as file:
            export.write(claimed.organisation, file, at=at, step=_Progress(claimed).tell)
            size = file.tell()
            file.seek(0)
            _keep(claimed, file, size, timezone.now())
    except LostError:
        return False
    except Exception:
        logger.exception("the data of organisation %s could not be exported", claimed.organisation)
        _give_up(claimed, timezone.now())
        return False
    return True


def forget_exports(*, at: datetime) -> int:
    """Delete the files whose time is over; how many."""
    return DataExport.objects.over(at).delete()[1].get(DataExport._meta.label, 0)


def _claim(export_pk: int, at: datetime) -> DataExport | None:
    taken = (
        DataExport.objects.claimable(at)
        .filter(pk=export_pk, attempts__lt=ATTEMPTS)
        .update(claimed_at=at, attempts=F("attempts") + 1, steps_done=0)
    )
    if taken:
        return DataExport.objects.select_related("organisation", "asked_by").get(pk=export_pk)
    tried = DataExport.objects.claimable(at).filter(pk=export_pk, attempts__gte=ATTEMPTS)
    tried.update(failed_at=at, expires_at=at + KEPT)  # every worker that made it was killed
    return None


class _Progress:
    """A sign of life at most each second; raises LostError where the claim is somebody else's."""

    def __init__(self, claimed: DataExport) -> None:
        self.claimed, self.told_at = claimed, timezone.now() - timedelta(minutes=1)

    def tell(self, done: int, steps: int) -> None:
        now = timezone.now()
        if now - self.told_at < timedelta(seconds=1) and done < steps:
            return
        self.told_at = now
        if not _own(self.claimed).update(steps_done=done, steps=steps, claimed_at=now):
            raise LostError


@transaction.atomic
def _keep(claimed: DataExport, file: IO[bytes], size: int, at: datetime) -> None:
    kept = {"finished_at": at, "size": size, "expires_at": at + KEPT}
    if not _own(claimed).update(**kept):
        raise LostError
    for place, content in enumerate(_pieces(file)):
        DataExportPiece.objects.create(export=claimed, place=place, content=content)
    claimed.refresh_from_db()
    payer_letters.export_ready(claimed)


def _give_up(claimed: DataExport, at: datetime) -> None:
    """Leave it to the next attempt; after the last one the page says so."""
    if claimed.attempts >= ATTEMPTS:
        _own(claimed).update(failed_at=at, expires_at=at + KEPT)


def _own(claimed: DataExport) -> DataExportQuerySet:
    return DataExport.objects.waiting().filter(pk=claimed.pk, attempts=claimed.attempts)


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    while piece := file.read(PIECE):
        yield piece
