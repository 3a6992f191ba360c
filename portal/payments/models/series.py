from __future__ import annotations

from typing import ClassVar

from django.db import connection, models
from django.utils.translation import gettext_lazy as _

COUNT_ON = """
INSERT INTO payments_numberseries AS series (kind, year, last) VALUES (%s, %s, 1)
ON CONFLICT (kind, year) DO UPDATE SET last = series.last + 1 RETURNING last
"""


class NumberSeries(models.Model):
    """The last number of a year in one series; its row lock makes the numbers gapless."""

    class Kind(models.TextChoices):
        RECEIPT = "receipt", _("receipts")
        INVOICE = "invoice", _("invoices")
        CREDIT_NOTE = "credit_note", _("credit notes")

    PREFIXES: ClassVar[dict[str, str]] = {
        Kind.RECEIPT: "",
        Kind.INVOICE: "INV-",
        Kind.CREDIT_NOTE: "CN-",
    }

    kind = models.CharField(_("kind"), max_length=12, choices=Kind)
    year = models.PositiveSmallIntegerField(_("year"))
    last = models.PositiveIntegerField(_("last number"), default=0)

    class Meta:
        verbose_name = _("series of numbers")
        verbose_name_plural = _("series of numbers")
        ordering = ["kind", "-year"]
        constraints = [
            models.UniqueConstraint(fields=["kind", "year"], name="number_series_once"),
        ]

    def __str__(self) -> str:
        return f"{self.PREFIXES[self.kind]}{self.year}-{self.last:04d}"

    @classmethod
    def next_number(cls, kind: Kind, year: int) -> str:
        """The next number of `year`; call it inside the transaction that uses it."""
        with connection.cursor() as cursor:
            cursor.execute(COUNT_ON, [kind, year])
            [last] = cursor.fetchone()
        return str(cls(kind=kind, year=year, last=last))
