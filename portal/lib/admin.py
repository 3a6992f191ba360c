"""The log and the outbox as records: to read. The staff's pages for them are in accounts."""

from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest

from portal.lib.models import AuditEntry, OutboxMail


class ReadOnlyAdmin(admin.ModelAdmin[Any]):
    """Rows that only actions write: nothing is added, changed or deleted here."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = ["at", "actor", "verb", "subject_name"]
    list_select_related = ["actor"]
    search_fields = ["verb", "subject_name", "actor__email"]
    date_hierarchy = "at"


@admin.register(OutboxMail)
class OutboxMailAdmin(ReadOnlyAdmin):
    """The text stays hidden: it may hold a link that signs somebody in."""

    list_display = ["subject", "recipient", "created_at", "attempts", "sent_at", "given_up_at"]
    search_fields = ["subject", "recipient"]
    exclude = ["text", "html"]
