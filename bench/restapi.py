"""How fast /rest-api/ answers inside the web process: through every middleware, without network.

The catalogue is one product of 20 series with 20 releases each and 15 files a release; one release
has 300. Each is asked again while nothing has changed, and written anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from bench import Measurement, _installation, timed

if TYPE_CHECKING:
    from django.test import Client

RUNS = 100
LIMIT_MS = 10.0
MOST_QUERIES = 3
SERIES, RELEASES, FILES, MANY = 20, 20, 15, 300
ROOT = "/rest-api/measured/"
ADDRESSES = {
    "products": "/rest-api/products/",
    "series of a product": ROOT,
    "releases of a series": f"{ROOT}10.5/",
    "latest of a series": f"{ROOT}10.5/latest/",
    "one version": f"{ROOT}10.5.7/?os=Linux&cpu=x86_64",
    "one version of 300 files": f"{ROOT}10.19.19/",
    "all releases": f"{ROOT}all-releases/?olderReleases=true",
}


def measure() -> Iterator[Measurement]:
    with _installation.django():
        _fill()
        yield from _answers()


def _answers() -> Iterator[Measurement]:
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from portal.lib import kept

    client = Client(headers={"host": "localhost"})
    for name, path in ADDRESSES.items():
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(path)
        asked = len(queries)
        if answer.status_code != 200:
            raise RuntimeError(f"{path} answers {answer.status_code}")
        known = {"if-none-match": answer["ETag"]}
        ways: dict[str, tuple[Callable[[], None], dict[str, str]]] = {
            "asked again": (_nothing, {}),
            "unchanged": (_nothing, known),
            "written anew": (kept.SHELF.clear, {}),
        }
        for way, (prepare, headers) in ways.items():
            cost = timed(partial(_ask, client, path, headers, prepare), runs=RUNS)
            yield Measurement(
                work=f"REST API: {name}, {way}",
                size=f"{len(answer.content)} bytes, {asked} queries",
                ours=cost,
                reach=f"p50 below {LIMIT_MS:.0f} ms, at most {MOST_QUERIES} queries",
                reached=cost.wall_s * 1000 < LIMIT_MS and asked <= MOST_QUERIES,
                runs=RUNS,
            )


def _nothing() -> None:
    """What is kept stays."""


def _ask(client: Client, path: str, headers: dict[str, str], prepare: Callable[[], None]) -> None:
    prepare()
    client.get(path, headers=headers)


def _fill() -> None:
    from django.utils import timezone

    from portal.accounts.models import User
    from releases.actions.product import add_product, add_series
    from releases.actions.release import draft_release
    from releases.models import Blob, File, Release

    now = timezone.now()
    actor = User.objects.create(email="measure@example.org", name="Measure")
    product = add_product(
        actor=None, slug="measured", name="Measured", description="A database.", license="GPL-2.0"
    )
    for minor in range(SERIES):
        series = add_series(actor=None, product=product, name=f"10.{minor}", support="long")
        for patch in range(RELEASES):
            version = f"10.{minor}.{patch}"
            release = draft_release(actor=actor, series=series, version=version, maturity="stable")
            count = MANY if (minor, patch) == (SERIES - 1, RELEASES - 1) else FILES
            names = [f"measured-{version}-linux-{number}.tar.gz" for number in range(count)]
            blobs = [
                Blob(sha256=f"{minor:08}{patch:08}{n:048}", sha1="1" * 40, md5="2" * 32,
                     sha512="3" * 128, size=10**8)
                for n in range(count)
            ]  # fmt: skip
            File.objects.bulk_create(
                File(release=release, name=name, blob=blob, os="Linux", cpu="x86_64",
                     uploaded_by=actor, signature="s" * 830)
                for name, blob in zip(names, Blob.objects.bulk_create(blobs), strict=True)
            )  # fmt: skip
    Release.objects.filter(series__product=product).update(published_at=now - timedelta(days=1))
