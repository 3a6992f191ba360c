"""The records of a bundle: their digests, their chain, and what each says."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from governance.bundle import chain, filing, numbering, plain
from governance.bundle.kinds import KINDS

Document = dict[str, Any]
FOLDER = "records/"


def path_of(name: str, edition: int) -> str:
    """Where the record of that name lies; the first edition has no number."""
    return f"{FOLDER}{name}.json" if edition == 1 else f"{FOLDER}{name}.{edition}.json"


def problems(files: Mapping[str, bytes], manifest: Document) -> Iterator[str]:
    """What is wrong with the list, the files it names, and what they say."""
    yield from _files(files, manifest)
    yield from _list(manifest)
    documents = list(_documents(files, manifest))
    newest = {name: document for name, _edition, document in documents}
    for name, edition, document in documents:
        for problem in _of_one(document, newest):
            yield f"{path_of(name, edition)}: {problem}"
    yield from _editions(documents)
    yield from _withheld(manifest, newest)
    yield from numbering.problems(newest.values())
    yield from filing.problems(newest.values())


def last(files: Mapping[str, bytes], manifest: Document) -> dict[str, Document]:
    """The last edition of every record, by its name."""
    return {name: document for name, _edition, document in _documents(files, manifest)}


def counts(files: Mapping[str, bytes], manifest: Document) -> list[str]:
    """How many records of each kind there are, in words."""
    documents = last(files, manifest).values()
    found = Counter(document["kind"] for document in documents)
    known = [f"{found[key]} {kind.word}" for key, kind in KINDS.items() if found[key]]
    unknown = sorted(found.keys() - KINDS.keys())
    hashed = [f"{found[key]} of kind {key}, which this checker only hashes" for key in unknown]
    return [*known, *filing.told(documents), *hashed]


def _files(files: Mapping[str, bytes], manifest: Document) -> Iterator[str]:
    """Every file is the one that the manifest names, none is missing and none too many."""
    wanted = {row["path"]: row["sha256"] for row in manifest["files"]}
    wanted |= {row["path"]: row["sha256"] for row in manifest["records"] if not row.get("withheld")}
    for path in sorted(wanted.keys() - files.keys()):
        yield f"{path} is missing"
    for path in sorted(files.keys() - wanted.keys() - {"manifest.json", "manifest.json.asc"}):
        yield f"{path} is not in the list"
    for path in sorted(wanted.keys() & files.keys()):
        if chain.digest(files[path]) != wanted[path]:
            yield f"{path} was changed"


def _list(manifest: Document) -> Iterator[str]:
    rows = manifest["records"]
    if [row["number"] for row in rows] != list(range(1, len(rows) + 1)):
        yield "the records are not numbered from 1"
    head = ["", *chain.heads(row["sha256"] for row in rows)][-1]
    if (manifest["head"], manifest["size"]) != (head, len(rows)):
        yield "the head of the list does not stand for its records"


def _documents(
    files: Mapping[str, bytes], manifest: Document
) -> Iterator[tuple[str, int, Document]]:
    """Name, edition and content of each record that is there, in the order of the list."""
    editions: Counter[str] = Counter()
    for row in manifest["records"]:
        editions[row["name"]] += 1
        data = files.get(row["path"])
        if data is not None and chain.digest(data) == row["sha256"]:
            yield row["name"], editions[row["name"]], json.loads(data)


def _withheld(manifest: Document, last: Mapping[str, Document]) -> Iterator[str]:
    """A record is left out when a passage of it was taken out later, which a later edition tells;
    its digest stays.
    """
    for row in manifest["records"]:
        if row.get("withheld") and not last.get(row["name"], {}).get("redactions"):
            yield f"{row['path']} was left out, and nothing says why"


def _of_one(document: Document, last: Mapping[str, Document]) -> Iterator[str]:
    kind = KINDS.get(document.get("kind", ""))
    if kind is None:
        return
    try:
        yield from kind.problems(document, last)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        yield f"it does not read as one ({type(error).__name__}: {error})"


def _editions(documents: list[tuple[str, int, Document]]) -> Iterator[str]:
    """A later edition of a record tells what came after; what was decided stays in it as it was."""
    before: dict[str, Document] = {}
    for name, edition, document in documents:
        kind = KINDS.get(document.get("kind", ""))
        for field in kind.fixed if kind and name in before else ():
            if not plain.holds(_value(document, field), _value(before[name], field)):
                yield f"{path_of(name, edition)} says otherwise about “{field}” than before"
        before[name] = document


def _value(document: Document, field: str) -> Any:
    """What a document says of `field`; `body.slug` is a part of a part."""
    found: Any = document
    for name in field.split("."):
        found = found.get(name) if isinstance(found, dict) else None
    return found
