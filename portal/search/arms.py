"""One statement for all domains: an arm for each, made when the process begins.

What everybody may read is asked of the domain's own queryset, each time; the rest of an arm is the
same for every question, and is not worth making again.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db import connection
from django.db.models import QuerySet

from portal.lib import words
from portal.search import marks
from portal.search.asked import Asked, Row, Share

QUERY: Final = "websearch_to_tsquery(%(config)s::regconfig, %(text)s)"
OPTIONS: Final = (
    f"StartSel={marks.BEGIN}, StopSel={marks.END}, MaxFragments=2, MinWords=12, MaxWords=26,"
    ' FragmentDelimiter=" … "'
)


@dataclass(frozen=True)
class Arm:
    """How things of one kind are found: SQL over `source`, whose main table is called `it`.

    `full` are the columns of the GIN index, as `portal.lib.words.of` writes them; `short` those
    by which is ranked, the first weighing most; `named` is what a word may begin in.
    """

    visible: Callable[[dt.datetime], QuerySet[Any]]
    source: str
    key: str
    title: str
    text: str
    on: str
    full: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    named: str = ""
    and_only: str = "TRUE"

    def sql(self, kind: str) -> str:
        """With places for who may see it and which share is shown."""
        excerpt = "body"
        if self.full:
            excerpt = f"ts_headline(%(config)s::regconfig, body, {QUERY}, %(options)s)"
        return (  # made of constants of this site
            f"SELECT '{kind}', key, title, {excerpt}, moment, rank, total"
            f" FROM (SELECT {self.key} AS key, {self.title} AS title, {self.text} AS body,"
            f" ({self.on})::timestamptz AS moment, {self._rank()} AS rank,"
            f" count(*) OVER () AS total FROM {self.source}"
            f" WHERE it.id IN ({{visible}}) AND {self._found()} AND {self.and_only}"
            " ORDER BY rank DESC, moment DESC NULLS LAST, key"
            " LIMIT {limit} OFFSET {offset}) AS best"
        )

    def _rank(self) -> str:
        """Long texts were weighed when they were indexed: they find, the short ones rank."""
        if not self.short:
            return "0::real"
        weighed = [
            f"setweight(to_tsvector(%(config)s::regconfig, {column}), '{weight}')"
            for column, weight in zip(self.short, "ABCD", strict=False)
        ]
        return f"ts_rank({' || '.join(weighed)}, {QUERY})"

    def _found(self) -> str:
        named = f"({self.named}) ~* ALL (%(patterns)s::text[])"
        if not self.full:
            return named
        told = f"{indexed(self.full)} @@ {QUERY}"
        if not self.named:
            return told
        ids = f"SELECT it.id FROM {self.source} WHERE"
        return f"it.id IN ({ids} {told} UNION ALL {ids} {named})"


def indexed(columns: tuple[str, ...]) -> str:
    """The expression of the index, which the planner knows again."""
    parts = [f"COALESCE(LEFT(it.{column}, {words.MOST}), '')" for column in columns]
    joined = " || ' ' || ".join(parts)
    return f"to_tsvector('{words.CONFIG}'::regconfig, {joined})"


def find(arms: Mapping[str, Arm], asked: Asked, shares: Mapping[str, Share]) -> list[Row]:
    """The rows of every arm, the best of each first."""
    parameters: dict[str, Any] = {**asked.parameters, "options": OPTIONS}
    statements = []
    for kind, arm in arms.items():
        visible, given = arm.visible(asked.at).order_by().values("pk").query.sql_with_params()
        names = [f"{kind}_{place}" for place in range(len(given))]
        parameters |= dict(zip(names, given, strict=True))
        renamed = visible % tuple(f"%({name})s" for name in names)
        share = shares[kind]
        limits = {"limit": share.last - share.first, "offset": share.first}
        statements.append(f"({arm.sql(kind).format(visible=renamed, **limits)})")
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(statements), parameters)
        return [Row(*found) for found in cursor.fetchall()]
