"""Differences in words: what is wrong, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from portal.books.comparison import Fault
from portal.books.models import Difference
from portal.payments.arithmetic import EntryKind


@dataclass(frozen=True, slots=True)
class Words:
    wrong: str
    todo: str


def words_of(difference: Difference) -> Words:
    """For the treasurer, in a letter or on a page."""
    named = {
        "kind": difference.get_kind_display(),
        "theirs": difference.theirs,
        "ours": difference.ours,
        "ref": difference.ref,
    }
    wrong, todo = _said(difference)
    return Words(wrong % named, todo)


def _said(difference: Difference) -> tuple[str, str]:
    match difference.fault, difference.kind:
        case Fault.NOT_BOOKED, EntryKind.PAYMENT:
            return (
                _("The provider has a payment of %(theirs)s that is not in the ledger."),
                _(
                    "Fetch what was not delivered, try again what failed or waits, and compare"
                    " again. If it is still not here, it is not of this portal: look at it in the"
                    " provider's dashboard."
                ),
            )
        case Fault.NOT_BOOKED, _other:
            return (
                _("The provider has %(theirs)s (%(kind)s) that is not in the ledger."),
                _(
                    "Fetch what was not delivered, try again what failed or waits, and compare"
                    " again. If its payment is not in the ledger either, it is not of this portal."
                ),
            )
        case Fault.NOT_THERE, _other:
            return (
                _("The ledger has %(ours)s (%(kind)s) that the provider does not list."),
                _(
                    "Look the reference up in the provider's dashboard. If it is there, compare"
                    " once more tomorrow; if not, ask the provider before you book anything."
                ),
            )
    return (
        _("The provider says %(theirs)s where the ledger says %(ours)s (%(kind)s)."),
        _(
            "Open the order and its events: the event tells what was booked. An entry stays as"
            " it is; the difference is booked by the event that explains it."
        ),
    )
