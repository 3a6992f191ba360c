"""A line of the bank statement, and what is to be said when one was wrong."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from portal.books.actions.transfer import TransferError, check_transfer, due, statement_line
from portal.books.forms.amount import AmountField, in_money, typed
from portal.lib.days import DayField
from portal.lib.money import EXPONENTS
from portal.payments.arithmetic import EntryKind
from portal.payments.models import LedgerEntry, Order, Subscription


class TransferForm(forms.Form):
    kind = forms.ChoiceField(
        label=_("What the bank did"),
        choices=[
            (EntryKind.PAYMENT.value, _("Money came in")),
            (EntryKind.REFUND.value, _("We sent money back")),
        ],
        widget=forms.RadioSelect,
    )
    amount = AmountField(label=_("Amount"))
    currency = forms.ChoiceField(label=_("Currency"), choices=[(c, c) for c in EXPONENTS])
    booked_on = DayField(label=_("Day on the statement"), widget=forms.DateInput({"type": "date"}))
    line = forms.CharField(
        label=_("Line of the statement"),
        max_length=200,
        help_text=_("Number and line, or the bank's reference. Each can be booked once."),
    )

    def __init__(self, *args: Any, order: Order, **kwargs: Any) -> None:
        rest = due(order)
        first = {
            "kind": EntryKind.PAYMENT.value if rest.minor else EntryKind.REFUND.value,
            "amount": typed(rest) if rest.minor else "",
            "currency": order.currency,
            "booked_on": timezone.localdate(),
        }
        super().__init__(*args, **{"initial": first, **kwargs})
        self.order = order

    def clean_booked_on(self) -> date:
        day: date = self.cleaned_data["booked_on"]
        if day > timezone.localdate():
            raise forms.ValidationError(_("This day is still to come."))
        return day

    def clean_line(self) -> str:
        return statement_line(self.cleaned_data["line"])

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        if {"kind", "amount", "currency", "line"} <= given.keys():
            self._check(given)
        return given

    def _check(self, given: dict[str, Any]) -> None:
        try:
            given["money"] = in_money(given["amount"], given["currency"])
        except forms.ValidationError as error:
            self.add_error("amount", error)
            return
        try:
            check_transfer(
                order=self.order, kind=given["kind"], amount=given["money"], line=given["line"]
            )
        except TransferError as error:
            given["refused"] = error
            self.add_error(error.field, str(error))

    def at(self) -> datetime:
        """The day of the statement, as a moment: its noon here, or now on the same day."""
        noon = datetime.combine(self.cleaned_data["booked_on"], time(12))
        return min(timezone.make_aware(noon), timezone.now())


class CorrectionForm(forms.Form):
    reason = forms.CharField(
        label=_("What was wrong"),
        max_length=200,
        help_text=_("Kept in the audit log."),
    )


class RefundForm(forms.Form):
    """`key` makes one refund of one form, however often it is sent."""

    amount = AmountField(label=_("Amount"))
    reason = forms.CharField(
        label=_("Reason"), max_length=200, help_text=_("Kept with the refund.")
    )
    ends_renewal = forms.BooleanField(
        label=_("End the automatic renewal too"), required=False, initial=True
    )
    key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        payment: LedgerEntry,
        left: Any,
        renews: Subscription | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.payment, self.left = payment, left
        day = renews.renews_at() if renews else None
        if renews is None or day is None:
            del self.fields["ends_renewal"]
            return
        named = {"amount": renews.price, "day": date_format(day, "j M Y")}
        words = _("Else %(amount)s is taken again on %(day)s, and the support begins anew.")
        self.fields["ends_renewal"].help_text = words % named

    def clean_amount(self) -> Any:
        money = in_money(self.cleaned_data["amount"], self.payment.currency)
        if money > self.left:
            raise forms.ValidationError(
                _("At most %(amount)s can go back."), params={"amount": self.left}
            )
        return money
