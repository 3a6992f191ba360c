"""The pages of the twin: the hosted payment page, and a desk with everything it can play."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.template.loader import render_to_string

from portal.lib.money import Money
from portal.payments.twin.state import Body, State

MODES = ["once", "twice", "held"]


def payment_page(session: Body) -> str:
    declined = session.get("declined", False)
    return _page("pay", session=_shown(session), declined=declined)


def message_page(title: str, text: str, back: str = "") -> str:
    return _page("message", title=title, text=text, back=back)


def desk_page(state: State) -> str:
    sessions = [_shown(session) for session in state.sessions()]
    return _page("desk", sessions=sessions, mode=state.mode(), waiting=state.waiting())


def policy(*origins: str) -> str:
    """The strict policy of the portal's own pages; forms may lead back to it."""
    allowed = " ".join(["'self'", *origins])
    return (
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none';"
        f" frame-ancestors 'none'; form-action {allowed}"
    )


def origin(url: str | None) -> str:
    parts = urlsplit(url or "")
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def _shown(session: Body) -> Body:
    amount = Money(session["amount_total"], session["currency"].upper())
    return session | {"amount": amount, "return_url": session["cancel_url"]}


def _page(name: str, **context: Any) -> str:
    return render_to_string(
        f"payments/twin/{name}.html", {"foundation_name": settings.FOUNDATION_NAME, **context}
    )
