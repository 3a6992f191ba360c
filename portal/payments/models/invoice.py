from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from django.db import models
from django.db.models import Exists, F, Func, OuterRef, Q, Value
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from portal.lib.money import EXPONENTS, Money
from portal.payments.arithmetic import EntryKind, OrderState
from portal.payments.models.ledger import LedgerEntry
from portal.payments.models.order import Order


class InvoiceState(StrEnum):
    OPEN = "open"
    OVERDUE = "overdue"
    PAID = "paid"
    VOID = "void"


def letters_of(text: str) -> str:
    """Letters and figures alone: banks drop signs, or put spaces between."""
    return "".join(sign for sign in text.upper() if sign.isalnum())


def _letters(column: str) -> Func:
    """The same of a column, in the database."""
    others = (Value("[^[:alnum:]]"), Value(""), Value("g"))
    kept = Func(F(column), *others, function="regexp_replace", output_field=models.TextField())
    return Func(kept, function="upper", output_field=models.TextField())


HAVE = [OrderState.PAID, OrderState.PARTLY_REFUNDED, OrderState.REFUNDED, OrderState.DISPUTED]


class Document(models.Model):
    """A numbered paper: what it says never changes; the file is written once, when asked for."""

    number = models.CharField(_("number"), max_length=20, unique=True, editable=False)
    issued_at = models.DateTimeField(_("issued"), editable=False)
    seller_lines = models.TextField(_("who issued it"), editable=False)
    pdf = models.BinaryField(_("file"), null=True, editable=False)
    pdf_sha256 = models.CharField(_("SHA-256 of the file"), max_length=64, blank=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(pdf__isnull=True, pdf_sha256="")
                | (Q(pdf__isnull=False) & ~Q(pdf_sha256="")),
                name="%(class)s_file_has_digest",
            )
        ]

    def __str__(self) -> str:
        return self.number


class InvoiceQuerySet(models.QuerySet["Invoice"]):
    def valid(self) -> InvoiceQuerySet:
        return self.filter(voided_at__isnull=True)

    def unpaid(self) -> InvoiceQuerySet:
        return self.valid().exclude(order__state__in=HAVE)

    def paid_elsewhere(self) -> InvoiceQuerySet:
        """Those whose money came by bank while the provider still asks for it."""
        there = LedgerEntry.objects.filter(
            order=OuterRef("order"), provider=OuterRef("provider"), kind=EntryKind.PAYMENT
        )
        asked = self.valid().exclude(provider_invoice_id="").exclude(hosted_url="")
        return asked.filter(order__state__in=HAVE).exclude(Exists(there))

    def named_in(self, text: str) -> InvoiceQuerySet:
        """Those whose number stands in the words of a transfer, however a bank spells it."""
        words = Value(letters_of(text), output_field=models.TextField())
        found = self.alias(words=words, own=_letters("number"), theirs=_letters("provider_number"))
        theirs = ~Q(provider_number="") & Q(words__contains=F("theirs"))
        return found.filter(Q(words__contains=F("own")) | theirs)

    def overdue(self, at: datetime) -> InvoiceQuerySet:
        return self.unpaid().filter(due_at__lt=at)


class Invoice(Document):
    """The demand to pay an order. Whether it was paid, its order says."""

    order = models.ForeignKey(
        Order, verbose_name=_("order"), on_delete=models.PROTECT, related_name="invoices"
    )
    due_at = models.DateTimeField(_("due"))
    provider = models.CharField(_("provider"), max_length=20, blank=True)
    provider_invoice_id = models.CharField(_("provider's invoice"), max_length=255, blank=True)
    provider_number = models.CharField(
        _("number at the provider"),
        max_length=255,
        blank=True,
        help_text=_("Ours, unless that was taken there. A transfer may name either."),
    )
    hosted_url = models.URLField(_("address to pay at"), max_length=2000, blank=True)
    voided_at = models.DateTimeField(_("void since"), null=True, blank=True)

    objects: ClassVar[InvoiceQuerySet] = InvoiceQuerySet.as_manager()  # type: ignore[assignment]

    class Meta(Document.Meta):
        verbose_name = _("invoice")
        verbose_name_plural = _("invoices")
        ordering = ["-issued_at", "-pk"]
        constraints = [
            *Document.Meta.constraints,
            models.UniqueConstraint(
                fields=["order"],
                condition=Q(voided_at__isnull=True),
                name="invoice_of_order_once",
            ),
            models.UniqueConstraint(
                fields=["provider", "provider_invoice_id"],
                condition=~Q(provider_invoice_id=""),
                name="invoice_of_provider_once",
            ),
            models.CheckConstraint(
                condition=Q(due_at__gte=F("issued_at")), name="invoice_due_after_issue"
            ),
        ]

    def state_at(self, at: datetime) -> InvoiceState:
        """Void, paid (also when money went back since), overdue or open."""
        if self.voided_at is not None:
            return InvoiceState.VOID
        if self.order.state in HAVE:
            return InvoiceState.PAID
        return InvoiceState.OVERDUE if self.due_at < at else InvoiceState.OPEN


class CreditNote(Document):
    """What a refund takes back of an order's price and tax."""

    entry = models.OneToOneField(
        LedgerEntry,
        verbose_name=_("refund"),
        on_delete=models.PROTECT,
        related_name="credit_note",
    )
    order = models.ForeignKey(
        Order, verbose_name=_("order"), on_delete=models.PROTECT, related_name="credit_notes"
    )
    net_minor = models.BigIntegerField(_("net in minor units"))
    tax_minor = models.BigIntegerField(_("tax in minor units"))
    currency = models.CharField(_("currency"), max_length=3, choices=[(c, c) for c in EXPONENTS])
    annulled_at = models.DateTimeField(
        _("annulled"), null=True, blank=True, help_text=_("The refund came back.")
    )
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta(Document.Meta):
        verbose_name = _("credit note")
        verbose_name_plural = _("credit notes")
        ordering = ["-issued_at", "-pk"]
        constraints = [
            *Document.Meta.constraints,
            models.CheckConstraint(
                condition=Q(net_minor__gte=0, tax_minor__gte=0), name="credit_note_gives_back"
            ),
        ]

    @property
    def amount(self) -> Money:
        return Money(self.net_minor + self.tax_minor, self.currency)
