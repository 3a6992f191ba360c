"""Where a page of each view stands, with the demonstration data loaded."""

from django.urls import reverse
from django.utils import timezone

from releases.advisories.csaf import file_name
from releases.models import (
    Advisory,
    Alias,
    ChecklistItem,
    File,
    Mirror,
    Release,
    Repository,
    SigningKey,
)

MANAGE = "/releases/manage/advisories/"


def _release() -> Release:
    return Release.objects.published(timezone.now()).with_names().order_by("-published_at")[0]


def _file() -> File:
    return File.objects.downloadable().filter(release=_release())[0]


def _of_release(view: str) -> str:
    release = _release()
    return reverse(view, args=[release.series.product.slug, release.version])


def _of_file(view: str) -> str:
    release = _release()
    return reverse(view, args=[release.series.product.slug, release.version, _file().name])


def _of_mirror(view: str) -> str:
    return reverse(view, args=[Mirror.objects.earliest("pk").slug])


def page() -> str:
    return _release().get_absolute_url()


def product() -> str:
    return _release().series.product.get_absolute_url()


def checksum() -> str:
    release = _release()
    arguments = [release.series.product.slug, release.version, _file().name, "sha256"]
    return reverse("releases:checksum", args=arguments)


def checksums() -> str:
    release = _release()
    return reverse(
        "releases:checksums", args=[release.series.product.slug, release.version, "sha256"]
    )


def folder(view: str, *, is_deb: bool) -> str:
    """A repository's folder, when the worker and the signer have published one."""
    for repository in Repository.objects.live():
        if repository.system.is_deb == is_deb:
            return reverse(view, args=[repository.series.name])
    return reverse(f"{view}_root")


def key() -> str:
    found = SigningKey.objects.first()
    return reverse("releases:key", args=[found.name if found else "exampledb-keyring", "asc"])


def rest(below: str) -> str:
    """An address of the downloads REST API, about the newest release and its first file."""
    release = _release()
    words = {"version": release.version, "series": release.series.name, "file": _file().name}
    return f"/rest-api/{release.series.product.slug}/{below.format(**words)}"


def _of_draft(view: str) -> str:
    release = Release.objects.drafts(timezone.now()).with_names().order_by("-pk").first()
    release = release or _release()
    return reverse(view, args=[release.series.product.slug, release.version])


def checklist_step() -> str:
    item = ChecklistItem.objects.select_related("release__series__product").order_by("-pk")[0]
    release = item.release
    arguments = [release.series.product.slug, release.version, item.pk]
    return reverse("releases:checklist_step", args=arguments)


def series() -> str:
    return _release().series.get_absolute_url()


def _of_product(view: str) -> str:
    return reverse(view, args=[_release().series.product.slug])


def manage_series() -> str:
    series = _release().series
    return reverse("releases:manage_series", args=[series.product.slug, series.name])


def validity() -> str:
    found = Repository.objects.with_an_index_that_may_end().filter(series=_release().series)
    number = found.values_list("pk", flat=True).first() or 0
    return reverse("releases:manage_validity", args=[number])


def _upload() -> str:
    release = _release()
    return reverse("releases:upload", args=[release.series.product.slug, release.version])


def _withdraw() -> str:
    return f"{_upload()}00000000-0000-4000-8000-000000000000/withdraw/"


def advisory(path: str) -> str:
    """`path` with the identifier and the year of the newest public advisory."""
    found = Advisory.objects.published(timezone.now()).order_by("-published_at")[0]
    name = file_name(found.identifier)
    return path.format(found.identifier, year=f"{found.published_at:%Y}", name=name)


def signed_advisory() -> str:
    """The signature of the newest public advisory, which has one from here on."""
    found = Advisory.objects.published(timezone.now()).order_by("-published_at")[0]
    said = {"text": "{}", "signature": "signed", "signed_at": timezone.now()}
    if found.signed_document() is None:
        found.documents.create(number=found.revisions.count(), **said)
    return advisory("/advisories/csaf/{year}/{name}.asc")


def in_repository(view: str, *more: object) -> str:
    return reverse(view, args=[Repository.objects.earliest("pk").pk, *more])


def package_in_repository() -> str:
    held = Repository.objects.earliest("pk").memberships.earliest("pk")
    return in_repository("releases:manage_repository_package", held.package_id)


def of_alias(view: str) -> str:
    """An alias of the newest release; the worker makes them when it has published something."""
    series = _release().series
    alias, _ = Alias.objects.get_or_create(
        product=series.product,
        name="latest",
        defaults={"series": series, "moved_at": timezone.now()},
    )
    return reverse(view, args=[alias.pk])


SAMPLES = {
    "releases:manage_repository": lambda: in_repository("releases:manage_repository"),
    "releases:manage_repository_again": lambda: in_repository("releases:manage_repository_again"),
    "releases:manage_repository_packages": lambda: in_repository(
        "releases:manage_repository_packages"
    ),
    "releases:manage_repository_package": package_in_repository,
    "releases:manage_publication": lambda: in_repository("releases:manage_publication", 1),
    "releases:manage_publication_retry": lambda: in_repository(
        "releases:manage_publication_retry", 1
    ),
    "releases:manage_alias": lambda: of_alias("releases:manage_alias"),
    "releases:manage_alias_free": lambda: of_alias("releases:manage_alias_free"),
    "releases:upload": _upload,
    "releases:withdraw_upload": _withdraw,
    "releases:product": product,
    "releases:release": page,
    "releases:manage_release": lambda: _of_release("releases:manage_release"),
    "releases:publish": lambda: _of_release("releases:publish"),
    "releases:schedule": lambda: _of_release("releases:schedule"),
    "releases:unschedule": lambda: _of_release("releases:unschedule"),
    "releases:yank": lambda: _of_release("releases:yank"),
    "releases:restore": lambda: _of_release("releases:restore"),
    "releases:edit": lambda: _of_draft("releases:edit"),
    "releases:delete": lambda: _of_release("releases:delete"),
    "releases:preview": lambda: _of_draft("releases:preview"),
    "releases:checklist": lambda: _of_draft("releases:checklist"),
    "releases:checklist_add": lambda: _of_draft("releases:checklist_add"),
    "releases:checklist_step": checklist_step,
    "releases:manage_product": lambda: _of_product("releases:manage_product"),
    "releases:manage_series_new": lambda: _of_product("releases:manage_series_new"),
    "releases:manage_series": manage_series,
    "releases:manage_validity": validity,
    "releases:manage_retention": lambda: in_repository("releases:manage_retention"),
    "releases:feed": lambda: reverse("releases:feed", args=["atom"]),
    "releases:product_feed": lambda: f"{product()}feed.json",
    "releases:product_calendar": lambda: _of_product("releases:product_calendar"),
    "releases:product_endoflife": lambda: _of_product("releases:product_endoflife"),
    "releases:roadmap": lambda: _of_product("releases:roadmap"),
    "releases:series": series,
    "releases:downloads": lambda: _of_product("releases:downloads"),
    "releases:downloads_csv": lambda: _of_product("releases:downloads_csv"),
    "releases:manage_mirror": lambda: _of_mirror("releases:manage_mirror"),
    "releases:manage_mirror_state": lambda: _of_mirror("releases:manage_mirror_state"),
    "releases:mirror_confirm": lambda: reverse("releases:mirror_confirm", args=["token"]),
    "releases:checksums": checksums,
    "releases:checksum": checksum,
    "releases:signature": lambda: _of_file("releases:signature"),
    "releases:file": lambda: _of_file("releases:file"),
    "releases:apt": lambda: folder("releases:apt", is_deb=True),
    "releases:yum": lambda: folder("releases:yum", is_deb=False),
    "releases:key": key,
    "releases:advisory": lambda: advisory("/advisories/{}/"),
    "releases:early_advisory": lambda: advisory("/advisories/early/{}/"),
    "releases:osv": lambda: advisory("/advisories/osv/{}.json"),
    "releases:csaf_folder": lambda: advisory("/advisories/csaf/{year}/"),
    "releases:csaf": lambda: advisory("/advisories/csaf/{year}/{name}"),
    "releases:csaf_signature": signed_advisory,
    "releases:csaf_checksum": lambda: advisory("/advisories/csaf/{year}/{name}.sha256"),
    "releases:manage_advisory_new": lambda: f"{MANAGE}new/{_release().series.product.slug}/",
    "releases:manage_advisory": lambda: advisory(MANAGE + "{}/"),
    "releases:manage_advisory_edit": lambda: advisory(MANAGE + "{}/edit/"),
    "releases:manage_advisory_publish": lambda: advisory(MANAGE + "{}/publish/"),
    "releases:manage_advisory_withdraw": lambda: advisory(MANAGE + "{}/withdraw/"),
    "releases:manage_advisory_notify": lambda: advisory(MANAGE + "{}/notify/"),
    "releases:rest_product": lambda: rest(""),
    "releases:rest_all_releases": lambda: rest("all-releases/"),
    "releases:rest_named": lambda: rest("{series}/"),
    "releases:rest_latest": lambda: rest("{series}/latest/"),
    "releases:rest_file": lambda: rest("{version}/{file}"),
    "releases:rest_checksum": lambda: rest("{version}/{file}/checksum/"),
    "releases:rest_signature": lambda: rest("{version}/{file}/signature/"),
}
