"""Staff keep bodies, seats, terms and rules here; the actions keep the promises."""

from datetime import date
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext as _

from governance.actions import body as body_actions
from governance.actions import rule_set as rule_set_actions
from governance.actions import seat as seat_actions
from governance.admin.rows import KeptForever
from governance.bodies import appointments
from governance.models import Body, RuleSet, Seat, SeatTerm
from governance.refusals import Refusal
from portal.accounts.models import User


@admin.register(Body)
class BodyAdmin(KeptForever, admin.ModelAdmin[Body]):
    list_display = ["name", "kind", "since", "until"]
    prepopulated_fields = {"slug": ["name"]}

    def save_model(
        self, request: HttpRequest, obj: Body, form: forms.ModelForm[Any], change: bool
    ) -> None:
        body_actions.save_body(actor=cast(User, request.user), body=obj)


class SeatForm(forms.ModelForm[Seat]):
    class Meta:
        model = Seat
        fields = "__all__"  # noqa: DJ007 - staff keep every field of a seat

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                body_actions.check_kept(
                    seat=Seat(body=cleaned["body"], is_voting=cleaned["is_voting"])
                )
            except Refusal as refusal:
                raise forms.ValidationError(str(refusal)) from refusal
        return cleaned


@admin.register(Seat)
class SeatAdmin(KeptForever, admin.ModelAdmin[Seat]):
    form = SeatForm
    list_display = ["body", "number", "is_voting", "constituency", "office", "since", "until"]
    list_filter = ["body", "is_voting", "constituency"]
    search_fields = ["body__name", "title"]

    def save_model(
        self, request: HttpRequest, obj: Seat, form: forms.ModelForm[Any], change: bool
    ) -> None:
        body_actions.save_seat(actor=cast(User, request.user), seat=obj)


class SeatTermForm(forms.ModelForm[SeatTerm]):
    """Words the refusals of the actions beside the fields."""

    class Meta:
        model = SeatTerm
        fields = [
            *("seat", "user", "since", "until", "entry", "affiliation", "decided_by", "exception")
        ]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        names = ("seat", "user", "since", "until")
        if self.instance._state.adding:
            self._refuse_new({name: cleaned[name] for name in names})
        elif self._is_lengthened(cleaned["until"]):
            self.add_error("until", _("A term is ended early here, never lengthened."))
        return cleaned

    def _refuse_new(self, wanted: dict[str, Any]) -> None:
        try:
            seat_actions.check_seat(**wanted)
        except Refusal as refusal:
            raise forms.ValidationError(str(refusal)) from refusal
        exceeded = appointments.exceeded(**wanted, affiliation=self.cleaned_data["affiliation"])
        if exceeded and not self.cleaned_data["exception"]:
            self.add_error("exception", " ".join(exceeded))

    def _is_lengthened(self, until: date | None) -> bool:
        kept = SeatTerm.objects.get(pk=self.instance.pk)
        if until is None:
            return kept.until is not None
        return until <= kept.since or (kept.until is not None and until > kept.until)


@admin.register(SeatTerm)
class SeatTermAdmin(KeptForever, admin.ModelAdmin[SeatTerm]):
    """A term is begun here and ended here; who held which seat since when is not rewritten."""

    form = SeatTermForm
    list_display = ["user", "seat", "since", "until", "affiliation"]
    list_filter = ["seat__body", "seat__is_voting"]
    search_fields = ["user__name", "user__email", "affiliation"]
    autocomplete_fields = ["seat"]
    raw_id_fields = ["user", "decided_by"]

    def get_readonly_fields(self, request: HttpRequest, obj: SeatTerm | None = None) -> list[str]:
        return ["seat", "user", "since", "entry", "exception"] if obj else []

    def save_model(
        self, request: HttpRequest, obj: SeatTerm, form: forms.ModelForm[Any], change: bool
    ) -> None:
        actor = cast(User, request.user)
        if not change:
            term = seat_actions.seat_person(
                actor=actor,
                seat=obj.seat,
                user=obj.user,
                since=obj.since,
                until=obj.until,
                affiliation=obj.affiliation,
                decided_by=obj.decided_by,
                entry=SeatTerm.Entry(obj.entry),
                exception=obj.exception,
            )
            obj.pk = term.pk
            return
        obj.save(update_fields=["affiliation", "decided_by"])
        if "until" in form.changed_data and obj.until is not None:
            seat_actions.end_term(actor=actor, term=obj, on=obj.until)


@admin.register(RuleSet)
class RuleSetAdmin(KeptForever, admin.ModelAdmin[RuleSet]):
    """Saving a version that votes were opened under writes the next one beside it."""

    list_display = ["body", "name", "version", "since", "quorum", "threshold"]
    list_filter = ["body"]

    def save_model(
        self, request: HttpRequest, obj: RuleSet, form: forms.ModelForm[Any], change: bool
    ) -> None:
        actor = cast(User, request.user)
        if change and not obj.is_pinned:
            rule_set_actions.change_rule_set(actor=actor, rule_set=obj)
            return
        obj.pk = None
        rule_set_actions.write_rule_set(actor=actor, rule_set=obj)
        if change:
            words = {"version": obj.version}
            self.message_user(
                request, _("Votes used that version; yours is version %(version)s.") % words
            )
