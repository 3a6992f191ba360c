"""Addresses of the downloads REST API. Each answers with and without a slash at its end."""

from django.urls import URLPattern, path, re_path

from releases.restapi import views

PRODUCT = r"^(?P<product>[-\w]+)/"
FILE = PRODUCT + r"(?P<version>[^/]+)/(?P<name>[^/]+)/"

urlpatterns: list[URLPattern] = [
    path("", views.overview, name="rest_overview"),
    re_path(r"^products/?$", views.products, name="rest_products"),
    re_path(r"^mirrors/?$", views.mirrors, name="rest_mirrors"),
    re_path(r"^(?P<product>[-\w]+)/?$", views.product, name="rest_product"),
    re_path(PRODUCT + r"all-releases/?$", views.all_releases, name="rest_all_releases"),
    re_path(PRODUCT + r"(?P<name>[^/]+)/?$", views.named, name="rest_named"),
    re_path(PRODUCT + r"(?P<series>[^/]+)/latest/?$", views.latest, name="rest_latest"),
    re_path(FILE + r"checksum/?$", views.checksum, name="rest_checksum"),
    re_path(FILE + r"signature/?$", views.signature, name="rest_signature"),
    re_path(PRODUCT + r"(?P<version>[^/]+)/(?P<name>[^/]+)/?$", views.file, name="rest_file"),
]
