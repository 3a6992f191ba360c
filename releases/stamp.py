"""A stamp of what the public catalogue tells: another as soon as one row of it is another.

PostgreSQL knows each version of a row by its place (ctid) and the transaction that wrote it (xmin).
The sum of hashes of both, over the rows that a page may read, needs no counter that writers wait
for, and no writer can forget it. It is compared within one process alone, never shown: who asks
gets a hash of the answer. Drafts are left out.
"""

from __future__ import annotations

import datetime as dt
from typing import Final

from django.db import connection

WHOLE: Final = (
    *("releases_product", "releases_series", "releases_alias", "releases_signingkey"),
    *("releases_mirror_products", "releases_advisory", "releases_affectedrange"),
)
ROWS: Final = "SELECT sum(hashtextextended(one.ctid::text || one.xmin::text, 0)) FROM {} one"
RELEASES: Final = """
SELECT concat(sum(hashtextextended(one.ctid::text || one.xmin::text, 0)), '/',
              count(*) FILTER (WHERE yanked_at <= %s))
FROM releases_release one WHERE published_at <= %s
"""
REPOSITORIES: Final = """
SELECT sum(hashtextextended(one.ctid::text || one.xmin::text, 0))
FROM releases_repository one WHERE current_id IS NOT NULL
"""
# A probe writes the row of a mirror each time; only what pages say of it counts.
MIRRORS: Final = """
SELECT sum(hashtextextended(
    concat_ws(' ', id, slug, name, operator, country, base_url, parts), 0))
FROM releases_mirror WHERE state = 'active' AND health = 'healthy' AND active_since <= %s
"""
PEOPLE: Final = """
SELECT sum(hashtextextended(name, id)) FROM accounts_user
WHERE id IN (SELECT published_by_id FROM releases_release)
"""
FILES: Final = """
SELECT sum(hashtextextended(concat(one.ctid, one.xmin, package.ctid, package.xmin), 0))
FROM releases_file one
JOIN releases_release release ON release.id = one.release_id
JOIN releases_series series ON series.id = release.series_id
JOIN releases_product product ON product.id = series.product_id
LEFT JOIN releases_package package ON package.file_id = one.id
WHERE product.slug = %s AND release.published_at <= %s
AND (series.name = %s OR release.version = %s)
"""


def catalogue(at: dt.datetime) -> tuple[str, list[dt.datetime]]:
    """SQL of the stamp of everything but files, and its parameters."""
    whole = (ROWS.format(table) for table in WHOLE)
    parts = ", ".join(f"({part})" for part in (*whole, PEOPLE, RELEASES, REPOSITORIES, MIRRORS))
    return f"concat_ws(' ', {parts})", [at, at, at]


def with_files(product: str, name: str, *, at: dt.datetime) -> str:
    """The stamp of the catalogue and of the files of one series or version. One query."""
    everything, parameters = catalogue(at)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT concat({everything}, ' ', ({FILES}))",
            [*parameters, product, at, name, name],
        )
        return str(cursor.fetchone()[0])
