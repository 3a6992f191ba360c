"""Catalogue, downloads, generator, repositories and keys."""

from django.urls import URLPattern, URLResolver, include, path, re_path

from releases.views import catalogue, download, generator, manage

app_name = "releases"

FILE = "releases/<slug:product>/<str:version>/"

urlpatterns: list[URLPattern | URLResolver] = [
    path("releases/", catalogue.release_list, name="list"),
    path("releases/manage/", manage.overview, name="manage"),
    path("releases/manage/new/", manage.new_release, name="manage_new"),
    path(
        "releases/manage/<slug:product>/<str:version>/",
        manage.manage_release,
        name="manage_release",
    ),
    path("releases/manage/<slug:product>/<str:version>/publish/", manage.publish, name="publish"),
    path("releases/portal_upload.py", download.upload_client, name="upload_client"),
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
    path("repo/", download.apt_path, name="apt_root"),
    path("repo/<path:path>", download.apt_path, name="apt"),
    path("yum/", download.yum_path, name="yum_root"),
    path("yum/<path:path>", download.yum_path, name="yum"),
    path("rest-api/", include("releases.restapi.urls")),
    re_path(r"^keys/(?P<name>[-\w]+)\.(?P<form>asc|pgp)$", download.public_key, name="key"),
]
