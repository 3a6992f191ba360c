"""People as records for staff. An account is closed, never deleted: others' records point to it."""

from typing import Any, cast

from allauth.account import admin as _addresses
from allauth.account.models import EmailAddress
from allauth.mfa import admin as _factors
from allauth.mfa.models import Authenticator
from allauth.usersessions import admin as _sessions
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import admin, messages
from django.contrib.auth import admin as _groups
from django.contrib.auth.models import Group
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from portal.accounts.access import has_second_factor
from portal.accounts.actions.account import (
    LastOfStaffError,
    close_account,
    rename_person,
    reopen_account,
    reset_second_factor,
)
from portal.accounts.actions.token import revoke_token
from portal.accounts.models import ApiToken, RoleGrant, User
from portal.lib.admin import ReadOnlyAdmin

# What the libraries register would show secrets, or change what only actions may change.
LIBRARIES = (_addresses, _factors, _sessions, _groups)
for hidden in (EmailAddress, Authenticator, UserSession, Group):
    admin.site.unregister(hidden)


@admin.register(User)
class UserAdmin(admin.ModelAdmin[User]):
    list_display = ["name", "email", "is_active", "second_factor", "joined_at"]
    list_display_links = ["name", "email"]
    list_filter = ["is_active", "role_grants__role"]
    search_fields = ["name", "email"]
    fields = ["name", "email", "is_active", "joined_at", "last_login"]
    readonly_fields = ["email", "is_active", "joined_at", "last_login"]
    actions = ["close_accounts", "reopen_accounts", "reset_second_factors"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def save_model(
        self, request: HttpRequest, obj: User, form: forms.ModelForm[Any], change: bool
    ) -> None:
        user = User.objects.get(pk=obj.pk)
        rename_person(actor=cast(User, request.user), user=user, name=obj.name)

    @admin.display(boolean=True, description=_("second factor"))
    def second_factor(self, user: User) -> bool:
        return has_second_factor(user)

    @admin.action(description=_("Close the accounts: nobody signs in with them"))
    def close_accounts(self, request: HttpRequest, users: QuerySet[User]) -> None:
        for user in users.filter(is_active=True):
            try:
                close_account(actor=cast(User, request.user), user=user)
            except LastOfStaffError:
                said = _("%(person)s is the last of the staff and stays.") % {"person": user}
                self.message_user(request, said, messages.ERROR)

    @admin.action(description=_("Reopen the accounts"))
    def reopen_accounts(self, request: HttpRequest, users: QuerySet[User]) -> None:
        for user in users:
            reopen_account(actor=cast(User, request.user), user=user)

    @admin.action(description=_("Reset the second factor, after asking who they are"))
    def reset_second_factors(self, request: HttpRequest, users: QuerySet[User]) -> None:
        for user in users:
            reset_second_factor(actor=cast(User, request.user), user=user, reason="staff pages")


@admin.register(RoleGrant)
class RoleGrantAdmin(ReadOnlyAdmin):
    list_display = ["user", "role", "scope_kind", "scope_slug", "since", "until"]
    list_select_related = ["user"]
    list_filter = ["role"]
    search_fields = ["user__name", "user__email", "scope_slug"]


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    list_display = ["name", "user", "prefix", "scopes", "last_used_at", "expires_at", "revoked_at"]
    list_select_related = ["user"]
    search_fields = ["name", "prefix", "user__email"]
    actions = ["revoke_tokens"]

    @admin.action(description=_("Revoke the tokens"), permissions=["view"])
    def revoke_tokens(self, request: HttpRequest, tokens: QuerySet[ApiToken]) -> None:
        for token in tokens:
            revoke_token(actor=cast(User, request.user), token=token)
