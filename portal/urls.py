"""Table of contents of the site. Public addresses are kept for ever (docs/urls.md)."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.contrib.sitemaps.views import sitemap
from django.urls import URLPattern, URLResolver, include, path

from portal import health, metrics, views, webhooks
from portal.api import api
from portal.sitemaps import SITEMAPS

admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

handler500 = views.server_error

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.home_page, name="home"),
    path("theme/", views.theme, name="theme"),
    path("language/", views.language_choice, name="language"),
    path("styleguide/", views.styleguide_page, name="styleguide"),
    path("csp-report/", views.csp_report, name="csp_report"),
    path("robots.txt", views.robots, name="robots"),
    path("favicon.ico", views.favicon, name="favicon"),
    path("sitemap.xml", sitemap, {"sitemaps": SITEMAPS}, name="sitemap"),
    path("", include("portal.cards.urls")),
    path("", include("portal.search.urls")),
    path("", include("portal.newsroom.urls")),
    path("", include("portal.news.urls")),
    path("", include("portal.accounts.urls")),
    path("webhooks/stripe/", webhooks.stripe, name="stripe_webhook"),
    path("", include("portal.payments.urls")),
    path("", include("portal.members.urls")),
    path("", include("portal.sponsors.urls")),
    path("", include("portal.donations.urls")),
    path("books/", include("portal.books.urls")),
    path("", include("releases.urls")),
    path("", include("governance.urls")),
    path("", include("feedback.urls")),
    path("", include("benchmarks.urls")),
    path("accounts/", include("allauth.urls")),
    path("staff/", admin.site.urls),
    path("api/v1/", api.urls),
    path("health/live", health.live, name="health_live"),
    path("health/ready", health.ready, name="health_ready"),
    path("metrics", metrics.metrics, name="metrics"),
]
