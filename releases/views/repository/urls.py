"""Addresses of the repository pages of release managers."""

from django.urls import URLPattern, path

from releases.views.repository import alias, listing, package, publication, retention

REPOSITORIES = "releases/manage/repositories/"
ALIAS = REPOSITORIES + "aliases/<int:number>/"
ONE = REPOSITORIES + "<int:number>/"
PUBLICATION = ONE + "<int:serial>/"
PACKAGE = ONE + "packages/<int:package>/"

MANAGE_REPOSITORIES: list[URLPattern] = [
    path(REPOSITORIES, listing.repository_table, name="manage_repositories"),
    path(
        "releases/manage/repositories.csv", listing.repository_csv, name="manage_repositories_csv"
    ),
    path(REPOSITORIES + "aliases/", alias.alias_list, name="manage_aliases"),
    path(ALIAS, alias.manage_alias, name="manage_alias"),
    path(ALIAS + "free/", alias.free, name="manage_alias_free"),
    path(ONE, publication.manage_repository, name="manage_repository"),
    path(ONE + "again/", publication.again, name="manage_repository_again"),
    path(ONE + "retention/", retention.manage_retention, name="manage_retention"),
    path(ONE + "packages/", package.package_list, name="manage_repository_packages"),
    path(PACKAGE, package.manage_package, name="manage_repository_package"),
    path(PUBLICATION, publication.manage_publication, name="manage_publication"),
    path(PUBLICATION + "try-again/", publication.retry, name="manage_publication_retry"),
]
