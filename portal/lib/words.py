"""Full text of PostgreSQL, asked the same way everywhere: what is indexed is what is searched.

A model names its words once, as `WORDS = words.of("title", "body")`, takes them into a GIN index,
and whoever searches asks with the same expression.
"""

from __future__ import annotations

from typing import Final

from django.contrib.postgres.search import SearchQuery, SearchVector
from django.db.models.functions import Left

CONFIG: Final = "english"
LONGEST: Final = 250  # characters of a question
MOST: Final = 100_000  # of one field: a tsvector ends at a megabyte, and a row must never fail


def of(*fields: str) -> SearchVector:
    """The words of these fields as an index keeps them."""
    return SearchVector(*(Left(field, MOST) for field in fields), config=CONFIG)


def asked(text: str) -> SearchQuery:
    """What a person typed, as search engines understand it: words, "a phrase", or, -without."""
    return SearchQuery(text[:LONGEST], config=CONFIG, search_type="websearch")
