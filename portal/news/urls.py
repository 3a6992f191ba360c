"""Pages of this app."""

from django.urls import path

from portal.news import views
from portal.news.feeds import NewsFeed

app_name = "news"

urlpatterns = [
    path("news/", views.announcement_list, name="list"),
    path("news/feed.atom", NewsFeed(), name="feed"),
    path("news/<slug:slug>/", views.announcement_detail, name="detail"),
]
