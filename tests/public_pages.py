"""The pages that anybody may read, while the demonstration is in the database."""

from __future__ import annotations

from collections.abc import Iterator

from django.test import Client

from tests.samples import sample_paths


def public_pages() -> Iterator[tuple[str, str]]:
    """Name and address of every view that is an HTML page to a stranger."""
    for name, path in sorted(sample_paths().items()):
        if path:
            answer = Client(headers={"host": "localhost"}).get(path)
            kind = answer.headers.get("Content-Type", "")
            if answer.status_code == 200 and kind.startswith("text/html"):
                yield name, path
