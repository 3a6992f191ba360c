"""updateinfo.xml: the pure writer, and what a publication carries from the day of an advisory."""

from __future__ import annotations

import datetime as dt
import gzip
from xml.etree.ElementTree import Element

import pytest
from defusedxml import ElementTree
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from releases.actions.advisory import (
    publish_advisory,
    queue_repositories,
    withdraw_advisory,
)
from releases.advisory import updateinfo_of
from releases.models import Advisory
from releases.repository import updateinfo
from releases.repository.updateinfo import Fix, Notice
from releases.signer.local import LocalSigner
from releases.tests import advisories, factory

NOW = dt.datetime(2026, 11, 20, 12, tzinfo=dt.UTC)
ROOT = "/yum/12.3/rhel/9/x86_64/"


@pytest.mark.parametrize(
    ("full", "parts"),
    [
        ("12.3.1-1.el9", ("0", "12.3.1", "1.el9")),
        ("2:12.3.1~rc1-0.1.el9", ("2", "12.3.1~rc1", "0.1.el9")),
    ],
)
def test_a_version_is_taken_apart(full: str, parts: tuple[str, ...]) -> None:
    fix = Fix.of("exampledb-server", full, "x86_64", "packages/e/a.rpm", "0" * 64)
    assert (fix.epoch, fix.version, fix.release) == parts


def test_the_writer_escapes_what_people_wrote() -> None:
    fix = Fix.of("a", "1-1", "noarch", "packages/a/a-1-1.noarch.rpm", "ab")
    text = updateinfo.write(
        [
            Notice("EX-1", 'A "<b>"\x01 & more', "Moderate", NOW, NOW, "]]>", "https://e.org/?a&b",
                   ["CVE-2026-1"], [fix])
        ],
        sender='"E" <security@example.org>',
        collection="E 1",
    )  # fmt: skip
    (update,) = ElementTree.fromstring(text.encode())
    assert update.get("from") == '"E" <security@example.org>'
    assert update.findtext("title") == 'A "<b>" & more'
    assert update.findtext("description") == "]]>"
    assert [found.get("type") for found in update.iter("reference")] == ["self", "cve"]
    assert update.findtext(".//filename") == "a-1-1.noarch.rpm"


def read_notices(client: Client) -> list[Element]:
    """What the updateinfo tells that repomd.xml lists now."""
    repomd = ElementTree.fromstring(b"".join(client.get(f"{ROOT}repodata/repomd.xml")))
    space = {"r": "http://linux.duke.edu/metadata/repo"}
    place = repomd.find("r:data[@type='updateinfo']/r:location", space)
    if place is None:
        return []
    body = b"".join(client.get(ROOT + place.get("href")))
    return list(ElementTree.fromstring(gzip.decompress(body)))


def _read(client: Client) -> list[str | None]:
    """The identifiers alone."""
    return [found.findtext("id") for found in read_notices(client)]


def announced(advisory: Advisory, signer: LocalSigner) -> int:
    """What the task does; the number of publications."""
    queued = queue_repositories(advisory_id=advisory.pk, at=timezone.now())
    for publication in queued:
        factory.publish_again(publication=publication, signer=signer)
    return len(queued)


def test_repositories_say_it_from_its_day_until_it_is_withdrawn(
    dana: User, signer: LocalSigner, client: Client
) -> None:
    factory.published(actor=dana, signer=signer, version="12.3.10")
    now = timezone.now()
    advisory = advisories.draft(actor=dana, at=now, introduced="12.3.1")
    week = now + dt.timedelta(days=7)
    publish_advisory(actor=dana, advisory=advisory, at=now, public_from=week)
    assert (announced(advisory, signer), _read(client)) == (0, [])
    publish_advisory(actor=dana, advisory=advisory, at=now)
    assert (announced(advisory, signer), _read(client)) == (1, [advisory.identifier])
    assert announced(advisory, signer) == 0  # once for each state
    withdraw_advisory(actor=dana, advisory=advisory, reason="A mistake.", at=timezone.now())
    (queued,) = queue_repositories(advisory_id=advisory.pk, at=timezone.now())
    assert updateinfo_of(queued.repository) == b""
