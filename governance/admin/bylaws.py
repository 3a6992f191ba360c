"""Staff name bylaws and record the versions that were adopted before votes were held here."""

from typing import Any, cast

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from governance.actions import bylaws as actions
from governance.admin.rows import KeptForever
from governance.bylaws import words as bylaws_words
from governance.bylaws.text import UnreadableError, read
from governance.models import Bylaws, Version
from portal.accounts.models import User


@admin.register(Bylaws)
class BylawsAdmin(KeptForever, admin.ModelAdmin[Bylaws]):
    list_display = ["name", "cited_as", "body", "subject"]
    prepopulated_fields = {"slug": ["name"]}

    def save_model(
        self, request: HttpRequest, obj: Bylaws, form: forms.ModelForm[Any], change: bool
    ) -> None:
        actions.save_bylaws(actor=cast(User, request.user), bylaws=obj)


class VersionForm(forms.ModelForm[Version]):
    """Words the refusals of the action beside the fields."""

    class Meta:
        model = Version
        fields = ["bylaws", "text", "adopted_on", "effective_on", "note"]

    def clean_text(self) -> str:
        try:
            read(self.cleaned_data["text"])
        except UnreadableError as error:
            raise forms.ValidationError(bylaws_words.fault(error)) from error
        return str(self.cleaned_data["text"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            refusal = actions.not_to_record(
                cleaned["bylaws"], cleaned["adopted_on"], cleaned["effective_on"]
            )
            if refusal is not None:
                raise forms.ValidationError(str(refusal))
        return cleaned


@admin.register(Version)
class VersionAdmin(KeptForever, admin.ModelAdmin[Version]):
    """The oldest first; once a version was adopted by a vote here, a vote is the only way."""

    form = VersionForm
    list_display = ["bylaws", "number", "adopted_on", "effective_on", "adopted_by"]
    list_filter = ["bylaws"]

    def has_change_permission(self, request: HttpRequest, obj: Version | None = None) -> bool:
        return False

    def save_model(
        self, request: HttpRequest, obj: Version, form: forms.ModelForm[Any], change: bool
    ) -> None:
        sent = form.cleaned_data
        kept = actions.record_version(actor=cast(User, request.user), **sent)
        obj.pk, obj.number = kept.pk, kept.number
