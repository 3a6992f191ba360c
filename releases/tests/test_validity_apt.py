"""Real apt refuses an index that has ended, and takes the renewed one."""

from __future__ import annotations

import datetime as dt
import os
import subprocess
from pathlib import Path

import pytest
from django.utils import timezone

from portal.accounts.models import User
from releases import store, tasks
from releases.actions.validity import renew_indices, set_validity
from releases.models import Publication, Release, Repository, SigningKey
from releases.signer.local import LocalSigner
from tests.package_clients import Apt
from tests.programs import need

SOURCES = "Types: deb\nURIs: file://{}\nSuites: bookworm\nComponents: main\nSigned-By: keyring\n"


def show(publication: Publication, folder: Path) -> None:
    """Put the index files where apt finds them."""
    for file in publication.files.select_related("blob"):
        path = folder / "dists/bookworm" / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(store.blob_path(file.blob.sha256).read_bytes())


def update(apt: Apt, days: int) -> subprocess.CompletedProcess[str]:
    """apt-get update on a machine that lives so many days later."""
    (faketime,) = need("faketime")
    return subprocess.run(
        [faketime, f"+{days} days", apt.program, "-o", "APT::Update::Error-Mode=any", "update"],
        env={"PATH": os.environ["PATH"] + ":/usr/sbin:/sbin", "APT_CONFIG": str(apt.conf)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.proof
def test_apt_refuses_an_index_that_has_ended_and_takes_the_renewed_one(
    dana: User, release: Release, signer: LocalSigner, tmp_path: Path
) -> None:
    repository = Repository.objects.of_series().get(distribution="debian-12")
    apt = Apt(tmp_path / "apt")
    keyring = b"".join(bytes(key.binary) for key in SigningKey.objects.filter(for_files=False))
    apt.configure(SOURCES.format(tmp_path / "site"), keyring)

    def publish(queued: Publication | None) -> None:
        assert queued is not None
        before = timezone.now() - dt.timedelta(days=6)
        Publication.objects.filter(state="current").update(dated_at=before)
        signer.open_log(tmp_path / f"log-{queued.serial}")
        assert tasks.advance(queued.pk, signer) == Publication.State.CURRENT
        show(queued, tmp_path / "site")

    publish(set_validity(actor=dana, repository=repository, days=2))
    assert update(apt, 1).returncode == 0
    late = update(apt, 3)
    assert late.returncode != 0
    assert "expired" in late.stderr
    Repository.objects.filter(pk=repository.pk).update(valid_days=10)
    (queued,) = renew_indices(at=timezone.now() + dt.timedelta(days=1))
    publish(queued)
    renewed = update(apt, 3)
    assert renewed.returncode == 0, renewed.stderr
