"""Table of contents of the site. Public addresses are kept for ever (docs/urls.md)."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from portal.api import api

admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("portal.news.urls")),
    path("", include("portal.accounts.urls")),
    path("", include("portal.payments.urls")),
    path("", include("portal.members.urls")),
    path("", include("portal.sponsors.urls")),
    path("", include("releases.urls")),
    path("", include("governance.urls")),
    path("", include("feedback.urls")),
    path("", include("benchmarks.urls")),
    path("accounts/", include("allauth.urls")),
    path("staff/", admin.site.urls),
    path("api/v1/", api.urls),
]
