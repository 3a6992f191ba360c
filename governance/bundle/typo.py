"""Checks the record of a correction of spelling: made again, it leads from the text before it to
the one after it, and it is no change of meaning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from governance.bundle import chain
from governance.bylaws import text as source
from governance.bylaws import typo

Document = dict[str, Any]
FIXED = (
    *("version", "number", "clause", "wrong", "right", "reported", "decided"),
    *("before_sha256", "after_sha256"),
)


def problems(document: Document, others: Mapping[str, Document]) -> Iterator[str]:
    """What is wrong with it; `others` are all records by name."""
    if document["decided"] < document["reported"]:
        yield "it was decided before it was reported"
    version = others.get(document["version"])
    earlier = _earlier(document, others)
    if version is None:
        yield f"the version that it corrects ({document['version']}) is not in the bundle"
    elif [each["number"] for each in earlier] != list(range(1, document["number"])):
        yield "a correction before it is not in the bundle"
    else:
        yield from _followed(document, version, earlier)


def corrected(items: Sequence[source.Item], correction: typo.Correction) -> list[source.Item]:
    """The items after one more correction."""
    return typo.corrected(items, [correction])


def digest_of(items: Sequence[source.Item]) -> str:
    """The hash of the text as it reads with its corrections."""
    return chain.digest(source.write(items).encode())


def _earlier(document: Document, others: Mapping[str, Document]) -> list[Document]:
    """The corrections of the same version before this one, in their order."""
    same = (
        each
        for each in others.values()
        if each.get("kind") == "typo" and each["version"] == document["version"]
    )
    before = [each for each in same if each["number"] < document["number"]]
    return sorted(before, key=lambda each: int(each["number"]))


def _followed(document: Document, version: Document, earlier: list[Document]) -> Iterator[str]:
    """From the text that was adopted through every correction to the one after this."""
    begins = earlier[-1]["after_sha256"] if earlier else version["text_sha256"]
    if document["before_sha256"] != begins:
        yield "it does not begin with the text before it"
    items = source.read(version["text"])
    for each in earlier:
        items = corrected(items, _correction(each))
    objection = typo.objection(items, _correction(document))
    if objection is not None:
        yield f"it is no correction of spelling ({objection.value})"
    elif digest_of(corrected(items, _correction(document))) != document["after_sha256"]:
        yield "made again, it leads to another text"


def _correction(document: Document) -> typo.Correction:
    return typo.Correction(document["clause"], document["wrong"], document["right"])
