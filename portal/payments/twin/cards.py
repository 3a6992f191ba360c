"""The cards that a visitor of the hosted pages can choose from, each with its behaviour."""

from __future__ import annotations

from dataclasses import dataclass

from portal.payments.twin.shapes import Body


@dataclass(frozen=True, slots=True)
class Card:
    name: str
    last4: str
    exp_year: int
    charged_now: str = ""  # the code of the refusal while the visitor is there
    charged_later: str = ""  # the same, of a renewal
    secured: bool = False  # the bank asks the visitor first


CARDS = {
    card.name: card
    for card in [
        Card("good", "4242", 2034),
        Card("secured", "3155", 2034, secured=True),
        Card("bad", "0002", 2034, charged_now="card_declined", charged_later="card_declined"),
        Card("expiring", "0069", 2026, charged_later="expired_card"),
    ]
}
BANK = "bank"  # not a card: money that arrives later, or not
REFUSALS = {
    "card_declined": "Your card was declined.",
    "expired_card": "Your card has expired.",
    "payment_intent_authentication_failure": "The bank did not confirm that it was you.",
    "bank_refused": "The bank refused the payment.",
}


def method_id(name: str) -> str:
    return f"pm_twin_{name}"


def method_details(name: str) -> Body:
    """How a charge was paid, as the charge says it."""
    if name == BANK:
        bank = {
            "bank_code": "37040044",
            "branch_code": None,
            "country": "DE",
            "fingerprint": None,
            "last4": "3000",
            "mandate": None,
        }
        return {"type": "sepa_debit", "sepa_debit": bank}
    card = CARDS[name]
    details = {
        "brand": "visa",
        "checks": None,
        "country": "US",
        "exp_month": 12,
        "exp_year": card.exp_year,
        "fingerprint": None,
        "funding": "credit",
        "installments": None,
        "last4": card.last4,
        "mandate": None,
        "network": "visa",
        "three_d_secure": None,
        "wallet": None,
        "amount_authorized": None,
        "authorization_code": None,
        "network_token": None,
        "network_transaction_id": None,
        "regulated_status": None,
    }
    return {"type": "card", "card": details}
