#!/usr/bin/env python3
"""Checks a bundle of decisions without the portal: python3 check_bundle.py decisions.zip

Needs Python 3.11 or later and the package `cryptography`. Take this program from a source you
trust, not from the bundle that you doubt. It verifies the signature, the digest of every file and
the chain of all records. Then it counts every vote again, follows every signature of a consent,
makes every correction of spelling again, and compares minutes and bylaws with what adopted them.

    --key FINGERPRINT   the key that must have signed; without it compare the one that is printed
    --older OTHER       a bundle from before: nothing that it holds may be missing or differ
    --minutes TEXT      minutes as the body keeps them, closed sessions too: they must be the ones
                        that the bundle has without these

The answer is 0 if all is as it was decided, 1 if anything is not, 2 if there is no bundle.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from governance.bundle import archive, minutes, records, signature
from governance.meetings.reading import ReadingError

Document = dict[str, Any]
MANIFEST, SIGNED, KEY = "manifest.json", "manifest.json.asc", "key.asc"


def problems(
    files: Mapping[str, bytes], *, fingerprint: str = "", older: Mapping[str, bytes] | None = None
) -> Iterator[str]:
    """What is wrong with a bundle, in words; nothing if it is as it was signed."""
    missing = [path for path in (MANIFEST, SIGNED, KEY) if path not in files]
    if missing:
        yield f"{', '.join(missing)} is missing: nothing can be verified without it"
        return
    try:
        signature.verify(files[MANIFEST], files[SIGNED], files[KEY])
        found = signature.fingerprint(files[KEY])
    except signature.BadSignatureError as error:
        yield f"manifest.json is not signed: {error}"
        return
    if fingerprint and found != fingerprint:
        yield f"another key signed it: {found}"
    manifest = json.loads(files[MANIFEST])
    yield from records.problems(files, manifest)
    if older is not None:
        yield from _beginning(manifest, json.loads(older[MANIFEST]))


def _beginning(manifest: Document, older: Document) -> Iterator[str]:
    """The list of an older bundle is the beginning of this one."""
    known = [row["sha256"] for row in older["records"]]
    for row, sha256 in zip(manifest["records"], known, strict=False):
        if row["sha256"] != sha256:
            yield f"{row['path']} was another record in the older bundle"
    if len(manifest["records"]) < len(known):
        yield f"the older bundle has {len(known)} records: some were taken away"


def _kept(text: Path, files: Mapping[str, bytes]) -> Iterator[str]:
    """Whether minutes with their closed sessions are among those of the bundle."""
    known = records.last(files, json.loads(files[MANIFEST]))
    try:
        if not minutes.published_as(text.read_text(encoding="utf-8"), known):
            yield f"{text} is not the text of any minutes in the bundle"
    except (OSError, UnicodeDecodeError, ReadingError) as error:
        yield f"{text} does not read as minutes: {error}"


def told(files: Mapping[str, bytes]) -> Iterator[str]:
    """What a sound bundle is, line by line."""
    manifest = json.loads(files[MANIFEST])
    yield f"{manifest['foundation']}: all {manifest['size']} records are as they were signed."
    yield from (f"  {count}" for count in records.counts(files, manifest))
    yield f"  list of {manifest['date']}, head {manifest['head']}"
    yield f"  signed by {signature.fingerprint(files[KEY])}"


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Checks a bundle of decisions without the portal.")
    parser.add_argument("bundle", type=Path, help="the archive, or the folder it was unpacked into")
    parser.add_argument("--key", default="", help="fingerprint of the key that must have signed")
    parser.add_argument("--older", type=Path, help="an older bundle, which this one must continue")
    parser.add_argument("--minutes", type=Path, help="minutes with what was said closed")
    asked = parser.parse_args(words)
    try:
        files = archive.read(asked.bundle)
        older = archive.read(asked.older) if asked.older else None
    except archive.NotABundleError as error:
        sys.stdout.write(f"NOT SOUND: {error}\n")
        return 1 if asked.bundle.exists() else 2
    fingerprint = asked.key.replace(" ", "").upper()
    found = list(problems(files, fingerprint=fingerprint, older=older))
    if asked.minutes and not found:
        found = list(_kept(asked.minutes, files))
    if found:
        sys.stdout.writelines(f"NOT SOUND: {problem}\n" for problem in found)
        return 1
    sys.stdout.writelines(f"{line}\n" for line in told(files))
    if asked.minutes:
        sys.stdout.write(f"  {asked.minutes} is the text of minutes that were approved\n")
    if not fingerprint:
        sys.stdout.write("  compare this key with the one that the foundation publishes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
