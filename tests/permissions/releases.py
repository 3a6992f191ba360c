from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.utils import timezone

from releases.advisories.csaf import file_name
from releases.models import (
    Advisory,
    AdvisoryDocument,
    Alias,
    Release,
    Repository,
    SetupScript,
)
from releases.signer.local import LocalSigner
from releases.tests import advisories, factory
from tests.permissions import EVERYBODY, NOBODY, SIGNED_IN, Cast, Page, Place

MANAGERS = {"dana"}
KEEPERS = {"dana", "frank"}  # a manager of every product, and staff


def make_published(cast: Cast) -> Release:
    signer = LocalSigner(Path(settings.STATE_DIR) / f"signer-{uuid4()}")
    return factory.published(actor=cast["dana"], signer=signer)


def published(path: str) -> Place:
    """`path`, where ExampleDB 12.3.0 is published with its repositories."""
    return Place(make_published, lambda release: path)


def with_script(path: str) -> Callable[[Cast], str]:
    """`path`, where a set-up script is written and signed."""

    def sample(cast: Cast) -> str:
        SetupScript.objects.create(
            version="1", text="#!/bin/sh\n", signature="signed", made_at=timezone.now()
        )
        return path

    return sample


def make_draft(cast: Cast) -> Release:
    release = factory.make_draft()
    factory.accept(actor=cast["dana"], release=release, name="exampledb-12.3.0.tar.gz", data=b"x")
    return release


def draft(path: str) -> Place:
    """`path`, where ExampleDB 12.3.0 is a draft with a file."""
    return Place(make_draft, lambda release: path)


def validity(cast: Cast) -> str:
    """Where the managers of ExampleDB set how long the index of a repository is valid."""
    found = Repository.objects.create(
        series=factory.make_series(), distribution="debian-12", codename="bookworm"
    )
    return f"/releases/manage/repositories/{found.pk}/validity/"


def retention(cast: Cast) -> str:
    return validity(cast).replace("validity", "retention")


def begun(path: str) -> Callable[[Cast], str]:
    """`path` with the number of an upload to a draft of ExampleDB."""

    def sample(cast: Cast) -> str:
        release = factory.make_draft()
        upload = factory.send(actor=cast["dana"], release=release, name="a.zip", data=b"x")
        return path.format(upload.pk)

    return sample


def mirror(path: str) -> Callable[[Cast], str]:
    """`path` below the mirrors of the managers, where there is one product and one mirror."""

    def sample(cast: Cast) -> str:
        factory.make_series()
        factory.make_mirror()
        return f"/releases/manage/mirrors/{path}"

    return sample


def make_advisory(cast: Cast) -> Advisory:
    """A public one of ExampleDB, whose first document is signed."""
    found = advisories.published(actor=cast["dana"], at=timezone.now())
    now = timezone.now()
    AdvisoryDocument.objects.create(
        advisory=found, number=1, text="{}", signature="signed", signed_at=now
    )
    return found


def advisory(path: str) -> Place:
    """`path` with the identifier of a public advisory of ExampleDB in it."""
    return Place(make_advisory, lambda found: path.format(found.identifier))


def csaf(end: str) -> Place:
    """`end` in the folder of this year, with the name of an advisory's document in it."""

    def path(found: Advisory) -> str:
        name = file_name(found.identifier)
        return f"/advisories/csaf/{found.created_at.year}/{end.format(name)}"

    return Place(make_advisory, path)


def early_notice(cast: Cast) -> str:
    """An advisory under embargo that alice was told of."""
    return advisories.told(actor=cast["dana"], owner=cast["alice"])


ADVISORY = "/releases/manage/advisories/{}/"
RELEASE = "/releases/exampledb/12.3.0/"
MANAGED = "/releases/manage/exampledb/12.3.0/"
FILE = f"{RELEASE}exampledb-12.3.0.tar.gz"
REST = "/rest-api/exampledb/"
REST_FILE = f"{REST}12.3.0/exampledb-12.3.0.tar.gz"


def checklist_step(release: Release) -> str:
    item = release.checklist.get(step="notes")
    return f"{MANAGED}checklist/{item.pk}/"


def in_repository(path: str, method: str = "GET") -> Page:
    """`path` below a repository of ExampleDB: `{}` is its number, `{package}` one it holds."""

    def where(release: Release) -> str:
        found = Repository.objects.of_series().earliest("pk")
        package = found.memberships.earliest("pk").package_id
        return REPOSITORIES + path.format(found.pk, package=package)

    return Page(MANAGERS, sample=Place(make_published, where), method=method)


def of_alias(path: str, method: str = "GET") -> Page:
    """`path` below an alias of ExampleDB."""

    def sample(cast: Cast) -> str:
        series, now = factory.make_series(), timezone.now()
        alias = Alias.objects.create(
            product=series.product, name="latest", series=series, moved_at=now
        )
        return f"{REPOSITORIES}aliases/{alias.pk}/{path}"

    return Page(MANAGERS, sample=sample, method=method)


REPOSITORIES = "/releases/manage/repositories/"
PAGES = {
    "releases:manage_repositories": Page(MANAGERS, sample=draft(REPOSITORIES)),
    "releases:manage_repositories_csv": Page(
        MANAGERS, sample=draft("/releases/manage/repositories.csv")
    ),
    "releases:manage_repository": in_repository("{}/"),
    "releases:manage_repository_again": in_repository("{}/again/", "POST"),
    "releases:manage_repository_packages": in_repository("{}/packages/"),
    "releases:manage_repository_package": in_repository("{}/packages/{package}/"),
    "releases:manage_publication": in_repository("{}/1/"),
    "releases:manage_publication_retry": in_repository("{}/1/try-again/", "POST"),
    "releases:manage_aliases": Page(MANAGERS, sample=draft(f"{REPOSITORIES}aliases/")),
    "releases:manage_alias": of_alias(""),
    "releases:manage_alias_free": of_alias("free/", "POST"),
    "releases:list": Page(EVERYBODY),
    "releases:product": Page(EVERYBODY, sample=published("/releases/exampledb/")),
    "releases:release": Page(EVERYBODY, sample=published(RELEASE)),
    "releases:file": Page(EVERYBODY, sample=published(FILE)),
    "releases:checksum": Page(EVERYBODY, sample=published(f"{FILE}.sha256")),
    "releases:signature": Page(EVERYBODY, sample=published(f"{FILE}.asc")),
    "releases:checksums": Page(EVERYBODY, sample=published(f"{RELEASE}sha256sums.txt")),
    "releases:upload_client": Page(EVERYBODY),
    "releases:upload_client_checksum": Page(EVERYBODY),
    "releases:setup_script": Page(EVERYBODY, sample=with_script("/repo_setup")),
    "releases:setup_script_checksum": Page(EVERYBODY, sample=with_script("/repo_setup.sha256")),
    "releases:setup_script_signature": Page(EVERYBODY, sample=with_script("/repo_setup.asc")),
    "releases:generator": Page(EVERYBODY),
    "releases:apt_root": Page(EVERYBODY),
    "releases:apt": Page(EVERYBODY, sample=published("/repo/12.3/debian/dists/bookworm/Release")),
    "releases:yum_root": Page(EVERYBODY),
    "releases:yum": Page(
        EVERYBODY, sample=published("/yum/12.3/rhel/9/x86_64/repodata/repomd.xml")
    ),
    "releases:keys": Page(EVERYBODY),
    "releases:manage_keys": Page(MANAGERS, sample=draft("/releases/manage/keys/")),
    "releases:key": Page(EVERYBODY, sample=published("/keys/exampledb-keyring.asc")),
    "releases:advisories": Page(EVERYBODY),
    "releases:advisory_feed": Page(EVERYBODY),
    "releases:osv_all": Page(EVERYBODY),
    "releases:osv_zip": Page(EVERYBODY),
    "releases:csaf_index": Page(EVERYBODY),
    "releases:csaf_root": Page(EVERYBODY),
    "releases:csaf_folder": Page(EVERYBODY, sample=csaf("")),
    "releases:csaf_changes": Page(EVERYBODY),
    "releases:csaf_provider": Page(EVERYBODY),
    "releases:rolie_feed": Page(EVERYBODY),
    "releases:rolie_categories": Page(EVERYBODY),
    "releases:rolie_service": Page(EVERYBODY),
    "releases:security_txt": Page(EVERYBODY),
    "releases:advisory": Page(EVERYBODY, sample=advisory("/advisories/{}/")),
    "releases:osv": Page(EVERYBODY, sample=advisory("/advisories/osv/{}.json")),
    "releases:csaf": Page(EVERYBODY, sample=csaf("{}")),
    "releases:csaf_signature": Page(EVERYBODY, sample=csaf("{}.asc")),
    "releases:csaf_checksum": Page(EVERYBODY, sample=csaf("{}.sha256")),
    "releases:early_advisories": Page(SIGNED_IN),
    "releases:early_advisory": Page({"alice", "technical"}, sample=early_notice),
    "releases:manage_advisories": Page(MANAGERS, sample=draft("/releases/manage/advisories/")),
    "releases:manage_advisory_new": Page(
        MANAGERS, sample=draft("/releases/manage/advisories/new/exampledb/")
    ),
    "releases:manage_advisory": Page(MANAGERS, sample=advisory(ADVISORY)),
    "releases:manage_advisory_edit": Page(MANAGERS, sample=advisory(f"{ADVISORY}edit/")),
    "releases:manage_advisory_publish": Page(
        MANAGERS, sample=advisory(f"{ADVISORY}publish/"), method="POST"
    ),
    "releases:manage_advisory_withdraw": Page(
        MANAGERS, sample=advisory(f"{ADVISORY}withdraw/"), method="POST"
    ),
    "releases:manage_advisory_notify": Page(
        MANAGERS, sample=advisory(f"{ADVISORY}notify/"), method="POST"
    ),
    "releases:rest_overview": Page(EVERYBODY),
    "releases:rest_products": Page(EVERYBODY),
    "releases:rest_mirrors": Page(EVERYBODY),
    "releases:rest_product": Page(EVERYBODY, sample=published(REST)),
    "releases:rest_all_releases": Page(EVERYBODY, sample=published(f"{REST}all-releases/")),
    "releases:rest_named": Page(EVERYBODY, sample=published(f"{REST}12.3/")),
    "releases:rest_latest": Page(EVERYBODY, sample=published(f"{REST}12.3/latest/")),
    "releases:rest_file": Page(EVERYBODY, sample=published(REST_FILE)),
    "releases:rest_checksum": Page(EVERYBODY, sample=published(f"{REST_FILE}/checksum/")),
    "releases:rest_signature": Page(EVERYBODY, sample=published(f"{REST_FILE}/signature/")),
    "releases:manage": Page(MANAGERS, sample=draft("/releases/manage/")),
    "releases:manage_new": Page(MANAGERS, sample=draft("/releases/manage/new/")),
    "releases:manage_release": Page(MANAGERS, sample=draft(MANAGED)),
    "releases:publish": Page(
        MANAGERS, sample=draft(f"{MANAGED}publish/"), method="POST", data={"confirm": "no"}
    ),
    **{
        f"releases:{name}": Page(MANAGERS, sample=draft(f"{MANAGED}{path}"), method=method)
        for name, path, method in [
            ("schedule", "schedule/", "POST"),
            ("unschedule", "unschedule/", "POST"),
            ("yank", "withdraw/", "POST"),
            ("restore", "restore/", "POST"),
            ("edit", "edit/", "GET"),
            ("delete", "delete/", "POST"),
            ("preview", "preview/", "GET"),
            ("checklist", "checklist.txt", "GET"),
            ("checklist_add", "checklist/", "POST"),
        ]
    },
    "releases:feed": Page(EVERYBODY, sample=published("/releases/feed.atom")),
    "releases:calendar": Page(EVERYBODY),
    "releases:endoflife": Page(EVERYBODY),
    **{
        f"releases:{name}": Page(EVERYBODY, sample=published(f"/releases/exampledb/{path}"))
        for name, path in [
            ("product_feed", "feed.json"),
            ("product_calendar", "calendar.ics"),
            ("product_endoflife", "endoflife.json"),
            ("roadmap", "roadmap.svg"),
            ("downloads", "downloads/"),
            ("downloads_csv", "downloads.csv"),
            ("series", "series/12.3/"),
        ]
    },
    "releases:checklist_step": Page(
        MANAGERS, sample=Place(make_draft, checklist_step), method="POST", data={"verb": "tick"}
    ),
    "releases:manage_list": Page(MANAGERS, sample=draft("/releases/manage/all/")),
    "releases:manage_list_csv": Page(MANAGERS, sample=draft("/releases/manage/all.csv")),
    "releases:manage_products": Page(MANAGERS, sample=draft("/releases/manage/products/")),
    "releases:manage_product_new": Page(NOBODY, sample=draft("/releases/manage/products/new/")),
    "releases:manage_product": Page(MANAGERS, sample=draft("/releases/manage/products/exampledb/")),
    "releases:manage_series_new": Page(
        MANAGERS, sample=draft("/releases/manage/products/exampledb/series/")
    ),
    "releases:manage_series": Page(
        MANAGERS, sample=draft("/releases/manage/products/exampledb/series/12.3/")
    ),
    "releases:manage_validity": Page(MANAGERS, sample=validity),
    "releases:manage_retention": Page(MANAGERS, sample=retention),
    "releases:upload": Page(MANAGERS, sample=draft(f"{MANAGED}uploads/"), method="POST"),
    "releases:withdraw_upload": Page(
        MANAGERS, sample=begun(MANAGED + "uploads/{}/withdraw/"), method="POST"
    ),
    **{
        f"releases:{name}": Page(EVERYBODY)
        for name in [
            *("mirrors", "mirrors_json", "mirror_run", "mirror_client", "mirror_manifest"),
            *("mirror_propose", "mirror_proposed"),
        ]
    },
    "releases:mirror_confirm": Page(EVERYBODY, sample=lambda cast: "/mirrors/confirm/token/"),
    "releases:manage_mirrors": Page(KEEPERS, sample=mirror("")),
    "releases:manage_mirror_new": Page(KEEPERS, sample=mirror("new/")),
    "releases:manage_mirror": Page(KEEPERS, sample=mirror("north/")),
    "releases:manage_mirror_state": Page(
        KEEPERS, sample=mirror("north/state/"), method="POST", data={"to": "paused"}
    ),
    "api:announce_upload": Page(MANAGERS, sample=draft("/api/v1/uploads"), method="POST"),
    "api:check_upload": Page(MANAGERS, sample=draft("/api/v1/uploads/check"), method="POST"),
    "api:upload": Page(MANAGERS, sample=begun("/api/v1/uploads/{}")),
    "api:finish_upload": Page(MANAGERS, sample=begun("/api/v1/uploads/{}/finish"), method="POST"),
}
