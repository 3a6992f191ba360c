"""Where the values of raw reports lie: key sets are stored once, values by a trained dictionary.

The servers of one release send the same thousand keys, so a report keeps the number of its key
set and its values alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from django.db import connection

from feedback.models import Dictionary, KeySet, Report
from feedback.packing import Packer, digest, pack, unpack

Place = tuple[int, int | None, bytes]  # key set, dictionary, body


def put(reports: Sequence[Mapping[str, str]]) -> list[Place]:
    """Where the values of each report go; the columns `key_set_id`, `dictionary_id`, `body`."""
    key_sets = [tuple(values) for values in reports]
    numbers = _numbers(set(key_sets))
    dictionary = Dictionary.objects.order_by("-pk").first()
    packer = Packer(bytes(dictionary.content) if dictionary else b"")
    number = dictionary.pk if dictionary else None
    return [
        (numbers[keys], number, packer.pack(tuple(values.values())))
        for keys, values in zip(key_sets, reports, strict=True)
    ]


def take(reports: Iterable[Report]) -> Iterator[tuple[Report, dict[str, str]]]:
    """The values of stored reports."""
    reports = list(reports)
    keys = {
        row.pk: unpack(bytes(row.keys)).decode().split("\n")
        for row in KeySet.objects.filter(pk__in={report.key_set_id for report in reports})
    }
    wanted = {report.dictionary_id for report in reports if report.dictionary_id}
    packers: dict[int | None, Packer] = {None: Packer()}
    for row in Dictionary.objects.filter(pk__in=wanted):
        packers[row.pk] = Packer(bytes(row.content))
    for report in reports:
        values = packers[report.dictionary_id].unpack(bytes(report.body))
        yield report, dict(zip(keys[report.key_set_id], values, strict=True))


def clear() -> None:
    """Forget key sets and dictionaries that no report needs any more; never the newest."""
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM feedback_keyset AS kept WHERE NOT EXISTS"
            " (SELECT FROM feedback_report WHERE key_set_id = kept.id)"
        )
        cursor.execute(
            "DELETE FROM feedback_dictionary AS kept WHERE NOT EXISTS"
            " (SELECT FROM feedback_report WHERE dictionary_id = kept.id)"
            " AND id < (SELECT max(id) FROM feedback_dictionary)"
        )


def _numbers(key_sets: set[tuple[str, ...]]) -> dict[tuple[str, ...], int]:
    """The numbers of key sets; new ones are added, all workers in one order."""
    texts = {keys: "\n".join(keys).encode() for keys in key_sets}
    digests = {keys: digest(text) for keys, text in texts.items()}
    order = sorted(key_sets, key=digests.__getitem__)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO feedback_keyset (digest, keys, size)"
            " SELECT * FROM unnest(%s::bytea[], %s::bytea[], %s::int[]) ON CONFLICT DO NOTHING",
            [
                [digests[keys] for keys in order],
                [pack(texts[keys]) for keys in order],
                [len(keys) for keys in order],
            ],
        )
    rows = KeySet.objects.filter(digest__in=list(digests.values())).values_list("digest", "pk")
    numbers = {bytes(known): number for known, number in rows}
    return {keys: numbers[digests[keys]] for keys in key_sets}
