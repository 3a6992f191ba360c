"""The manifests of elections that were opened at an office: one for each name, for good."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from governance.offices.asking import OfficeRefusedError
from governance.offices.database import Database
from governance.offices.keys import CONTEST, ELECTION
from governance.sealed import manifest
from governance.sealed.manifest import SEALED, Manifest, ManifestError

TABLE: Final = "CREATE TABLE elections (name text PRIMARY KEY, manifest bytea NOT NULL)"


class Elections:
    def __init__(self, database: Database, refused: type[OfficeRefusedError]) -> None:
        self._database, self._refused = database, refused
        self._known: dict[str, tuple[Manifest, bytes]] = {}

    def open(
        self, text: bytes, signatures: list[bytes], *, check_keys: Callable[[Manifest], None]
    ) -> Manifest:
        """Keep a manifest that all officers signed. The same again is fine, another is refused."""
        try:
            found = manifest.read(text)
            _check(found)
            manifest.check_signatures(found, text, signatures)
        except ManifestError as error:
            raise self._refused("manifest", str(error)) from error
        check_keys(found)
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO elections (name, manifest) VALUES (%s, %s) ON CONFLICT DO NOTHING",
                [found.election, text],
            )
        if self.text(found.election) != text:
            raise self._refused("other", "another manifest opened this election")
        return found

    def find(self, name: str) -> Manifest | None:
        """The manifest of an election that is open here, or was."""
        known = self._load(name)
        return known[0] if known else None

    def text(self, name: str) -> bytes | None:
        """As it was signed."""
        known = self._load(name)
        return known[1] if known else None

    def _load(self, name: str) -> tuple[Manifest, bytes] | None:
        if name in self._known or not ELECTION.fullmatch(name):
            return self._known.get(name)
        with self._database.read() as connection:
            query = "SELECT manifest FROM elections WHERE name = %s"
            row = connection.execute(query, [name]).fetchone()
        if row:
            self._known[name] = manifest.read(row[0]), row[0]
        return self._known.get(name)


def _check(found: Manifest) -> None:
    if found.level != SEALED:
        raise ManifestError("the ballots of this election are not sealed")
    names = [contest.id for contest in found.contests]
    if not (ELECTION.fullmatch(found.election) and all(map(CONTEST.fullmatch, names))):
        raise ManifestError("names are letters, digits, - and _, a contest behind its election")
