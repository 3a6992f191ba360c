"""Staff write announcements here; the actions keep them."""

from typing import Any, cast

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from portal.accounts.models import User
from portal.news.actions.announcement import remove_announcement, save_announcement
from portal.news.models import Announcement


@admin.register(Announcement)
class AnnouncementAdmin(admin.ModelAdmin[Announcement]):
    list_display = ["title", "published_at", "author", "updated_at"]
    list_filter = ["published_at"]
    search_fields = ["title", "summary", "body"]
    fields = ["title", "slug", "summary", "body", "published_at"]
    prepopulated_fields = {"slug": ["title"]}

    def save_model(
        self, request: HttpRequest, obj: Announcement, form: forms.ModelForm[Any], change: bool
    ) -> None:
        save_announcement(actor=cast(User, request.user), announcement=obj)

    def delete_model(self, request: HttpRequest, obj: Announcement) -> None:
        remove_announcement(actor=cast(User, request.user), announcement=obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Announcement]) -> None:
        for announcement in queryset:
            self.delete_model(request, announcement)
