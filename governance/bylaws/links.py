"""Links from `Bylaw 4.2` in any text to that clause, as it is in force."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any, Final

from django.utils import timezone
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from governance.bylaws import citation
from governance.bylaws.text import read
from governance.models import Version
from governance.words import SumRow

MARKUP: Final = re.compile(r"(<[^>]*>)")
CLOSED: Final = re.compile(r"(</?)(?:a|code|pre)\b")  # what no link is put into


class Citations:
    """The bylaws that can be cited, asked once however many texts are linked."""

    @cached_property
    def _versions(self) -> dict[str, Version]:
        in_force = Version.objects.in_force(timezone.localdate()).select_related("bylaws")
        return {version.bylaws.cited_as: version for version in in_force}

    def linked(self, text: Any) -> SafeString | str:
        """The text, escaped, with a link for each clause that exists."""
        return mark_safe(self._linked_words(conditional_escape(text)))  # noqa: S308 - escaped

    def linked_in(self, html: str) -> SafeString:
        """Rendered text, sanitised before, with links where people read words: not within links,
        nor in code.
        """
        parts: list[str] = []
        within = 0
        for part in MARKUP.split(html):
            if part.startswith("<"):
                within += {"<": 1, "</": -1}[tag[1]] if (tag := CLOSED.match(part)) else 0
                parts.append(part)
            else:
                parts.append(part if within else self._linked_words(part))
        return mark_safe("".join(parts))  # noqa: S308 - what was sanitised, and our own links

    def rows(self, rows: Iterable[SumRow]) -> list[SumRow]:
        """Rows of an arithmetic with links in their notes."""
        return [replace(row, note=self.linked(row.note)) for row in rows]

    def _linked_words(self, escaped: str) -> str:
        """With the links put in; entities are no words, so nothing of them is taken apart."""
        parts: list[str] = []
        at = 0
        for begin, end, word, number in citation.citations(escaped):
            parts += [escaped[at:begin], self._link(escaped[begin:end], word, number)]
            at = end
        return "".join([*parts, escaped[at:]])

    def _link(self, words: str, word: str, number: str) -> str:
        version = self._versions.get(word)
        anchor = citation.anchor(number)
        if version is None or anchor not in _anchors(version.text):
            return words
        where = version.bylaws.get_absolute_url()
        return format_html('<a href="{}#{}">{}</a>', where, anchor, mark_safe(words))  # noqa: S308 - escaped


@lru_cache(maxsize=16)
def _anchors(text: str) -> frozenset[str]:
    """Where in a text a link can go; a text that was adopted never changes."""
    return frozenset(item.anchor for item in read(text))
