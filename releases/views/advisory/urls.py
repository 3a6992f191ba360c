"""Addresses of advisories. Those of early readers and documents come before the identifiers."""

from django.urls import URLPattern, path, re_path

from releases.advisories import rolie as names
from releases.views.advisory import csaf, feed, manage, osv, public, rolie, security_txt

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
    path("advisories/feed.atom", feed.AdvisoryFeed(), name="advisory_feed"),
    path("advisories/early/", public.early_list, name="early_advisories"),
    path("advisories/early/<slug:identifier>/", public.early_detail, name="early_advisory"),
    path("advisories/osv/all.json", osv.osv_all, name="osv_all"),
    path("advisories/osv/all.zip", osv.osv_zip, name="osv_zip"),
    path("advisories/osv/<slug:identifier>.json", osv.osv_entry, name="osv"),
    path("advisories/csaf/", csaf.csaf_folder, name="csaf_root"),
    re_path(r"^advisories/csaf/(?P<year>[0-9]{4})/$", csaf.csaf_folder, name="csaf_folder"),
    path("advisories/csaf/index.txt", csaf.csaf_index, name="csaf_index"),
    path("advisories/csaf/changes.csv", csaf.csaf_changes, name="csaf_changes"),
    path(f"advisories/csaf/{names.FEED}.json", rolie.rolie_feed, name="rolie_feed"),
    path(
        f"advisories/csaf/{names.CATEGORIES}.json", rolie.rolie_categories, name="rolie_categories"
    ),
    re_path(CSAF + "$", csaf.csaf_document, name="csaf"),
    re_path(CSAF + r"\.asc$", csaf.csaf_signature, name="csaf_signature"),
    re_path(CSAF + r"\.(?P<algorithm>sha256|sha512)$", csaf.csaf_checksum, name="csaf_checksum"),
    path(".well-known/csaf/provider-metadata.json", csaf.csaf_provider, name="csaf_provider"),
    path(".well-known/csaf/service.json", rolie.rolie_service, name="rolie_service"),
    path(".well-known/security.txt", security_txt.security_txt, name="security_txt"),
    path("advisories/<slug:identifier>/", public.advisory_detail, name="advisory"),
]
