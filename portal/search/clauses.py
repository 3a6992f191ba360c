"""Clauses of the bylaws in force. They are few and change a few times a year: each process keeps
them, with their words as PostgreSQL understands them, until another version or spelling holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.db import connection
from django.db.models import Count, Q
from django.utils import timezone

from governance.bylaws.text import Kind
from governance.models import Version
from portal.lib import words
from portal.search import marks
from portal.search.asked import Asked, Row, Share

KIND: Final = "bylaws"
READ: Final = """
SELECT to_tsvector(%(config)s::regconfig, words)::text
FROM unnest(%(words)s::text[]) WITH ORDINALITY AS clause (words, place) ORDER BY place
"""
FIND: Final = """
SELECT place, ts_rank(vector, query) AS rank, count(*) OVER ()
FROM unnest(%(vectors)s::tsvector[]) WITH ORDINALITY AS clause (vector, place),
    websearch_to_tsquery(%(config)s::regconfig, %(text)s) AS query
WHERE vector @@ query
ORDER BY rank DESC, place
LIMIT %(limit)s OFFSET %(offset)s
"""
SHOW: Final = """
SELECT ts_headline(
    %(config)s::regconfig, words, websearch_to_tsquery(%(config)s::regconfig, %(text)s), %(options)s
)
FROM unnest(%(words)s::text[]) WITH ORDINALITY AS clause (words, place) ORDER BY place
"""
OPTIONS: Final = f"StartSel={marks.BEGIN}, StopSel={marks.END}, MinWords=20, MaxWords=45"


@dataclass(frozen=True, slots=True)
class Clause:
    address: str
    name: str
    words: str
    vector: str


def find(asked: Asked, share: Share) -> list[Row]:
    """The clauses with these words, or with this number."""
    known = _read(_stamp(asked))
    if not known:
        return []
    common = asked.parameters
    with connection.cursor() as cursor:
        limits = {"limit": share.last - share.first, "offset": share.first}
        cursor.execute(FIND, {**common, **limits, "vectors": [each.vector for each in known]})
        hits = [(known[place - 1], rank, total) for place, rank, total in cursor.fetchall()]
        shown = [clause.words for clause, _, _ in hits]
        cursor.execute(SHOW, {**common, "words": shown, "options": OPTIONS})
        texts = [text for (text,) in cursor.fetchall()]
    return [
        Row(KIND, clause.address, clause.name, text, None, rank, total)
        for (clause, rank, total), text in zip(hits, texts, strict=True)
    ]


def _stamp(asked: Asked) -> tuple[tuple[int, int], ...]:
    """The versions that bind today, and how many slips in each are corrected."""
    binding = Version.objects.in_force(timezone.localdate(asked.at))
    corrected = Count("typos", filter=Q(typos__is_accepted=True))
    return tuple(binding.annotate(corrected=corrected).values_list("pk", "corrected"))


@lru_cache(maxsize=2)
def _read(stamp: tuple[tuple[int, int], ...]) -> list[Clause]:
    """Address, name and words of every clause of these versions, spelling corrected."""
    found = []
    for version in Version.objects.filter(pk__in=[pk for pk, _ in stamp]).whole():
        bylaws, title = version.bylaws, ""
        for item in version.items():
            if item.kind is Kind.TITLE:
                title = item.flow
                continue
            cited = f"{bylaws.cited_as} {item.number}".strip()
            name = f"{cited} · {title}" if title else bylaws.name
            found.append((f"{bylaws.get_absolute_url()}#{item.anchor}", name, item.flow))
    with connection.cursor() as cursor:
        whole = [f"{name}. {text}" for _, name, text in found]
        cursor.execute(READ, {"config": words.CONFIG, "words": whole})
        vectors = [vector for (vector,) in cursor.fetchall()]
    return [Clause(*parts, vector) for parts, vector in zip(found, vectors, strict=True)]
