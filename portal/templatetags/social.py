"""What the head of a page says to sites that show links to it."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.utils.safestring import SafeString

from portal.cards.card import of_page

register = template.Library()


@register.simple_block_tag
def words(content: str) -> SafeString:
    """What blocks of the page write, to be said more than once: `{% words as name %}`."""
    return SafeString(" ".join(content.split()).replace('"', "&quot;"))


@register.simple_block_tag
def lines(content: str) -> SafeString:
    """The same, line by line."""
    return SafeString(content)


@register.simple_tag
def card(title: str, text: str, facts: str) -> str:
    """The whole address of the picture."""
    found = of_page(settings.FOUNDATION_NAME, title, text, facts)
    return f"{settings.BASE_URL}{found.get_absolute_url()}"
