"""Clauses of bylaws in templates: links to them, and text with its changes."""

from __future__ import annotations

from django import template
from django.template.context import Context
from django.utils.safestring import SafeString

from governance.bylaws import words as bylaws_words
from governance.bylaws.links import Citations
from portal.lib import markdown

register = template.Library()


@register.simple_tag(takes_context=True)
def cited(context: Context, text: object) -> SafeString | str:
    """A text with a link for each clause that it names: `{% cited rules.quorum_clause %}`."""
    return _citations(context).linked(text)


@register.simple_tag(takes_context=True)
def cited_markdown(context: Context, text: str) -> SafeString:
    """Text of a person, rendered and sanitised, with links to the clauses that it names."""
    return _citations(context).linked_in(markdown.render(text))


def _citations(context: Context) -> Citations:
    """One for each request, so that the bylaws are asked once."""
    request = getattr(context, "request", None)
    known = getattr(request, "citations", None) or Citations()
    if request is not None:
        request.citations = known
    return known


@register.filter
def clause_place(anchor: str) -> str:
    """`c4.2` as clause 4.2."""
    return bylaws_words.place(anchor)
