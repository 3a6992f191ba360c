"""Addresses of advisories. Those of early readers and documents come before the identifiers."""

from django.urls import URLPattern, path, re_path

from releases.views.advisory import documents, manage, public

MANAGE = "releases/manage/advisories/"
CSAF = r"^advisories/csaf/(?P<year>[0-9]{4})/(?P<name>[-a-z0-9_+]+\.json)"

MANAGE_ADVISORIES: list[URLPattern] = [
    path(MANAGE, manage.overview, name="manage_advisories"),
    path(MANAGE + "new/<slug:product>/", manage.new, name="manage_advisory_new"),
    path(MANAGE + "<slug:identifier>/", manage.detail, name="manage_advisory"),
    path(MANAGE + "<slug:identifier>/edit/", manage.edit, name="manage_advisory_edit"),
    path(MANAGE + "<slug:identifier>/publish/", manage.publish, name="manage_advisory_publish"),
    path(MANAGE + "<slug:identifier>/withdraw/", manage.withdraw, name="manage_advisory_withdraw"),
    path(MANAGE + "<slug:identifier>/notify/", manage.notify, name="manage_advisory_notify"),
]

ADVISORIES: list[URLPattern] = [
    path("advisories/", public.advisory_list, name="advisories"),
    path("advisories/feed.atom", documents.AdvisoryFeed(), name="advisory_feed"),
    path("advisories/early/", public.early_list, name="early_advisories"),
    path("advisories/early/<slug:identifier>/", public.early_detail, name="early_advisory"),
    path("advisories/osv/all.json", documents.osv_all, name="osv_all"),
    path("advisories/osv/all.zip", documents.osv_zip, name="osv_zip"),
    path("advisories/osv/<slug:identifier>.json", documents.osv_entry, name="osv"),
    path("advisories/csaf/", documents.csaf_folder, name="csaf_root"),
    re_path(r"^advisories/csaf/(?P<year>[0-9]{4})/$", documents.csaf_folder, name="csaf_folder"),
    path("advisories/csaf/index.txt", documents.csaf_index, name="csaf_index"),
    path("advisories/csaf/changes.csv", documents.csaf_changes, name="csaf_changes"),
    re_path(CSAF + "$", documents.csaf_document, name="csaf"),
    re_path(CSAF + r"\.asc$", documents.csaf_signature, name="csaf_signature"),
    re_path(
        CSAF + r"\.(?P<algorithm>sha256|sha512)$", documents.csaf_checksum, name="csaf_checksum"
    ),
    path(".well-known/csaf/provider-metadata.json", documents.csaf_provider, name="csaf_provider"),
    path("advisories/<slug:identifier>/", public.advisory_detail, name="advisory"),
]
