"""Catalogue, downloads, generator, repositories and keys."""

from django.urls import URLPattern, URLResolver, include, path, re_path

from releases.views import (
    catalogue,
    checklist,
    download,
    draft,
    feeds,
    generator,
    key,
    manage,
    manage_list,
    manage_mirror,
    mirror,
    products,
    schedule,
    setup_script,
    statistics,
    upload,
    validity,
    yank,
)
from releases.views.advisory.urls import ADVISORIES, MANAGE_ADVISORIES
from releases.views.repository.urls import MANAGE_REPOSITORIES

app_name = "releases"

PRODUCT = "releases/manage/products/<slug:product>/"
MANAGED = "releases/manage/<slug:product>/<str:version>/"
FILE = "releases/<slug:product>/<str:version>/"

urlpatterns: list[URLPattern | URLResolver] = [
    path("releases/", catalogue.release_list, name="list"),
    path("releases/manage/", manage.overview, name="manage"),
    path("releases/manage/keys/", key.manage_keys, name="manage_keys"),
    path("releases/manage/new/", manage.new_release, name="manage_new"),
    *MANAGE_ADVISORIES,
    *MANAGE_REPOSITORIES,
    path("releases/manage/all/", manage_list.release_table, name="manage_list"),
    path("releases/manage/all.csv", manage_list.release_csv, name="manage_list_csv"),
    path("releases/manage/products/", products.product_list, name="manage_products"),
    path("releases/manage/products/new/", products.new_product, name="manage_product_new"),
    path(PRODUCT, products.edit, name="manage_product"),
    path(
        "releases/manage/products/<slug:product>/series/",
        products.new_series,
        name="manage_series_new",
    ),
    path(
        "releases/manage/products/<slug:product>/series/<str:name>/",
        products.edit_series,
        name="manage_series",
    ),
    path(
        "releases/manage/repositories/<int:number>/validity/",
        validity.manage_validity,
        name="manage_validity",
    ),
    path("releases/manage/mirrors/", manage_mirror.mirrors, name="manage_mirrors"),
    path("releases/manage/mirrors/new/", manage_mirror.new_mirror, name="manage_mirror_new"),
    path("releases/manage/mirrors/<slug:slug>/", manage_mirror.manage_mirror, name="manage_mirror"),
    path(
        "releases/manage/mirrors/<slug:slug>/state/",
        manage_mirror.change_mirror,
        name="manage_mirror_state",
    ),
    path(
        "releases/manage/<slug:product>/<str:version>/",
        manage.manage_release,
        name="manage_release",
    ),
    path(MANAGED + "publish/", manage.publish, name="publish"),
    path(MANAGED + "schedule/", schedule.schedule, name="schedule"),
    path(MANAGED + "unschedule/", schedule.unschedule, name="unschedule"),
    path(MANAGED + "withdraw/", yank.yank, name="yank"),
    path(MANAGED + "restore/", yank.restore, name="restore"),
    path(MANAGED + "edit/", draft.edit, name="edit"),
    path(MANAGED + "delete/", draft.delete, name="delete"),
    path(MANAGED + "preview/", draft.preview, name="preview"),
    path(MANAGED + "checklist/", checklist.add_step, name="checklist_add"),
    path(MANAGED + "checklist/<int:item>/", checklist.step, name="checklist_step"),
    path(MANAGED + "checklist.txt", checklist.as_text, name="checklist"),
    path(MANAGED + "uploads/", upload.upload_files, name="upload"),
    path(MANAGED + "uploads/<uuid:upload_id>/withdraw/", upload.withdraw, name="withdraw_upload"),
    path("releases/portal_upload.py", download.upload_client, name="upload_client"),
    path(
        "releases/portal_upload.py.sha256",
        download.upload_client_checksum,
        name="upload_client_checksum",
    ),
    re_path(r"^releases/feed\.(?P<form>atom|json)$", feeds.feed, name="feed"),
    path("releases/calendar.ics", feeds.calendar, name="calendar"),
    path("releases/endoflife.json", feeds.dates, name="endoflife"),
    re_path(
        r"^releases/(?P<product>[-\w]+)/feed\.(?P<form>atom|json)$", feeds.feed, name="product_feed"
    ),
    path("releases/<slug:product>/calendar.ics", feeds.calendar, name="product_calendar"),
    path("releases/<slug:product>/endoflife.json", feeds.product_dates, name="product_endoflife"),
    path("releases/<slug:product>/roadmap.svg", feeds.roadmap, name="roadmap"),
    path("releases/<slug:product>/downloads/", statistics.downloads, name="downloads"),
    path("releases/<slug:product>/downloads.csv", statistics.downloads_csv, name="downloads_csv"),
    path("releases/<slug:product>/series/<str:name>/", catalogue.series_detail, name="series"),
    path("releases/<slug:product>/", catalogue.product_detail, name="product"),
    path(FILE, catalogue.release_detail, name="release"),
    path(FILE + "<str:algorithm>sums.txt", download.release_checksums, name="checksums"),
    path(FILE + "<str:name>.asc", download.release_file_signature, name="signature"),
    re_path(
        r"^releases/(?P<product>[-\w]+)/(?P<version>[^/]+)/(?P<name>[^/]+)"
        r"\.(?P<algorithm>md5|sha1|sha256|sha512)$",
        download.release_file_checksum,
        name="checksum",
    ),
    path(FILE + "<str:name>", download.release_file, name="file"),
    path("repositories/", generator.generator, name="generator"),
    path("repo_setup", setup_script.setup_script, name="setup_script"),
    path("repo_setup.sha256", setup_script.setup_script_checksum, name="setup_script_checksum"),
    path("repo_setup.asc", setup_script.setup_script_signature, name="setup_script_signature"),
    path("repo/", download.apt_path, name="apt_root"),
    path("repo/<path:path>", download.apt_path, name="apt"),
    path("yum/", download.yum_path, name="yum_root"),
    path("yum/<path:path>", download.yum_path, name="yum"),
    path("mirrors/", mirror.mirror_list, name="mirrors"),
    path("mirrors/status.json", mirror.mirror_json, name="mirrors_json"),
    path("mirrors/run/", mirror.run, name="mirror_run"),
    path("mirrors/portal_mirror.py", mirror.sync_client, name="mirror_client"),
    path("mirrors/manifest.txt", mirror.mirror_manifest, name="mirror_manifest"),
    path("mirrors/propose/", mirror.propose, name="mirror_propose"),
    path("mirrors/propose/sent/", mirror.proposed, name="mirror_proposed"),
    path("mirrors/confirm/<str:token>/", mirror.confirm, name="mirror_confirm"),
    *ADVISORIES,
    path("rest-api/", include("releases.restapi.urls")),
    path("keys/", key.key_list, name="keys"),
    re_path(r"^keys/(?P<name>[-\w]+)\.(?P<form>asc|pgp)$", key.public_key, name="key"),
]
