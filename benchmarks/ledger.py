"""What the page of a suite asks of the ledger: each question is one statement over its indexes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any, Final

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from benchmarks.models import LedgerLine, Result, Suite, Trust
from benchmarks.models.ledger import METRICS, TRUSTED_FROM, LedgerLineQuerySet
from benchmarks.suites import PARAMETERS

MOST_CHOICES: Final = 200
MOST_LINES: Final = 2000  # further ones are reached by narrowing the list
CELLS_PER_PAGE: Final = 70
FEWEST_CONNECTORS: Final = 8  # on a page, however many cases there are
EVERY_RUNG: Final = "all"
FACETS: Final = ("transport", "prepare", "placement", "machine", "version")
# The words by which a page of all cases is narrowed; machine and version are chosen in a case.
MATRIX_CHOICES: Final[Mapping[str, Sequence[str]]] = {
    "transport": [*(PARAMETERS["transport"] or ())],
    "prepare": [*(PARAMETERS["prepare"] or ())],
    "placement": [*(PARAMETERS["cpu_placement"] or ())],
}

# The next value of an index behind the one before: as many steps as there are values, not rows.
_STEPS: Final = """
    {name} AS (
        (SELECT {field}::text AS value FROM benchmarks_ledgerline
         WHERE {where} ORDER BY {field} LIMIT 1)
        UNION ALL
        SELECT (SELECT {field}::text FROM benchmarks_ledgerline
                WHERE {where} AND {field} > {name}.value::{kind} ORDER BY {field} LIMIT 1)
        FROM {name} WHERE {name}.value IS NOT NULL
    )"""
_VALUES: Final = "(SELECT '{name}', value, {more} FROM {name} WHERE value IS NOT NULL LIMIT {most})"
_MACHINE: Final = """(SELECT (environment - 'server')::text FROM benchmarks_run
    WHERE machine = value AND machine <> '' LIMIT 1)"""
_OF_CASE: Final = "suite_id = %(suite)s AND case_slug = %(case)s"
_OF_SUITE: Final = "suite_id = %(suite)s"


@dataclass(frozen=True, slots=True)
class Known:
    """Which values there are, by the name of the filter; "slug" holds the cases of open suites."""

    values: Mapping[str, Sequence[str]]
    environments: Mapping[str, Mapping[str, Any]]  # of a run of each machine

    @property
    def has_trusted(self) -> bool:
        return any(int(rung) >= TRUSTED_FROM for rung in self.values["trust"])

    @property
    def has_any(self) -> bool:
        return bool(self.values["trust"])

    @property
    def metrics(self) -> list[str]:
        """What results of this case measure; what its list shows unless asked comes first."""
        return [METRICS[int(place)] for place in self.values["metric"]]


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address asks for. ``trust`` is empty for the upper rungs, "all", or one rung."""

    values: Mapping[str, str]
    trust: str = ""
    since: date | None = None
    metric: str = ""  # empty for what the case is about

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Asked:
        trust = query.get("trust", "")
        known = {EVERY_RUNG, *map(str, Trust.values)}
        try:
            since = date.fromisoformat(query.get("since", ""))
        except ValueError:
            since = None
        return cls(
            {name: query[name][:80] for name in FACETS if query.get(name)},
            trust if trust in known else "",
            since,
            metric if (metric := query.get("metric", "")) in METRICS else "",
        )

    def lookups(self) -> dict[str, Any]:
        found: dict[str, Any] = dict(self.values)
        if self.trust not in {"", EVERY_RUNG}:
            found["trust"] = int(self.trust)
        if self.since:
            # A moment, not the day of each row: an index holds moments.
            found["uploaded_at__gte"] = datetime.combine(
                self.since, time.min, timezone.get_current_timezone()
            )
        return found

    def narrowed(self, lines: LedgerLineQuerySet, known: Known) -> LedgerLineQuerySet:
        """These lines, of one metric alone: others cannot stand in one order."""
        metrics = [self.metric] if self.metric else known.metrics[:1]
        lines = lines.filter(metric__in=[METRICS.index(one) for one in metrics])
        if not self.trust:
            lines = lines.filter(trust__gte=TRUSTED_FROM)
        return lines.filter(**self.lookups())


def known_values(suite: Suite, case: str) -> Known:
    """The values of each filter for one case, and the cases of an open suite, in one statement."""
    steps = {name: (name, _OF_CASE, "text") for name in FACETS if name != "placement"}
    steps["trust"] = ("trust", _OF_CASE, "int")
    steps["metric"] = ("metric", _OF_CASE, "int")
    steps["placement"] = ("placement", _OF_CASE, "text")
    if suite.is_open:
        steps["slug"] = ("case_slug", _OF_SUITE, "text")
    ctes = [
        _STEPS.format(name=name, field=field, where=where, kind=kind)
        for name, (field, where, kind) in steps.items()
    ]
    parts = [
        _VALUES.format(name=name, most=MOST_CHOICES, more=_MACHINE if name == "machine" else "NULL")
        for name in steps
    ]
    statement = f"WITH RECURSIVE {','.join(ctes)} {' UNION ALL '.join(parts)}"
    found: dict[str, list[str]] = {name: [] for name in (*FACETS, "trust", "metric", "slug")}
    environments = {}
    with connection.cursor() as cursor:
        cursor.execute(statement, {"suite": suite.pk, "case": case})
        for name, value, environment in cursor.fetchall():
            found[name].append(value)
            if environment:
                environments[value] = json.loads(environment)
    return Known(found, environments)


def count_of(lines: QuerySet[LedgerLine]) -> int:
    """How many there are, counted no further than pages lead."""
    return lines.order_by()[: MOST_LINES + 1].count()


def subjects_by_case(suite: Suite, case: str) -> tuple[list[str], list[str]]:
    """The cases of a suite that have results, and the subjects of one of them: one statement."""
    steps = {"slug": ("case_slug", _OF_SUITE), "subject": ("subject", _OF_CASE)}
    ctes = [
        _STEPS.format(name=name, field=field, where=where, kind="text")
        for name, (field, where) in steps.items()
    ]
    parts = [_VALUES.format(name=name, most=MOST_CHOICES, more="NULL") for name in steps]
    found: dict[str, list[str]] = {name: [] for name in steps}
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH RECURSIVE {','.join(ctes)} {' UNION ALL '.join(parts)}",
            {"suite": suite.pk, "case": case},
        )
        for name, value, _nothing in cursor.fetchall():
            found[name].append(value)
    return found["slug"], found["subject"]


@dataclass(frozen=True, slots=True)
class Row:
    """A connector in one version, with a result or nothing for each case."""

    subject: str
    version: str
    cells: Sequence[Result | None]


_MATRIX: Final = """
    WITH RECURSIVE connector AS (
        (SELECT subject, version FROM benchmarks_ledgerline
         WHERE suite_id = %(suite)s {upper} ORDER BY subject, version LIMIT 1)
        UNION ALL
        SELECT next.subject, next.version FROM connector, LATERAL (
            SELECT line.subject, line.version FROM benchmarks_ledgerline line
            WHERE suite_id = %(suite)s {upper}
                AND (line.subject, line.version) > (connector.subject, connector.version)
            ORDER BY line.subject, line.version LIMIT 1
        ) AS next
    )
    SELECT chosen.subject, chosen.version, one.result_id
    FROM (SELECT subject, version FROM connector OFFSET %(offset)s LIMIT %(limit)s) AS chosen
    LEFT JOIN LATERAL (
        SELECT cell.result_id FROM unnest(%(cases)s::text[]) AS wanted (slug), LATERAL (
            SELECT min(metric) AS metric FROM benchmarks_ledgerline
            WHERE suite_id = %(suite)s AND case_slug = wanted.slug
        ) AS first, LATERAL (
            SELECT result_id FROM benchmarks_ledgerline
            WHERE suite_id = %(suite)s AND subject = chosen.subject
                AND version = chosen.version AND case_slug = wanted.slug
                AND metric = first.metric {upper} {more}
            ORDER BY trust DESC, uploaded_at DESC LIMIT 1
        ) AS cell
    ) AS one ON true
    ORDER BY chosen.subject, chosen.version
"""


def matrix(
    suite: Suite, cases: Sequence[str], asked: Asked, *, page: int
) -> tuple[list[Row], bool]:
    """Connectors x cases, and whether more connectors follow: two statements.

    A cell is one result and no average: the newest on the highest rung that the filters leave, of
    the metric that the case is about.
    """
    lookups = asked.lookups()
    conditions = [f"{name} = %({name})s" for name in (*FACETS, "trust") if name in lookups]
    if asked.since:
        conditions.append("uploaded_at >= %(uploaded_at__gte)s")
    statement = _MATRIX.format(
        upper="" if asked.trust else f"AND trust >= {TRUSTED_FROM}",
        more="".join(f" AND {one}" for one in conditions),
    )
    of_a_page = max(FEWEST_CONNECTORS, CELLS_PER_PAGE // max(1, len(cases)))
    given = {
        **lookups,
        "suite": suite.pk,
        "cases": list(cases),
        "offset": (page - 1) * of_a_page,
        "limit": of_a_page + 1,
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, given)
        found = cursor.fetchall()
    lines = LedgerLine.objects.told().in_bulk({pk for *_names, pk in found if pk})
    rows: dict[tuple[str, str], dict[str, Result]] = {}
    for subject, version, pk in found:
        cells = rows.setdefault((subject, version), {})
        if pk in lines:
            cells[lines[pk].case_slug] = lines[pk].result
    full = [Row(*name, [cells.get(case) for case in cases]) for name, cells in rows.items()]
    shown = [row for row in full[:of_a_page] if any(row.cells)]
    return shown, len(full) > of_a_page


_NEWEST: Final = """
    WITH RECURSIVE connector AS (
        (SELECT suite_id, subject, version FROM benchmarks_ledgerline
         ORDER BY suite_id, subject, version LIMIT 1)
        UNION ALL
        SELECT next.* FROM connector, LATERAL (
            SELECT suite_id, subject, version FROM benchmarks_ledgerline line
            WHERE (line.suite_id, line.subject, line.version)
                > (connector.suite_id, connector.subject, connector.version)
            ORDER BY suite_id, subject, version LIMIT 1
        ) AS next
    )
    SELECT one.result_id FROM (SELECT * FROM connector LIMIT %(steps)s) AS chosen, LATERAL (
        SELECT result_id FROM benchmarks_ledgerline line
        WHERE line.suite_id = chosen.suite_id AND line.subject = chosen.subject
            AND line.version = chosen.version
        ORDER BY case_slug, metric, trust DESC, uploaded_at DESC LIMIT 1
    ) AS one
    WHERE lower(chosen.subject || ' ' || chosen.version) LIKE ALL (%(words)s)
    LIMIT %(most)s
"""
MOST_CONNECTORS: Final = 5000


def newest_of_each(words: Sequence[str], *, most: int) -> list[Result]:
    """A result of each connector in each version whose name has all these words: its newest on the
    highest rung, of its first case. Two statements.
    """
    wanted = [f"%{_literal(word)}%" for word in words] or ["%"]
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST, {"steps": MOST_CONNECTORS, "words": wanted, "most": most})
        keys = [key for (key,) in cursor.fetchall()]
    lines = LedgerLine.objects.told().filter(pk__in=keys)
    found = lines.order_by("suite__position", "subject", "version", "pk")
    return [line.result for line in found]


def _literal(word: str) -> str:
    """Without the signs that LIKE reads as more than themselves."""
    return re.sub(r"([\\%_])", r"\\\1", word)
