"""What a public page may cost: queries, and bytes on the way to the reader.

The time of each is shown by `python -m bench site`: a busy machine would fail a test of it.
"""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.browser.test_walk import foundation
from tests.public_pages import public_pages

__all__ = ["foundation"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]

STATIC = Path(__file__).resolve().parent.parent / "static"
QUERIES = 10
WEIGHT = 45_000  # bytes without pictures, compressed; 60 kB are the promise, the heaviest has 38
# Pages that gather much still ask more often. None of these may grow; take away what has shrunk.
ASK_MORE = {
    "governance:board": 12,
    "governance:body": 11,
    "governance:motion": 15,
}


def test_every_public_page_asks_little_and_is_light(foundation: None) -> None:
    over: list[str] = []
    pages = 0
    for name, path in public_pages():
        pages += 1
        client = Client(headers={"host": "localhost"})
        with CaptureQueriesContext(connection) as asked:
            answer = client.get(path)
        if len(asked) > ASK_MORE.get(name, QUERIES):
            over.append(f"{name} {path}: {len(asked)} queries")
        if (weight := transferred(answer.content)) > WEIGHT:
            over.append(f"{name} {path}: {weight} bytes")
    assert pages > 80
    assert over == []


def transferred(page: bytes) -> int:
    """The page, the style and scripts that it names, and what these import, each compressed."""
    named = {
        STATIC / found for found in re.findall(r"/static/([\w/.-]+?\.(?:css|js))", page.decode())
    }
    files: set[Path] = set()
    while named:
        file = named.pop()
        if file not in files:
            files.add(file)
            imports = re.findall(r'from "(\.[^"]+)"', file.read_text())
            named |= {(file.parent / found).resolve() for found in imports}
    return sum(len(gzip.compress(part)) for part in (page, *(f.read_bytes() for f in files)))
