"""What stands on a picture, and the address that carries it."""

from __future__ import annotations

import html
from dataclasses import asdict, dataclass

from django.core.signing import BadSignature, Signer
from django.urls import reverse

LONGEST = 160  # characters of a title or a text; more is not read on a picture
FACTS = 4


@dataclass(frozen=True, slots=True)
class Card:
    """`facts` are a few short lines below the text."""

    foundation: str
    title: str
    text: str
    facts: tuple[str, ...] = ()

    def get_absolute_url(self) -> str:
        """The same words have the same address: no time is signed with them."""
        return reverse("cards:picture", args=[_signer().sign_object(asdict(self), compress=True)])


def of_page(foundation: str, title: str, text: str, facts: str) -> Card:
    """From the HTML of a page's head; each line of `facts` is one."""
    lines = (_short(line) for line in facts.splitlines())
    kept = [line for line in lines if line][:FACTS]
    return Card(foundation, _short(title), _short(text), tuple(kept))


def read(token: str) -> Card | None:
    """None for an address that this site has not made."""
    try:
        said = _signer().unsign_object(token)
    except BadSignature:
        return None
    return Card(**{**said, "facts": tuple(said["facts"])})


def _signer() -> Signer:
    return Signer(salt="portal.cards")


def _short(text: str) -> str:
    words = " ".join(html.unescape(text).split())
    return words if len(words) <= LONGEST else words[: LONGEST - 1].rstrip() + "…"
