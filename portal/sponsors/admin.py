"""Applications on the staff pages: staff approve and reject, and book transfers."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.accounts.models import User
from portal.payments.actions.payment import record_offline_payment
from portal.payments.admin import ReadOnly
from portal.sponsors.actions.agreement import publish_agreement
from portal.sponsors.actions.application import (
    approve_application,
    reject_application,
)
from portal.sponsors.actions.ordering import NotPossibleError
from portal.sponsors.actions.settlement import settle_order
from portal.sponsors.models import Agreement, Application
from portal.sponsors.models.application import ApplicationState


class DecisionForm(forms.ModelForm[Application]):
    """What may be done with the application in its state; the reason goes into the letter."""

    APPROVE, REJECT, RECORD = "approve", "reject", "record"
    decision = forms.ChoiceField(label=_("decision"), required=False)
    words = forms.CharField(
        label=_("reason or reference"),
        required=False,
        widget=forms.Textarea,
        help_text=_("The reason goes into the letter; for a transfer, the line of the statement."),
    )

    class Meta:
        model = Application
        fields: tuple[str, ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered = {
            ApplicationState.REVIEW: [(self.APPROVE, _("approve")), (self.REJECT, _("reject"))],
            ApplicationState.PAYMENT: [(self.RECORD, _("the transfer is on our account"))],
        }.get(ApplicationState(self.instance.state), [])
        self.fields["decision"].choices = [("", "—"), *offered]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean() or self.cleaned_data
        wants_words = {self.REJECT, self.RECORD}
        if cleaned.get("decision") in wants_words and not cleaned.get("words", "").strip():
            self.add_error("words", _("Write the reason, or the line of the bank statement."))
        return cleaned


@admin.register(Application)
class ApplicationAdmin(ReadOnly, admin.ModelAdmin[Application]):
    form = DecisionForm
    list_display = ["name", "tier", "state", "owner_email", "submitted_at"]
    list_filter = ["state", "tier"]
    search_fields = ["name", "legal_name", "owner_email", "reference"]
    list_select_related = ["tier"]
    fields = ["decision", "words"]

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return self.has_view_permission(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: object = None) -> list[str]:
        hidden = {"id", "logo"}
        return [f.name for f in Application._meta.fields if f.name not in hidden]

    def get_fields(self, request: HttpRequest, obj: Application | None = None) -> list[Any]:
        return ["decision", "words", *self.get_readonly_fields(request, obj)]

    def save_model(
        self, request: HttpRequest, obj: Application, form: forms.ModelForm[Any], change: bool
    ) -> None:
        """The decision, by the same verbs as everywhere. Nothing else can be changed here."""
        actor = cast(User, request.user)
        words = form.cleaned_data.get("words", "").strip()
        try:
            match form.cleaned_data.get("decision"):
                case DecisionForm.APPROVE:
                    approve_application(
                        actor=actor, application=obj, reason=words, at=timezone.now()
                    )
                case DecisionForm.REJECT:
                    reject_application(actor=actor, application=obj, reason=words)
                case DecisionForm.RECORD:
                    self._record(request, obj, words)
        except NotPossibleError as error:
            self.message_user(request, str(error), messages.ERROR)

    def _record(self, request: HttpRequest, application: Application, words: str) -> None:
        actor = cast(User, request.user)
        if application.order is None:
            raise NotPossibleError(_("There is nothing to pay."))
        with transaction.atomic():
            order = record_offline_payment(
                actor=actor,
                order=application.order,
                amount=application.order.amount,
                statement_ref=words,
                at=timezone.now(),
            )
            settle_order(order=order)


@admin.register(Agreement)
class AgreementAdmin(ReadOnly, admin.ModelAdmin[Agreement]):
    list_display = ["title", "version", "in_force_from", "sha256"]

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return self.has_view_permission(request)

    def get_fields(self, request: HttpRequest, obj: Agreement | None = None) -> list[Any]:
        names = ["title", "text", "in_force_from"]
        return [*names, "version", "sha256"] if obj else names

    def save_model(
        self, request: HttpRequest, obj: Agreement, form: forms.ModelForm[Any], change: bool
    ) -> None:
        kept = publish_agreement(
            actor=cast(User, request.user),
            title=obj.title,
            text=obj.text,
            in_force_from=obj.in_force_from,
        )
        obj.pk = kept.pk
