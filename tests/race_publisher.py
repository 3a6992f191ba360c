"""The portal's side of tests/test_race_publish.py: publish and roll back until a file appears.

Runs in a process of its own beside the worker and the signer of the stack, which do all steps.
"""

from __future__ import annotations

import sys
import time
from itertools import count
from pathlib import Path

from django.utils import timezone

from portal.accounts.models import User
from releases import tasks
from releases.actions.release import publish_release
from releases.actions.roll_back import roll_back
from releases.models import Publication, Release, Repository
from releases.tests import factory
from tests.package_clients import deb_architecture

PATIENCE = 120.0


def work(slug: str, stop: str) -> None:
    """Prints how many publications of new packages and how many roll backs there were."""
    published = rolled_back = 0
    for number in count(1):
        follow(publish(slug, f"12.3.{number}"))
        published += 1
        repositories = Repository.objects.filter(series__product__slug=slug, release=None)
        follow([back(repository) for repository in repositories.select_related("current")])
        rolled_back += 1
        if Path(stop).exists():
            break
    sys.stdout.write(f"{published} {rolled_back}\n")


def publish(slug: str, version: str) -> list[Publication]:
    """A new release with a .deb and an .rpm."""
    dana = User.objects.get(email="dana@example.org")
    release = factory.make_draft(version, slug=slug)
    name, architecture = f"{slug}-server", deb_architecture()
    deb = factory.deb(version, name, architecture)
    rpm = factory.rpm(version, name, "noarch")
    for file, data, system in (
        (f"{name}_{version}_{architecture}.deb", deb, "debian-12"),
        (f"{name}-{version}-1.el9.noarch.rpm", rpm, "rhel-9"),
    ):
        factory.accept(actor=dana, release=release, name=file, data=data, distributions=[system])
    factory.tick_everything(release)
    return publish_release(
        actor=dana, release=Release.objects.get(pk=release.pk), at=timezone.now()
    )


def back(repository: Repository) -> Publication:
    """To what the repository showed before the current publication."""
    dana = User.objects.get(email="dana@example.org")
    past = repository.publications.filter(state=Publication.State.PAST).order_by("-serial")
    return roll_back(actor=dana, publication=past[0], reason="A race.")


def follow(publications: list[Publication]) -> None:
    """Ask the worker, and wait until all of them are current."""
    numbers = [publication.pk for publication in publications]
    for number in numbers:
        tasks.publish.delay(number)
    deadline = time.monotonic() + PATIENCE
    waiting = Publication.objects.unfinished().filter(pk__in=numbers)
    while waiting.exists():
        assert time.monotonic() < deadline, list(waiting.values("pk", "state", "reason"))
        time.sleep(0.02)
