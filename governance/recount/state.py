"""What a check of a bundle knows so far, and what it says in the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from governance.recount.files import FileError
from governance.recount.outcome import Outcome, Votes
from governance.recount.parts import Left, Line, Opening
from governance.sealed.ballot import Ballot
from governance.sealed.manifest import Manifest

Known = TypeVar("Known")


class NotDoneError(Exception):
    """A step that cannot be done, since something before it is missing or wrong."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a check, in words."""

    title: str
    said: str  # what was found, with numbers; empty where it was not done
    faults: tuple[str, ...]

    @property
    def is_sound(self) -> bool:
        return not self.faults


@dataclass(frozen=True, slots=True)
class Report:
    steps: tuple[Step, ...]
    notes: tuple[str, ...]  # worth knowing, and no fault
    manifest: Manifest | None
    votes: Mapping[str, Votes]
    outcome: Outcome | None  # as counted here, from what is sound

    @property
    def faults(self) -> list[str]:
        return [fault for step in self.steps for fault in step.faults]

    @property
    def is_sound(self) -> bool:
        return not self.faults


@dataclass
class State:
    """Filled step by step; None is what could not be read."""

    files: Mapping[str, bytes]
    workers: int
    kept_blocks: bytes | None
    manifest: Manifest | None = None
    board: dict[str, int] | None = None  # the block of each ballot, by its digest
    ballots: list[Ballot] | None = None  # those that are sound
    sheet: list[Line] | None = None
    issued: dict[str, list[int]] | None = None
    opening: Opening | None = None
    key: int | None = None  # the election key, once it is known for the right one
    votes: dict[str, Votes] | None = None
    left: list[Left] | None = None
    outcome: Outcome | None = None
    faults: list[str] = field(default_factory=list)  # of the step that is done now
    notes: list[str] = field(default_factory=list)

    def text(self, name: str) -> bytes:
        """The bytes of a file. Raises NotDoneError where it is missing."""
        if name not in self.files:
            raise NotDoneError(f"{name} is missing")
        return self.files[name]

    def reading(self, name: str, read: Callable[[bytes], Known]) -> Known:
        """What a file says. Raises NotDoneError where it cannot be read."""
        try:
            return read(self.text(name))
        except FileError as error:
            raise NotDoneError(f"{name}: {error}") from error

    def known(self, value: Known | None, what: str) -> Known:
        """What a step before this one found. Raises NotDoneError where it did not."""
        if value is None:
            raise NotDoneError(f"this needs {what}")
        return value

    def the_manifest(self) -> Manifest:
        return self.known(self.manifest, "the manifest")
